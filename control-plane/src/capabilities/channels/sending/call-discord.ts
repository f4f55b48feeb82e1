import type { MessageHandle, SendOutcome } from '../../../platform/mail/send-outcome.js';
import type { Channels } from './channels.js';
import { judgeReason } from './judge-reason.js';
import type { PostAnswer } from './post-body.js';
import { isMessageId, type JsonRequest, jsonOf, postJson } from './post-json.js';

/** A refusal that another attempt may not meet. */
const PASSING = new Set([408, 425, 429]);

/** @returns true if another attempt would be refused too */
export function isRefused(outcome: SendOutcome): boolean {
  if (outcome.kind !== 'failed') return outcome.kind === 'rejected' || outcome.kind === 'gone';
  const { statusCode } = outcome;
  return statusCode !== null && statusCode >= 400 && statusCode < 500 && !PASSING.has(statusCode);
}

type Fields = Readonly<Record<string, unknown>>;
type Body = Record<string, unknown>;

/** What its codes of errors mean; 0 is a refused token. */
const WORDS: Readonly<Record<number, string>> = {
  0: 'Discord refused the bot token.',
  10003: 'There is no such channel.',
  10008: 'The message was deleted.',
  10015: 'There is no such webhook.',
  50001: 'The bot may not see the channel.',
  50013: 'The bot may not write in the channel.',
};

export interface DiscordMessage {
  /** The same at every attempt. */
  id: string;
  body: Body;
  replyTo?: MessageHandle;
}

/**
 * Posts to the channel of the webhook of a group: by its bot, if it has one, whose messages have buttons, are replies, and
 * are never taken twice. Where the bot may not write there, the webhook posts.
 */
export async function postToDiscord(
  channels: Channels,
  fields: Fields,
  message: DiscordMessage,
  nowMs: number,
): Promise<SendOutcome> {
  const byBot = hasBot(fields) ? await postByBot(channels, fields, message, nowMs) : null;
  if (byBot !== null && !isRefused(byBot)) return byBot;
  const url = webhookUrl(fields);
  // Without it, Discord answers before it has made the message.
  url.searchParams.set('wait', 'true');
  const posted = await postJson(channels, { url: url.href, body: message.body, judge: judgePosted({}) }, nowMs);
  return byBot === null ? posted : { ...posted, answer: `${posted.answer} The bot could not post: ${byBot.answer}` };
}

/** Edits a message of the bot or the webhook of a group, whichever posted it. */
export function editInDiscord(
  channels: Channels,
  fields: Fields,
  body: Body,
  { messageId, channelId }: MessageHandle,
  nowMs: number,
): Promise<SendOutcome> {
  if (channelId !== undefined && hasBot(fields))
    return postJson(
      channels,
      { method: 'PATCH', ...asBot(fields, `/channels/${channelId}/messages/${messageId}`), body },
      nowMs,
    );
  const url = webhookUrl(fields);
  url.pathname += `/messages/${messageId}`;
  return postJson(channels, { method: 'PATCH', url: url.href, body }, nowMs);
}

async function postByBot(
  channels: Channels,
  fields: Fields,
  { id, body, replyTo }: DiscordMessage,
  nowMs: number,
): Promise<SendOutcome> {
  const found = replyTo?.['channelId'] === undefined ? await findChannel(channels, fields, nowMs) : null;
  if (found !== null && found.kind !== 'sent') return found;
  const { channelId } = (found === null ? replyTo : found.handle)!;
  const reference = replyTo && { message_reference: { message_id: replyTo['messageId'], fail_if_not_exists: false } };
  return postJson(
    channels,
    {
      ...asBot(fields, `/channels/${channelId}/messages`),
      // At most 25 characters.
      body: { ...body, ...reference, nonce: nonceOf(id), enforce_nonce: true },
      judge: judgePosted({ channelId: channelId! }),
    },
    nowMs,
  );
}

/** Finds the channel to which the webhook posts, or the thread that its URL names. @returns as part of a handle */
async function findChannel(channels: Channels, fields: Fields, nowMs: number): Promise<SendOutcome> {
  const url = webhookUrl(fields);
  const thread = url.searchParams.get('thread_id');
  url.search = '';
  const judge = (answer: PostAnswer): SendOutcome => {
    const outcome = judgeDiscord(answer);
    if (outcome.kind !== 'sent') return outcome;
    const channelId = thread ?? jsonOf(answer.body)['channel_id'];
    if (isMessageId(channelId)) return { ...outcome, handle: { channelId } };
    return { ...outcome, kind: 'rejected', answer: 'Discord did not name the channel of the webhook.' };
  };
  return postJson(channels, { method: 'GET', url: url.href, judge }, nowMs);
}

const hasBot = (fields: Fields): boolean => typeof fields['botToken'] === 'string';

export function asBot({ botToken }: Fields, path: string): Pick<JsonRequest, 'url' | 'headers'> {
  return {
    url: { service: 'DISCORD_API_URL', path: `/api/v10${path}` },
    headers: { authorization: `Bot ${String(botToken)}` },
  };
}

function nonceOf(id: string): string {
  return Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url');
}

/** The URL of the webhook, whose query may name a thread. */
function webhookUrl(fields: Fields): URL {
  const url = new URL(String(fields['webhookUrl']));
  url.pathname = url.pathname.replace(/\/$/, '');
  return url;
}

function judgeDiscord(answer: PostAnswer): SendOutcome {
  const { code } = jsonOf(answer.body);
  return typeof code === 'number'
    ? judgeReason(answer, { code: String(code), words: WORDS[code] })
    : judgeReason(answer, {});
}

const judgePosted =
  (where: MessageHandle) =>
  (answer: PostAnswer): SendOutcome => {
    const outcome = judgeDiscord(answer);
    const { id } = jsonOf(answer.body);
    return outcome.kind === 'sent' && isMessageId(id) ? { ...outcome, handle: { ...where, messageId: id } } : outcome;
  };
