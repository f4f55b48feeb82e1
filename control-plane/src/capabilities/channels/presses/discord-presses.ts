import { createPublicKey, verify } from 'node:crypto';
import { z } from 'zod';
import { asBot } from '../sending/call-discord.js';
import { judgeStatus, type PostAnswer } from '../sending/post-body.js';
import { jsonOf, postJson } from '../sending/post-json.js';
import { ACKNOWLEDGE_ACTION, headerOf, isRecent, type Presses, type ServiceCall } from './service-call.js';

/** The types of interactions, and of the answers to them. */
const PING = 1;
const MESSAGE_COMPONENT = 3;
const PONG = { type: 1 };
const DEFERRED_UPDATE = { type: 6 };
const MESSAGE = 4;
/** Only the person who pressed sees the message. */
const EPHEMERAL = 64;

const user = z.object({ id: z.string() });
const component = z.object({
  type: z.literal(MESSAGE_COMPONENT),
  member: z.object({ user }).optional(),
  user: user.optional(),
  data: z.object({ custom_id: z.string().startsWith(`${ACKNOWLEDGE_ACTION}:`) }),
});

/** Interactions of a Discord application, which are sent to the URL that is registered there. */
export const discordPresses: Presses = {
  needs: ['publicKey', 'botToken'],
  isGenuine(call, { publicKey }) {
    return isSigned(call, String(publicKey)) && isRecent(headerOf(call, 'x-signature-timestamp'), call.nowMs);
  },
  read(body) {
    const json = jsonOf(body.toString());
    // Registering the URL sends one.
    if (json['type'] === PING) return { press: null, answer: PONG };
    const { data } = component.safeParse(json);
    const accountId = (data?.member?.user ?? data?.user)?.id;
    if (!data || accountId === undefined) return { press: null, answer: DEFERRED_UPDATE };
    return {
      press: { accountId, incidentId: data.data.custom_id.slice(ACKNOWLEDGE_ACTION.length + 1) },
      show: (content) => ({ type: MESSAGE, data: { ...plain(content), flags: EPHEMERAL } }),
    };
  },
  async sendTo(channels, { fields }, { accountId, text }, nowMs) {
    let channelId = '';
    const post = (
      path: string,
      body: Record<string, unknown>,
      judge: (answer: PostAnswer) => ReturnType<typeof judgeStatus>,
    ) => postJson(channels, { ...asBot(fields, path), body, judge }, nowMs);
    const opened = await post('/users/@me/channels', { recipient_id: accountId }, (answer) => {
      const { id } = jsonOf(answer.body);
      channelId = typeof id === 'string' && /^\d{1,20}$/.test(id) ? id : '';
      return judgeStatus(answer);
    });
    if (opened.kind !== 'sent') return opened;
    return post(`/channels/${channelId}/messages`, plain(text), judgeStatus);
  },
};

function isSigned(call: ServiceCall, publicKey: string): boolean {
  const signature = Buffer.from(headerOf(call, 'x-signature-ed25519'), 'hex');
  const signed = Buffer.concat([Buffer.from(headerOf(call, 'x-signature-timestamp')), call.body]);
  try {
    const x = Buffer.from(publicKey, 'hex').toString('base64url');
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    return verify(null, signed, key, signature);
  } catch {
    // What the user entered is no key.
    return false;
  }
}

/** Escapes the Markdown of Discord, and mentions nobody. */
function plain(text: string): { content: string; allowed_mentions: { parse: [] } } {
  return { content: text.replace(/[\\`*_{}[\]()#+\-.!<>|~@:]/g, '\\$&'), allowed_mentions: { parse: [] } };
}
