import type { MonitorTestView } from '@watchpost/control-plane/capabilities/fleet/runs/monitor-test-schemas';
import type { DnsHistoryEntryView } from '@watchpost/control-plane/capabilities/verdicts/warnings/dns-schemas';
import type { SslResultView } from '@watchpost/control-plane/capabilities/verdicts/warnings/ssl-schemas';
import type { ComponentChildren } from 'preact';
import { FaultNote } from '../../parts/fault-note.js';
import { countText, latencyText } from '../../parts/format.js';
import { isNearExpiry } from '../../parts/near-expiry.js';
import { PhaseBar } from '../../parts/phase-bar.js';
import { StateMark } from '../../parts/state-mark.js';
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
        <Verdict http={http} kind={target.kind} />
      </p>
      {http.state === 'done' && http.body.wasAvailable && <PhaseBar phases={http.body.phases} />}
      {http.state === 'failed' && <FaultNote fault={http.fault} />}
      <dl class="target-facts">
        {test.dns.value.state !== 'none' && (
          <Fact name="Address" outcome={test.dns.value}>
            {(body: DnsHistoryEntryView) => <Addresses entry={body} />}
          </Fact>
        )}
        {test.ssl.value.state !== 'none' && (
          <Fact name="Certificate" outcome={test.ssl.value}>
            {(body: SslResultView) => <Certificate result={body} />}
          </Fact>
        )}
        {test.dns.value.state !== 'none' && (
          <Fact name="DNS" outcome={test.dns.value}>
            {(body: DnsHistoryEntryView) => <Records entry={body} />}
          </Fact>
        )}
        <div>
          <dt>Tested from</dt>
          <dd>{home}</dd>
        </div>
      </dl>
    </div>
  );
}

function Verdict({ http, kind }: { http: Outcome<MonitorTestView>; kind: string }) {
  if (http.state === 'none') {
    return (
      <>
        <StateMark state="unknown" isQuiet /> A {kind}:// port is checked for the first time once it is saved.
      </>
    );
  }
  if (http.state === 'pending') {
    return (
      <>
        <StateMark state="unknown" isQuiet /> Testing …
      </>
    );
  }
  if (http.state === 'failed') {
    return (
      <>
        <StateMark state="unknown" isQuiet /> It could not be tested.
      </>
    );
  }
  const { wasAvailable, statusCode, responseTime, failureReason, notes } = http.body;
  if (wasAvailable) {
    return (
      <>
        <StateMark state="available" isQuiet />{' '}
        <strong>
          Answers {statusCode} in {latencyText(responseTime)}
        </strong>
      </>
    );
  }
  return (
    <>
      <StateMark state="unavailable" isQuiet /> <strong>Would be down:</strong> {failureReason} {notes.join(' ')}
    </>
  );
}

function Fact<T>(props: { name: string; outcome: Outcome<T>; children: (body: T) => ComponentChildren }) {
  const { name, outcome, children } = props;
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {outcome.state === 'done' ? (
          children(outcome.body)
        ) : outcome.state === 'failed' ? (
          <span class="state-partial">{outcome.fault.details[0]?.message ?? outcome.fault.message}</span>
        ) : (
          <span class="soft">Looking …</span>
        )}
      </dd>
    </div>
  );
}

function Addresses({ entry: { records } }: { entry: DnsHistoryEntryView }) {
  const addresses = [...(records.A ?? []), ...(records.AAAA ?? [])];
  if (addresses.length === 0) return <span class="soft">None</span>;
  return (
    <span class="mono">
      {addresses.slice(0, 4).join(', ')}
      {addresses.length > 4 && ` and ${addresses.length - 4} more`}
    </span>
  );
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
