import { LONGEST_WAIT_MS } from '../../../platform/http/retry-after.js';
import { judgeStatus, type PostAnswer } from './post-body.js';
import type { SendOutcome } from '../../../platform/mail/send-outcome.js';

/** What a service states about a call that it did not take. */
interface Reason {
  /** Its own code of the error. Anything that does not look like one is left out. */
  code?: unknown;
  /** What it means, as sentences of ours. */
  words?: string | undefined;
  /** How long to wait; more than `Retry-After` of the answer counts. */
  retryAfterMs?: unknown;
}

/** Judges an answer by its status. A failure has the reason of the service, in words of ours and with its code. */
export function judgeReason(answer: PostAnswer, { code, words, retryAfterMs }: Reason): SendOutcome {
  const outcome = judgeStatus(answer);
  if (outcome.kind !== 'failed') return outcome;
  const shown = typeof code === 'string' && /^[\w.]{1,80}$/.test(code) ? ` (${code}).` : '.';
  const stated = outcome.answer.replace(/\.$/, shown);
  const waits = [outcome.retryAfterMs, retryAfterMs].filter((ms) => typeof ms === 'number' && ms >= 0) as number[];
  return {
    ...outcome,
    answer: words === undefined ? stated : `${stated} ${words}`,
    ...(waits.length === 0 ? {} : { retryAfterMs: Math.min(Math.max(...waits), LONGEST_WAIT_MS) }),
  };
}
