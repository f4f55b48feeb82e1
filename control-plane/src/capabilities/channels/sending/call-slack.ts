import type { SendOutcome } from '../../../platform/mail/send-outcome.js';
import type { Channels } from './channels.js';
import { judgeStatus, type PostAnswer } from './post-body.js';
import { isMessageId, jsonOf, postJson } from './post-json.js';

const WRONG_TOKEN = 'Slack refused the bot token';
/** What somebody can set right, so that another attempt succeeds. */
const REPAIRABLE: Readonly<Record<string, string>> = {
  invalid_auth: WRONG_TOKEN,
  not_authed: WRONG_TOKEN,
  token_revoked: WRONG_TOKEN,
  token_expired: WRONG_TOKEN,
  account_inactive: WRONG_TOKEN,
  missing_scope: 'The bot lacks the scope chat:write',
  channel_not_found: 'Slack has no such channel, or the bot was not invited to it',
  not_in_channel: 'The bot was not invited to the channel',
  is_archived: 'The channel is archived',
  restricted_action: 'The Slack workspace does not let the bot write there',
  ratelimited: 'Slack takes no more messages at the moment',
};
/** What no further attempt changes. */
const FINAL: Readonly<Record<string, string>> = {
  message_not_found: 'The message was deleted',
  cant_update_message: 'The message belongs to another bot',
  edit_window_closed: 'The Slack workspace does not let old messages be edited',
  msg_too_long: 'Slack refused the message',
  msg_blocks_too_long: 'Slack refused the message',
  invalid_blocks: 'Slack refused the message',
};

/** Calls a method of Slack's Web API, which answers 200 with `ok: false` where it refuses. */
export function callSlack(
  channels: Channels,
  { botToken }: Readonly<Record<string, unknown>>,
  method: string,
  body: Record<string, unknown>,
  nowMs: number,
): Promise<SendOutcome> {
  const url = { service: 'SLACK_API_URL', path: `/api/${method}` };
  const headers = { authorization: `Bearer ${String(botToken)}` };
  return postJson(channels, { url, headers, body, judge: judgeSlack }, nowMs);
}

function judgeSlack(answer: PostAnswer): SendOutcome {
  const outcome = judgeStatus(answer);
  if (outcome.kind !== 'sent') return outcome;
  const { ok, error, channel, ts } = jsonOf(answer.body);
  if (ok === true) return isMessageId(channel) && isMessageId(ts) ? { ...outcome, handle: { channel, ts } } : outcome;
  const code = typeof error === 'string' && /^[a-z_]{1,40}$/.test(error) ? error : 'unknown';
  const { statusCode, retryAfterMs } = answer;
  if (FINAL[code] !== undefined) return { kind: 'rejected', statusCode, answer: `${FINAL[code]} (${code}).` };
  const sentence = `${REPAIRABLE[code] ?? 'Slack answered with an error'} (${code}).`;
  return { kind: 'failed', statusCode, answer: sentence, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}
