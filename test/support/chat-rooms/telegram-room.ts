import type { ChatService, RoomAnswer } from './chat-room.js';

const TOKEN = '123456789:AAEexampleexampleexampleexample_01';
const CHATS: Readonly<Record<string, string>> = { one: '-1001', two: '-1002', three: '-1003' };

const refused = (description: string): RoomAnswer => ({
  status: 400,
  body: { ok: false, error_code: 400, description: `Bad Request: ${description}` },
});

/** The Bot API of Telegram: https://core.telegram.org/bots/api#sendmessage. */
export const telegramRoom: ChatService = {
  answer(room, { path, body }) {
    const method = path.startsWith(`/bot${TOKEN}/`) ? path.slice(TOKEN.length + 5) : '';
    const { chat_id: chat, message_id: id, reply_parameters: reply, ...given } = JSON.parse(body);
    if (!Object.values(CHATS).includes(chat)) return refused('chat not found');
    if (method === 'sendMessage') {
      const parent = reply && room.find(String(reply.message_id), chat);
      if (reply && !parent && !reply.allow_sending_without_reply) return refused('message to be replied not found');
      return taken(room.post(String(1_000 + room.messages.length), chat, given, parent?.id ?? null).id);
    }
    if (method !== 'editMessageText') return { status: 404, body: { ok: false, description: 'Not Found' } };
    const message = room.find(String(id), chat);
    if (!message) return refused('message to edit not found');
    if (message.body['text'] === given.text) return refused('message is not modified');
    room.edit(message, given);
    return taken(message.id);
  },
  shown({ body }) {
    const [title, ...lines] = String(body['text']).split('\n');
    return { title: title!.replace(/^\S+ /, ''), text: lines.join('\n').trim() };
  },
  group: (_url, place) => ({ botToken: TOKEN, chatId: CHATS[place] }),
};

const taken = (id: string): RoomAnswer => ({ status: 200, body: { ok: true, result: { message_id: Number(id) } } });
