import type { MonitorTestView } from '@watchpost/control-plane/capabilities/fleet/runs/monitor-test-schemas';
import type { DnsHistoryEntryView } from '@watchpost/control-plane/capabilities/verdicts/warnings/dns-schemas';
import type { SslResultView } from '@watchpost/control-plane/capabilities/verdicts/warnings/ssl-schemas';
import type { ComponentChildren } from 'preact';
import { AssertionResults } from '../../parts/assertion-results.js';
import { Choice } from '../../parts/inputs.js';
import { Facts } from '../../parts/section.js';
import { FaultNote } from '../../parts/loaded.js';
import { countText, firstOf, latencyText } from '../../parts/format.js';
import { isNearExpiry } from '../../parts/near-expiry.js';
import { PhaseBar } from '../../parts/phase-bar.js';
import { StateMark } from '../../parts/marks.js';
import type { Step } from './step-values.js';
import { nameInSubject, propagationText, type Target, urlFor } from './target.js';
import { Waterfall } from './waterfall.js';
import type { Run } from './waterfall-rows.js';
import { useRegions } from './reading.js';
import type { MonitorValues } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import type { TypeSettings } from '@watchpost/control-plane/capabilities/monitors/settings/type-settings-schemas';
import { TEST_DEADLINE_MS } from '@watchpost/shared/one-off-tests';
import { factsOf, typeAloneWith } from '@watchpost/shared/monitor-types';
import { testableSettings } from '@watchpost/shared/secrets/masked-settings';
import { computed, signal, type Signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { asFault, type ApiFault } from '../../data/api-fault.js';
import { request } from '../../data/api.js';

/** What a test found, as it comes: the answer with its phases, the addresses, the certificate, the records. */
export function TargetResult({ test }: { test: TargetTest }) {
  const target = test.target.value;
  const http = test.http.value;
  if (target === undefined) return null;
  return (
    <div class="lines gap-3 pad-4 sunken" role="status" aria-label={`Test of ${target.url}`}>
      <p class="target-verdict">
        <Verdict http={http} />
      </p>
      {http.state === 'done' &&
        ((http.body as Run).steps ? (
          <Waterfall run={http.body} steps={test.steps.value} />
        ) : (
          http.body.wasAvailable && <PhaseBar phases={http.body.phases} />
        ))}
      {http.state === 'failed' && <FaultNote fault={http.fault} />}
      <Facts
        look="tiles target-facts"
        facts={[
          ['Address', shown(test.dns.value, (entry) => <Addresses entry={entry} />)],
          ['Certificate', shown(test.ssl.value, (result) => <Certificate result={result} />)],
          ['DNS', shown(test.dns.value, (entry) => <Records entry={entry} />)],
          ['Tested from', <TestedFrom key="from" test={test} />],
        ]}
      />
      {!test.hasAllSecrets.value && (
        <p class="soft small">This test is made without the secrets, which are stored encrypted.</p>
      )}
      {http.state === 'done' && <AssertionResults results={http.body.assertions} />}
    </div>
  );
}

/** The place of a test, and a choice where the monitor has several. */
function TestedFrom({ test }: { test: TargetTest }) {
  const home = useRegions().data?.[0]?.location ?? 'the home region';
  const nameOf = (location: string | undefined) => (location === undefined ? home : `private:${location}`);
  const places = test.places.value;
  if (places.length < 2) return <>{nameOf(test.location.value)}</>;
  return (
    <Choice
      label="Tested from"
      value={test.location.value ?? ''}
      options={places.map((place) => ({ value: place ?? '', label: nameOf(place) }))}
      onChange={(place) => test.runFrom(place === '' ? undefined : place)}
    />
  );
}

export function Verdict({ http }: { http: Outcome<MonitorTestView> }) {
  if (http.state === 'done' && http.body.wasAvailable) {
    const isDegraded = http.body.assertions.some(({ passed }) => !passed);
    return (
      <>
        <StateMark state={isDegraded ? 'partial' : 'available'} isQuiet />{' '}
        <strong>
          {['Answers', http.body.statusCode, 'in'].filter((word) => word !== null).join(' ')}{' '}
          {latencyText(http.body.responseTime)}
        </strong>
        {isDegraded && '. It would be degraded.'}
      </>
    );
  }
  if (http.state === 'done' && http.body.outcome === 'inconclusive') {
    return (
      <>
        <StateMark state="unknown" isQuiet /> {http.body.failureReason}
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

/** One of the tests: not needed for this target, on its way, answered or refused. */
type Outcome<T> =
  | { state: 'none' }
  | { state: 'pending' }
  | { state: 'done'; body: T }
  | { state: 'failed'; fault: ApiFault };

export type TargetTest = ReturnType<typeof useTargetTest>;

/** Tests a target from the home region, from its first private location where no region checks it, or from the place that is chosen: its answer, its certificate and its records, each shown as it comes. */
export function useTargetTest() {
  const test = useMemo(createTest, []);
  useEffect(() => () => test.stop(), [test]);
  return test;
}

function createTest() {
  const none = { state: 'none' } as const;
  const target = signal<Target | undefined>(undefined);
  const hasAllSecrets = signal(true);
  const location = signal<string | undefined>(undefined);
  const places = signal<readonly (string | undefined)[]>([]);
  const steps = signal<readonly Step[]>([]);
  const testedStep = signal<string | undefined>(undefined);
  const http = signal<Outcome<MonitorTestView>>(none);
  const ssl = signal<Outcome<SslResultView>>(none);
  const dns = signal<Outcome<DnsHistoryEntryView>>(none);
  let running: AbortController | undefined;
  let repeat: (() => void) | undefined;

  const ask = <T,>(outcome: Signal<Outcome<T>>, path: string, body: object | undefined, own: AbortController) => {
    if (body === undefined) {
      outcome.value = none;
      return;
    }
    outcome.value = { state: 'pending' };
    void request<T>('POST', path, { body, signal: own.signal, deadlineMs: TEST_DEADLINE_MS }).then(
      (answer) => {
        if (running === own) outcome.value = { state: 'done', body: answer.body };
      },
      (error: unknown) => {
        if (running === own && !own.signal.aborted) outcome.value = { state: 'failed', fault: asFault(error) };
      },
    );
  };
  /** Tests a target at once, or one step of it; the former test is dropped. */
  const run = (next: Target, settings: MonitorValues, step?: string) => {
    running?.abort();
    repeat = () => run(next, settings, step);
    const own = (running = new AbortController());
    const { kind, host, isName } = next;
    const url = urlFor(next, settings.monitorTypes);
    target.value = next;
    const { monitorTypes } = settings;
    const alone = monitorTypes.find((type) => factsOf(type).isAlone) ?? typeAloneWith(kind);
    const { settings: fields, word } = factsOf(alone ?? 'HttpAvailability');
    const field = fields[0] as keyof TypeSettings;
    const { settings: sent, leftOut } = testableSettings({ url, [field]: settings[field] });
    places.value = [...(settings.homeRegion ? [undefined] : []), ...settings.privateLocations];
    if (!places.value.includes(location.value)) location.value = places.value[0];
    const at = location.value;
    const from = at !== undefined && { location: at };
    steps.value = field === 'http' ? settings.http.steps : [];
    testedStep.value = step;
    hasAllSecrets.value = leftOut.length === 0;
    const { checkTimeout } = settings;
    const body = { ...sent, ...from, ...(checkTimeout !== null && { timeout: checkTimeout }) };
    ask(http, `/api/v1/monitor-test${alone ? `/${word}` : ''}`, body, own);
    ask(
      ssl,
      '/api/v1/monitor-test/ssl',
      kind === 'https' && alone === undefined && step === undefined ? { url, ...from } : undefined,
      own,
    );
    ask(dns, '/api/v1/monitor-test/dns', isName && step === undefined ? { hostname: host, ...from } : undefined, own);
  };
  return {
    target,
    hasAllSecrets,
    /** The private location that runs it; undefined for the home region. */
    location,
    places,
    /** Those that were sent. */
    steps,
    /** The name of the step that the test was made for, if it was for one. */
    testedStep,
    /** The name of the step whose answer the test has; undefined for the monitor's own request. */
    answered: computed(() => {
      if (steps.value.length === 0) return testedStep.value;
      const found = http.value.state === 'done' ? ((http.value.body as Run).steps ?? []) : [];
      return found.findLast(({ responseTime }, index) => responseTime !== null && !steps.value[index]?.always)?.name;
    }),
    http,
    ssl,
    dns,
    run,
    /** Repeats the test from a private location, or from the home region, and later ones while the monitor has it. */
    runFrom: (place: string | undefined) => {
      location.value = place;
      repeat?.();
    },
    isRunning: () => [http, ssl, dns].some(({ value }) => value.state === 'pending'),
    stop: () => running?.abort(),
    close: () => {
      running?.abort();
      target.value = undefined;
    },
  };
}
