import type { MonitorValues } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import type { MonitorTestView } from '@watchpost/control-plane/capabilities/fleet/runs/monitor-test-schemas';
import type { DnsHistoryEntryView } from '@watchpost/control-plane/capabilities/verdicts/warnings/dns-schemas';
import type { SslResultView } from '@watchpost/control-plane/capabilities/verdicts/warnings/ssl-schemas';
import type { TypeSettings } from '@watchpost/control-plane/capabilities/monitors/settings/type-settings-schemas';
import { factsOf, typeAloneWith } from '@watchpost/shared/monitor-types';
import { signal, type Signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { asFault, type ApiFault } from '../../data/api-fault.js';
import { request } from '../../data/api.js';
import { withoutSecretHeaders } from './monitor-values.js';
import type { Target } from './target.js';

const DEADLINE_MS = 75_000;

/** One of the tests: not needed for this target, on its way, answered or refused. */
export type Outcome<T> =
  | { state: 'none' }
  | { state: 'pending' }
  | { state: 'done'; body: T }
  | { state: 'failed'; fault: ApiFault };

export type TargetTest = ReturnType<typeof useTargetTest>;

/** Tests a target from the home region: its answer, its certificate and its records, each shown as it comes. */
export function useTargetTest() {
  const test = useMemo(createTest, []);
  useEffect(() => () => test.stop(), [test]);
  return test;
}

function createTest() {
  const none = { state: 'none' } as const;
  const target = signal<Target | undefined>(undefined);
  const http = signal<Outcome<MonitorTestView>>(none);
  const ssl = signal<Outcome<SslResultView>>(none);
  const dns = signal<Outcome<DnsHistoryEntryView>>(none);
  let running: AbortController | undefined;

  const ask = <T>(outcome: Signal<Outcome<T>>, path: string, body: object | undefined, own: AbortController) => {
    if (body === undefined) {
      outcome.value = none;
      return;
    }
    outcome.value = { state: 'pending' };
    void request<T>('POST', path, { body, signal: own.signal, deadlineMs: DEADLINE_MS }).then(
      (answer) => {
        if (running === own) outcome.value = { state: 'done', body: answer.body };
      },
      (error: unknown) => {
        if (running === own && !own.signal.aborted) outcome.value = { state: 'failed', fault: asFault(error) };
      },
    );
  };
  return {
    target,
    http,
    ssl,
    dns,
    /** Tests a target at once; the former test is dropped. */
    run: (next: Target, settings: MonitorValues) => {
      running?.abort();
      const own = (running = new AbortController());
      const { url, kind, host, isName } = next;
      target.value = next;
      const { settings: fields, word, isAlone } = factsOf(typeAloneWith(kind) ?? 'HttpAvailability');
      const field = fields[0] as keyof TypeSettings;
      // The values of secret headers are not known here, so a test is made without them.
      const sent = { url, [field]: withoutSecretHeaders(settings[field]) };
      const { checkTimeout } = settings;
      const body = { ...sent, ...(checkTimeout !== null && { timeout: checkTimeout }) };
      ask(http, `/api/v1/monitor-test${isAlone ? `/${word}` : ''}`, body, own);
      ask(ssl, '/api/v1/monitor-test/ssl', kind === 'https' ? { url } : undefined, own);
      ask(dns, '/api/v1/monitor-test/dns', isName ? { hostname: host } : undefined, own);
    },
    isRunning: () => [http, ssl, dns].some(({ value }) => value.state === 'pending'),
    stop: () => running?.abort(),
  };
}
