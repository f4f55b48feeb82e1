import type { MonitorTestView } from '@watchpost/control-plane/capabilities/fleet/runs/monitor-test-schemas';
import type { DnsHistoryEntryView } from '@watchpost/control-plane/capabilities/verdicts/warnings/dns-schemas';
import type { SslResultView } from '@watchpost/control-plane/capabilities/verdicts/warnings/ssl-schemas';
import type { ComponentChildren } from 'preact';
import { Facts } from '../../parts/section.js';
import { FaultNote } from '../../parts/loaded.js';
import { countText, firstOf, latencyText } from '../../parts/format.js';
import { isNearExpiry } from '../../parts/near-expiry.js';
import { PhaseBar } from '../../parts/phase-bar.js';
import { StateMark } from '../../parts/marks.js';
import { nameInSubject, propagationText } from './target.js';
import type { Outcome, TargetTest } from './use-target-test.js';

/** What a test found, as it comes: the answer with its phases, the addresses, the certificate, the records. */
export function TargetResult({ test, home }: { test: TargetTest; home: string }) {
  const target = test.target.value;
  const http = test.http.value;
  if (target === undefined) return null;
  return (
    <div class="target-result" role="status" aria-label={`Test of ${target.url}`}>
      <p class="target-verdict">
        <Verdict http={http} />
      </p>
      {http.state === 'done' && http.body.wasAvailable && <PhaseBar phases={http.body.phases} />}
      {http.state === 'failed' && <FaultNote fault={http.fault} />}
      <Facts
        look="tiles target-facts"
        facts={[
          ['Address', shown(test.dns.value, (entry) => <Addresses entry={entry} />)],
          ['Certificate', shown(test.ssl.value, (result) => <Certificate result={result} />)],
          ['DNS', shown(test.dns.value, (entry) => <Records entry={entry} />)],
          ['Tested from', home],
        ]}
      />
    </div>
  );
}

function Verdict({ http }: { http: Outcome<MonitorTestView> }) {
  if (http.state === 'done' && http.body.wasAvailable) {
    return (
      <>
        <StateMark state="available" isQuiet />{' '}
        <strong>
          {['Answers', http.body.statusCode, 'in'].filter((word) => word !== null).join(' ')}{' '}
          {latencyText(http.body.responseTime)}
        </strong>
      </>
    );
  }
  if (http.state === 'done') {
    return (
      <>
        <StateMark state="unavailable" isQuiet /> <strong>Would be down:</strong> {http.body.failureReason}{' '}
        {http.body.notes.join(' ')}
      </>
    );
  }
  const texts = {
    none: '',
    pending: 'Testing …',
    failed: 'It could not be tested.',
  };
  return (
    <>
      <StateMark state="unknown" isQuiet /> {texts[http.state]}
    </>
  );
}

function shown<T>(outcome: Outcome<T>, draw: (body: T) => ComponentChildren): ComponentChildren {
  if (outcome.state === 'none') return null;
  if (outcome.state === 'done') return draw(outcome.body);
  if (outcome.state === 'pending') return <span class="soft">Looking …</span>;
  return <span class="state-partial">{outcome.fault.details[0]?.message ?? outcome.fault.message}</span>;
}

function Addresses({ entry: { records } }: { entry: DnsHistoryEntryView }) {
  const addresses = [...(records.A ?? []), ...(records.AAAA ?? [])];
  if (addresses.length === 0) return <span class="soft">None</span>;
  return <span class="mono">{firstOf(addresses, 4)}</span>;
}

function Certificate({ result }: { result: SslResultView }) {
  const { daysUntilExpiry, issuer, failureReason, isValid } = result;
  if (isValid !== true || daysUntilExpiry === null) {
    return <span class="state-unavailable">{failureReason ?? 'It is not valid.'}</span>;
  }
  return (
    <>
      <span class={isNearExpiry(result) ? 'state-partial' : undefined}>
        Valid for {countText(daysUntilExpiry, 'day')}
      </span>
      {issuer !== null && <span class="soft">, by {nameInSubject(issuer)}</span>}
    </>
  );
}

function Records({ entry: { records, failures, propagation, failureReason } }: { entry: DnsHistoryEntryView }) {
  const types = Object.entries(records).flatMap(([type, values]) => (values.length > 0 ? [type] : []));
  if (types.length === 0) return <span class="state-partial">{failureReason ?? 'No records'}</span>;
  return (
    <>
      {types.join(', ')}
      {Object.entries(failures).map(([type, why]) => (
        <span key={type} class="state-partial">
          , {type} not known ({why})
        </span>
      ))}
      {propagation !== null && (
        <span class={propagation.consistent ? 'soft' : 'state-partial'}>
          {'. '}
          {propagationText(propagation)}
        </span>
      )}
    </>
  );
}
