import { judgeStatus, type PostAnswer } from './post-body.js';
import type { SendOutcome } from '../../../platform/mail/send-outcome.js';

/** Statuses by which services refuse a key, or a message for what it contains. */
const KEY = new Set([401, 403]);
const CONTENT = new Set([400, 413, 422]);

/**
 * Judges the answers of a service with keys. A message that it refuses for its content is given up. A refused key is
 * stated in words, and the message is tried again, since somebody may correct the key meanwhile.
 * @param key what it is called there, such as `the API key`
 * @param refusedKey which key an answer with a status of content refuses all the same; null: none
 */
export function judgeRefusal(
  service: string,
  key: string,
  refusedKey: (body: string) => string | null = () => null,
): (answer: PostAnswer) => SendOutcome {
  return (answer) => {
    const outcome = judgeStatus(answer);
    const { statusCode } = answer;
    const refused = KEY.has(statusCode) ? key : CONTENT.has(statusCode) ? refusedKey(answer.body) : null;
    if (refused !== null)
      return { ...outcome, kind: 'failed', statusCode, answer: sentence(service, refused, statusCode) };
    if (!CONTENT.has(statusCode)) return outcome;
    return { kind: 'rejected', statusCode, answer: sentence(service, 'the message', statusCode) };
  };
}

function sentence(service: string, what: string, statusCode: number): string {
  return `${service} refused ${what} (${statusCode}).`;
}
