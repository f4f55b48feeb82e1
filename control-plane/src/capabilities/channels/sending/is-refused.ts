import type { SendOutcome } from '../../../platform/mail/send-outcome.js';

/** A refusal that another attempt may not meet. */
const PASSING = new Set([408, 425, 429]);

/** Whether another attempt would be refused too. */
export function isRefused(outcome: SendOutcome): boolean {
  if (outcome.kind !== 'failed') return outcome.kind === 'rejected' || outcome.kind === 'gone';
  const { statusCode } = outcome;
  return statusCode !== null && statusCode >= 400 && statusCode < 500 && !PASSING.has(statusCode);
}
