import type { Channels } from './channels.js';
import { isOutcome, judgeStatus, postBody } from './post-body.js';
import type { SendOutcome } from '../../../platform/mail/send-outcome.js';

const USER_AGENT = 'Watchpost-Webhook/1';
/** Office 365 connectors answer 200 with this in the body when Teams refused the message. */
const TEAMS_ERROR = /returned HTTP error (\d{3})/;

/** Posts JSON to a URL that a user entered. */
export async function postJson(
  { outbound, tryMs }: Channels,
  url: string,
  given: Readonly<Record<string, string>>,
  body: string,
  nowMs: number,
): Promise<SendOutcome> {
  const own = Object.keys(given).some((name) => name.toLowerCase() === 'user-agent')
    ? {}
    : { 'user-agent': USER_AGENT };
  const headers = { ...own, ...given, 'content-type': 'application/json' };
  const answer = await postBody({
    url,
    headers,
    body,
    dispatcher: outbound,
    nowMs,
    ...(tryMs === undefined ? {} : { tryMs }),
  });
  if (isOutcome(answer)) return answer;
  const outcome = judgeStatus(answer);
  const refused = outcome.kind === 'sent' ? TEAMS_ERROR.exec(answer.body) : null;
  if (refused)
    return { kind: 'failed', statusCode: Number(refused[1]), answer: `The chat refused it (${refused[1]}).` };
  return outcome;
}
