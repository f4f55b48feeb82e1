import type { AlertMessage } from './messages/alert-message.js';
import { defineChannel, type Sending } from './channel.js';
import { escapeTags, inert, shorten, TONE_ICONS } from './messages/chat-text.js';
import { joinUrl } from './sending/join-url.js';
import { judgeReason } from './sending/judge-reason.js';
import type { PostAnswer } from './sending/post-body.js';
import { jsonOf, postJson } from './sending/post-json.js';
import type { SendOutcome } from '../../platform/mail/send-outcome.js';

type Body = Record<string, unknown>;

/** An event has at most 65,536 bytes. */
const MAX = { title: 300, text: 4_000, facts: 10, name: 60, value: 300 };

const WORDS: Readonly<Record<string, string>> = {
  M_FORBIDDEN: 'The account is not in the room, or may not write there.',
  M_UNKNOWN_TOKEN: 'The access token is not valid.',
  M_MISSING_TOKEN: 'The access token is not valid.',
  M_NOT_FOUND: 'The server knows no such room.',
  M_UNRECOGNIZED: 'It does not look like a Matrix server.',
};

export const matrix = defineChannel({
  type: 'matrix',
  id: 'Matrix',
  title: 'Matrix',
  category: 'chat',
  article: 'a',
  fields: [
    {
      name: 'homeserverUrl',
      title: 'Homeserver URL',
      kind: 'url',
      example: 'https://matrix.example.com',
      help: 'The server of the account that writes: in Element under All settings, Help & About, Homeserver.',
    },
    {
      name: 'roomId',
      title: 'Room ID',
      kind: 'text',
      pattern: {
        is: /^![^\s/?#]{1,254}$/,
        fault: 'must be the ID of a room, which begins with !; an alias, which begins with #, is no ID',
      },
      example: '!OGEhHVWSdvArJzumhm:example.com',
      help: 'In Element: the settings of the room, Advanced, Internal room ID. The room must not be encrypted.',
    },
    {
      name: 'accessToken',
      title: 'Access token',
      kind: 'secret',
      pattern: { is: /^[\x21-\x7e]+$/, fault: 'must be ASCII without spaces' },
      example: 'syt_d2F0Y2hwb3N0_XXXXXXXXXXXXXXXXXXXX_000000',
      help: 'Of an account in the room, best one of its own: in Element under All settings, Help & About, Access Token.',
    },
  ],
  destination: 'roomId',
  isPersonal: false,
  outlet: 'webhook',
  mask: (address) => address,
  render: (message) => ({ text: null, body: matrixBody(message) }),
  send(sending) {
    const { id, message, replyTo } = sending;
    const body = matrixBody(message);
    const reply = replyTo && { 'm.relates_to': { 'm.in_reply_to': { event_id: replyTo['eventId'] } } };
    return put(sending, id, { ...body, ...reply });
  },
  edit(sending, { eventId }) {
    const { id, message } = sending;
    const body = matrixBody(message);
    const replaces = { 'm.new_content': body, 'm.relates_to': { rel_type: 'm.replace', event_id: eventId } };
    // A reply with the id of the message may follow: the server would take it for the edit.
    return put(sending, `${id}.edit`, { ...body, body: `* ${body.body}`, ...replaces });
  },
});

/** Sends an event. The server takes all attempts with one transaction id as one. */
function put({ channels, destination, nowMs }: Sending, transactionId: string, body: Body): Promise<SendOutcome> {
  const { homeserverUrl, roomId, accessToken } = destination.fields ?? {};
  const path = `/_matrix/client/v3/rooms/${encodeURIComponent(String(roomId))}/send/m.room.message/${transactionId}`;
  return postJson(
    channels,
    {
      method: 'PUT',
      url: joinUrl(String(homeserverUrl), path),
      headers: { authorization: `Bearer ${String(accessToken)}` },
      body,
      judge,
    },
    nowMs,
  );
}

function judge(answer: PostAnswer): SendOutcome {
  const { errcode: code, retry_after_ms: retryAfterMs, event_id: eventId } = jsonOf(answer.body);
  const outcome = judgeReason(answer, { code, retryAfterMs, words: WORDS[String(code)] });
  return outcome.kind === 'sent' && typeof eventId === 'string' && eventId.length <= 255
    ? { ...outcome, handle: { eventId } }
    : outcome;
}

/**
 * Renders a message as plain text, and as HTML in which text of users is escaped. It mentions nobody. What needs no
 * attention is a notice, for which clients make no sound.
 */
export function matrixBody({ tone, title, sentences, facts, links }: AlertMessage): Body & { body: string } {
  const cut = (text: string, most: number) => shorten(inert(text), most);
  const heading = cut(`${TONE_ICONS[tone]} ${title}`, MAX.title);
  const text = cut(sentences.join('\n'), MAX.text);
  const shown = facts.slice(0, MAX.facts).map((fact) => ({
    name: cut(fact.name, MAX.name),
    value: cut(fact.value, MAX.value),
  }));
  return {
    msgtype: tone === 'bad' || tone === 'warning' ? 'm.text' : 'm.notice',
    body: [
      ...[heading, text],
      ...shown.map(({ name, value }) => `${name}: ${value}`),
      ...links.map(({ label, url }) => `${label}: ${url}`),
    ]
      .filter((line) => line !== '')
      .join('\n'),
    format: 'org.matrix.custom.html',
    formatted_body: [
      `<p><strong>${escapeTags(heading)}</strong></p>`,
      text && `<p>${escapeTags(text).replaceAll('\n', '<br>')}</p>`,
      ...(shown.length === 0
        ? []
        : ['<ul>', ...shown.map(({ name, value }) => `<li>${escapeTags(name)}: ${escapeTags(value)}</li>`), '</ul>']),
      ...(links.length === 0
        ? []
        : [`<p>${links.map(({ label, url }) => `<a href="${escapeTags(url)}">${label}</a>`).join(' · ')}</p>`]),
    ].join(''),
    'm.mentions': {},
  };
}
