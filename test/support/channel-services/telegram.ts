import type { Json } from '../product.js';
import { type ChannelService, demand, inertText, jsonOf, type Place, textWithin } from './channel-service.js';

const CHATS: Readonly<Partial<Record<Place, string>>> = { one: '-1001234567890', two: '-1002', three: '-1003' };

const refused = (status: number, description: string, parameters?: object) => ({
  status,
  body: JSON.stringify({ ok: false, error_code: status, description, parameters }),
});

/** `sendMessage` and `editMessageText` of the Bot API, with entities. */
export const telegram: ChannelService = {
  variable: 'TELEGRAM_API_URL',
  group: (_url, place = 'one') => ({
    ...{ botToken: '123456789:AAEexampleexampleexampleexample_01', chatId: CHATS[place], topicId: '42' },
  }),
  read(call) {
    const method = /^\/bot123456789:AAE\w+\/(sendMessage|editMessageText)$/.exec(call.path)?.[1];
    demand(method, 'there is no such method, or the token is wrong');
    const {
      chat_id: chat,
      message_thread_id: topic,
      text,
      entities,
      link_preview_options: preview,
      ...rest
    } = jsonOf(call);
    demand(Object.values(CHATS).includes(chat), 'there is no such chat');
    demand(rest.parse_mode === undefined, 'text of users is parsed');
    demand(preview.is_disabled, 'links are previewed');
    textWithin(text, 4_096, 'the text');
    demand(entities.length <= 100, 'there are too many entities');
    const links: string[] = [];
    let plain = text as string;
    for (const { type, offset, length, url } of entities as Json[]) {
      demand(['bold', 'italic', 'text_link'].includes(type), `there are no entities ${type}`);
      demand(length > 0 && offset >= 0 && offset + length <= text.length, 'an entity is outside of the text');
      for (const at of [offset, offset + length])
        demand(!/^[\udc00-\udfff]/.test(text.slice(at)), 'an entity begins or ends inside a character');
      if (type !== 'text_link') continue;
      links.push(new URL(url).href);
      plain = plain.slice(0, offset) + ' '.repeat(length) + plain.slice(offset + length);
    }
    const seen = { text: inertText(plain), links, place: chat as string };
    if (method === 'editMessageText') return { ...seen, edits: rest.message_id as number };
    demand(topic === 42, 'there is no such topic');
    const reply: Json = rest.reply_parameters;
    demand(!reply || reply.allow_sending_without_reply, 'a reply is lost with the message that it answers');
    return { ...seen, ...(reply && { replyTo: reply.message_id as number }) };
  },
  taken: (number) => ({ status: 200, body: JSON.stringify({ ok: true, result: { message_id: number } }) }),
  busy: (seconds) => refused(429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds }),
  gone: refused(400, 'Bad Request: message to edit not found'),
  unchanged: refused(400, 'Bad Request: message is not modified'),
  refusal: {
    answer: refused(400, 'Bad Request: chat not found'),
    shown: 'Answered 400 Bad Request. There is no such chat, or the bot is not in it.',
  },
};
