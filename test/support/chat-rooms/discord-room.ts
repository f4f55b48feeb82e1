import type { ChatRoom, ChatService, RoomAnswer } from './chat-room.js';

interface Embed {
  title: string;
  description: string;
  fields: { name: string; value: string }[];
}

const NOT_FOUND: RoomAnswer = { status: 404, body: { code: 10008, message: 'Unknown Message' } };

/** Discord's webhooks: https://docs.discord.com/developers/resources/webhook. */
export const discordRoom: ChatService = {
  answer(room, { method, path, body }) {
    const { pathname, searchParams } = new URL(path, 'http://discord.test');
    const [, place, id] = /^\/api\/webhooks\/([^/]+\/[^/]+)(?:\/messages\/([^/]+))?$/.exec(pathname) ?? [];
    if (place === undefined) return { status: 404, body: { code: 10015, message: 'Unknown Webhook' } };
    if (method === 'GET') return { status: 200, body: { id: '1', channel_id: channelOf(place) } };
    const given = JSON.parse(body);
    if (!isAccepted(given)) return { status: 400, body: { code: 50035, message: 'Invalid Form Body' } };
    if (method === 'PATCH') return edit(room, place, id, given);
    if (method !== 'POST' || id !== undefined) return { status: 405 };
    const message = room.post(String(1_000_000 + room.messages.length), place, given);
    // As the service does, the answer repeats the message and names its id behind it.
    return searchParams.get('wait') === 'true' ? { status: 200, body: { ...given, id: message.id } } : { status: 204 };
  },
  shown: ({ body }) => {
    const [{ title, description, fields }] = body['embeds'] as [Embed];
    const facts = fields.map(({ name, value }) => `${name}: ${value}`);
    return { title: plain(title), text: plain([description, ...facts].join('\n')) };
  },
  group: (url, place) => ({ webhookUrl: `${url}/api/webhooks/${place}/token` }),
};

/** The same with a bot, which may write in all channels but the forbidden one. */
export const discordBotRoom: ChatService = {
  ...discordRoom,
  takesOnce: true,
  answer(room, call) {
    const { method, path, headers, body } = call;
    const [, channel, id] = /^\/api\/v10\/channels\/(\d+)\/messages(?:\/(\d+))?$/.exec(path) ?? [];
    if (channel === undefined) return discordRoom.answer(room, call);
    if (headers['authorization'] !== 'Bot token-1')
      return { status: 401, body: { code: 0, message: '401: Unauthorized' } };
    if (channel === channelOf('forbidden/token'))
      return { status: 403, body: { code: 50001, message: 'Missing Access' } };
    const { message_reference: reference, nonce, enforce_nonce: isOnce, ...given } = JSON.parse(body);
    if (!isAccepted(given)) return { status: 400, body: { code: 50035, message: 'Invalid Form Body' } };
    if (method === 'PATCH') return edit(room, channel, id, given);
    if (nonce.length > 25) return { status: 400, body: { code: 50035, message: 'Invalid Form Body' } };
    const known = isOnce && room.messages.find((message) => message.nonce === nonce);
    const message =
      known || room.post(String(1_000_000 + room.messages.length), channel, given, reference?.message_id ?? null);
    message.nonce = nonce;
    return { status: 200, body: { ...given, id: message.id, channel_id: channel } };
  },
  group: (url, place) => ({ ...discordRoom.group(url, place), botToken: 'token-1' }),
};

function channelOf(place: string): string {
  return String(Buffer.from(place).reduce((sum, byte) => sum * 7 + byte, 0));
}

function edit(room: ChatRoom, place: string, id: string | undefined, given: Record<string, unknown>): RoomAnswer {
  const message = room.find(id ?? '', place);
  if (!message) return NOT_FOUND;
  room.edit(message, given);
  return { status: 200, body: { ...message.body, id: message.id } };
}

function isAccepted({ embeds }: { embeds?: { title?: string; description?: string }[] }): boolean {
  const [embed] = embeds ?? [];
  return embed?.title !== undefined && embed.title.length <= 256 && (embed.description ?? '').length <= 4_096;
}

const plain = (text: string): string => text.replaceAll('\\', '');
