import type { ChatMessage, ChatRoom, ChatService, RoomAnswer } from './chat-room.js';

type Block = { type: string; text?: { text: string }; fields?: { text: string }[] };

const refused = (error: string): RoomAnswer => ({ status: 200, body: { ok: false, error } });
/** The channels to which the bot was invited. */
const CHANNELS: Readonly<Record<string, string>> = { one: 'C0000000001', two: 'C0000000002', three: 'C0000000003' };

/** The Web API of Slack, with a bot: https://docs.slack.dev/reference/methods/chat.postMessage. */
export const slackRoom: ChatService = {
  answer(room, { path, headers, body }) {
    if (headers['authorization'] !== 'Bearer xoxb-1') return refused('invalid_auth');
    const { channel, ts, thread_ts: parent, reply_broadcast: _, ...given } = JSON.parse(body);
    if (!Object.values(CHANNELS).includes(channel)) return refused('channel_not_found');
    if (given.blocks.length > 50 || given.blocks[0].text.text.length > 150) return refused('invalid_blocks');
    if (path === '/api/chat.update') return update(room, room.find(ts, channel), given);
    if (path !== '/api/chat.postMessage') return refused('unknown_method');
    const id = `1503435956.${String(room.messages.length).padStart(6, '0')}`;
    return posted(room.post(id, channel, given, parent ?? null));
  },
  shown: ({ body }) => {
    const [header, ...blocks] = body['blocks'] as [Block, ...Block[]];
    const facts = blocks.flatMap(({ fields = [] }) => fields.map(({ text }) => text.replace('\n', ': ')));
    const texts = [...blocks.flatMap(({ text }) => text?.text ?? []), ...facts];
    return { title: header.text!.text.replace(/^\S+ /, ''), text: texts.join('\n') };
  },
  group: (_url, place) => ({ botToken: 'xoxb-1', channel: CHANNELS[place] }),
};

function update(room: ChatRoom, message: ChatMessage | undefined, given: Record<string, unknown>): RoomAnswer {
  if (!message) return refused('message_not_found');
  room.edit(message, given);
  return posted(message);
}

function posted({ id, place, body }: ChatMessage): RoomAnswer {
  return { status: 200, body: { ok: true, channel: place, ts: id, message: body } };
}
