import type { SendOutcome } from '../../../platform/mail/send-outcome.js';
import type { AttemptOutcome } from './attempt-delivery.js';

/** How many attempts of a delivery are kept, the last ones. */
export const ATTEMPTS_KEPT = 20;
export const ATTEMPT_OUTCOMES = [
  'sent',
  'failed',
  'unavailable',
  'rejected',
  'gone',
] as const satisfies readonly SendOutcome['kind'][];

export interface LoggedAttempt {
  /** When it ended, ISO 8601. */
  at: string;
  outcome: SendOutcome['kind'];
  statusCode: number | null;
  answer: string;
  /** null where nothing was sent. */
  durationMs: number | null;
  /** ISO 8601; null where none followed. */
  nextAttempt: string | null;
}

/** @returns null where no attempt was made: the message was refused, or had nowhere to go */
export function loggedAttempt(outcome: AttemptOutcome, at: Date, nextAttempt: Date | null): LoggedAttempt | null {
  if (outcome.kind === 'refused' || outcome.kind === 'nowhere') return null;
  const { kind, statusCode, answer, durationMs = null } = outcome;
  return {
    at: at.toISOString(),
    outcome: kind,
    statusCode,
    answer,
    durationMs,
    nextAttempt: nextAttempt?.toISOString() ?? null,
  };
}
