import type { AlertMessage } from './messages/alert-message.js';
import { defineChannel, type Sending } from './channel.js';
import { inert, shorten, TONE_ICONS } from './messages/chat-text.js';
import { ACKNOWLEDGE_ACTION } from './presses/service-call.js';
import { telegramPresses } from './presses/telegram-presses.js';
import { judgeReason } from './sending/judge-reason.js';
import type { PostAnswer } from './sending/post-body.js';
import { jsonOf, postJson } from './sending/post-json.js';
import type { SendOutcome } from '../../platform/mail/send-outcome.js';

type Body = Record<string, unknown>;

/** All texts together have at most 4,096 characters. */
const MAX = { title: 250, text: 1_600, facts: 10, name: 40, value: 160, links: 3, label: 60 };

/** What the descriptions of errors mean; the API has no other codes. */
const WORDS: readonly [RegExp, string][] = [
  [/chat not found|PEER_ID_INVALID/i, 'There is no such chat, or the bot is not in it.'],
  [/kicked|blocked|not a member|deactivated/i, 'The bot was removed from the chat, or is blocked there.'],
  [/rights|CHAT_WRITE_FORBIDDEN|RESTRICTED/i, 'The bot may not write in the chat.'],
  [/thread not found|TOPIC/i, 'The chat has no such topic.'],
  [/^Unauthorized|^Not Found/i, 'Telegram does not know the bot token.'],
];
const UNCHANGED = /message is not modified/i;

export const telegram = defineChannel({
  type: 'telegram',
  id: 'Telegram',
  title: 'Telegram',
  category: 'chat',
  article: 'a',
  fields: [
    {
      name: 'botToken',
      title: 'Bot token',
      kind: 'secret',
      pattern: { is: /^\d{3,20}:[\w-]{20,100}$/, fault: 'must be a token as @BotFather gives it, such as 123456:AA…' },
      example: '123456789:AAEexampleexampleexampleexample_01',
      help: 'In Telegram: write /newbot to @BotFather, who answers with the token. Then add the bot to the chat.',
    },
    {
      name: 'chatId',
      title: 'Chat ID',
      kind: 'text',
      pattern: { is: /^(?:-?\d{1,20}|@\w{4,32})$/, fault: 'must be a number, or @ and the name of a public channel' },
      example: '-1001234567890',
      help: 'The number of the chat: write to the bot there, and see chat.id at https://api.telegram.org/bot<token>/getUpdates. Those of groups begin with a minus.',
    },
    {
      name: 'topicId',
      title: 'Topic ID',
      kind: 'text',
      isRequired: false,
      pattern: { is: /^\d{1,15}$/, fault: 'must be a number' },
      example: '42',
      help: 'Of a group with topics: the number before the last one in the link to a message of the topic.',
    },
  ],
  presses: telegramPresses,
  destination: 'chatId',
  isPersonal: false,
  outlet: 'webhook',
  mask: (address) => address,
  render: (message) => ({ text: null, body: telegramBody(message) }),
  send(sending) {
    const { destination, message, replyTo } = sending;
    const topicId = destination.fields?.['topicId'];
    return call(sending, 'sendMessage', {
      ...telegramBody(message),
      ...(topicId ? { message_thread_id: Number(topicId) } : {}),
      ...(replyTo && {
        reply_parameters: { message_id: Number(replyTo['messageId']), allow_sending_without_reply: true },
      }),
    });
  },
  edit: (sending, { messageId }) =>
    call(sending, 'editMessageText', { ...telegramBody(sending.message), message_id: Number(messageId) }),
});

/** Calls a method for the chat of the group, or for the one that it has become: a group may be made a supergroup. */
async function call(
  sending: Sending,
  method: string,
  body: Body,
  chatId = sending.destination.fields?.['chatId'],
): Promise<SendOutcome> {
  const { channels, destination, nowMs } = sending;
  // The token is in the URL, which is never logged nor part of an outcome.
  const path = `/bot${String(destination.fields?.['botToken'])}/${method}`;
  let movedTo: unknown;
  const outcome = await postJson(
    channels,
    {
      url: { service: 'TELEGRAM_API_URL', path },
      body: { chat_id: chatId, ...body },
      judge(answer) {
        movedTo = parametersOf(answer)['migrate_to_chat_id'];
        return judge(answer);
      },
    },
    nowMs,
  );
  if (!Number.isSafeInteger(movedTo) || chatId === movedTo) return outcome;
  const there = await call(sending, method, body, movedTo);
  return { ...there, answer: `${there.answer} The chat has another ID now: ${movedTo as number}.` };
}

const parametersOf = ({ body }: PostAnswer) => ({ ...(jsonOf(body)['parameters'] as Body | undefined) });

function judge(answer: PostAnswer): SendOutcome {
  const { description, result } = jsonOf(answer.body);
  const described = String(description);
  // The answer to the first attempt was lost.
  if (UNCHANGED.test(described))
    return { kind: 'sent', statusCode: answer.statusCode, answer: 'It shows this already.' };
  const retryAfter = parametersOf(answer)['retry_after'];
  const outcome = judgeReason(answer, {
    words: WORDS.find(([pattern]) => pattern.test(described))?.[1],
    retryAfterMs: typeof retryAfter === 'number' ? retryAfter * 1_000 : undefined,
  });
  const messageId = (result as { message_id?: unknown } | undefined)?.message_id;
  return outcome.kind === 'sent' && Number.isSafeInteger(messageId)
    ? { ...outcome, handle: { messageId: String(messageId) } }
    : outcome;
}

/**
 * Renders a message as text with entities: unlike in HTML and Markdown, text of users needs no escapes and can become no
 * markup.
 */
export function telegramBody({ tone, title, sentences, facts, links, button }: AlertMessage): Body {
  let text = '';
  const entities: Body[] = [];
  const add = (part: string, entity?: Body) => {
    if (entity) entities.push({ ...entity, offset: text.length, length: part.length });
    text += part;
  };
  add(shorten(inert(`${TONE_ICONS[tone]} ${title}`), MAX.title), { type: 'bold' });
  if (sentences.length > 0) add(`\n${shorten(inert(sentences.join('\n')), MAX.text)}`);
  if (facts.length > 0) add('\n');
  for (const { name, value } of facts.slice(0, MAX.facts)) {
    add('\n');
    add(`${shorten(inert(name), MAX.name)}:`, { type: 'italic' });
    add(` ${shorten(inert(value), MAX.value)}`);
  }
  links.slice(0, MAX.links).forEach(({ label, url }, index) => {
    add(index === 0 ? '\n\n' : ' · ');
    add(shorten(label, MAX.label), { type: 'text_link', url });
  });
  return {
    text,
    entities,
    link_preview_options: { is_disabled: true },
    // Without it, an edit removes the button.
    ...(button !== undefined && {
      reply_markup: { inline_keyboard: [[{ text: 'Acknowledge', callback_data: `${ACKNOWLEDGE_ACTION}:${button}` }]] },
    }),
  };
}
