import type { Registry } from 'prom-client';
import { metricsOn } from '@watchpost/shared/metrics-on';

export type SignInOutcome =
  | 'signed_in'
  | 'cancelled'
  | 'mismatch'
  | 'invalid'
  | 'not_admitted'
  | 'suspended'
  | 'unavailable'
  | 'limited';

export interface ConsoleMetrics {
  countSignIn(outcome: SignInOutcome): void;
}

/** @param countLive of all processes */
export function consoleMetrics(registry: Registry, countLive: () => Promise<number>): ConsoleMetrics {
  const { counter, shown } = metricsOn(registry);
  const signIns = counter(
    'watchpost_console_sign_ins_total',
    'Sign-ins to the console, by outcome: signed_in, cancelled, mismatch, invalid, suspended, unavailable, limited',
    'outcome',
  );
  shown('watchpost_console_sessions', 'Browsers that are signed in to the console, of all processes', () =>
    countLive().catch(() => null),
  );
  return { countSignIn: (outcome) => signIns.inc({ outcome }) };
}
