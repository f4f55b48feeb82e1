import { z } from 'zod';
import { inert, shorten } from '../messages/chat-text.js';
import { judgeReason } from '../sending/judge-reason.js';
import type { PostAnswer } from '../sending/post-body.js';
import { jsonOf, postJson } from '../sending/post-json.js';
import type { SendOutcome } from '../../../platform/mail/send-outcome.js';
import { isSameSecret } from '../../../platform/identity/is-same-secret.js';
import { derivedSecret } from './make-secrets.js';
import { ACKNOWLEDGE_ACTION, headerOf, pressUrl, type Presses } from './service-call.js';

const MOST_SHOWN = 200;
const WORDS: readonly [RegExp, string][] = [
  [/initiate conversation|chat not found/i, 'The bot may write only to people who have written to it before.'],
  [/blocked/i, 'The person has blocked the bot.'],
  [/webhook|HTTPS|resolve host/i, 'Telegram cannot call this installation, so the button would not work.'],
];

const update = z.object({
  callback_query: z.object({
    id: z.string(),
    from: z.object({ id: z.int() }),
    data: z.string().startsWith(`${ACKNOWLEDGE_ACTION}:`),
  }),
});

/** Callback queries of a bot. Its webhook, which one bot has once, is set with the first code that it sends. */
export const telegramPresses: Presses = {
  needs: ['botToken'],
  isGenuine: (call, { botToken }) =>
    isSameSecret(headerOf(call, 'x-telegram-bot-api-secret-token'), derivedSecret(botToken)),
  read(body) {
    const query = update.safeParse(jsonOf(body.toString())).data?.callback_query;
    if (!query) return { press: null, answer: {} };
    return {
      press: { accountId: String(query.from.id), incidentId: query.data.slice(ACKNOWLEDGE_ACTION.length + 1) },
      show: (sentence) => ({
        method: 'answerCallbackQuery',
        callback_query_id: query.id,
        text: shorten(sentence, MOST_SHOWN),
        show_alert: true,
      }),
    };
  },
  async sendTo(channels, { id, fields: { botToken } }, { accountId, text }, nowMs) {
    const call = (method: string, body: Record<string, unknown>) =>
      postJson(
        channels,
        { url: { service: 'TELEGRAM_API_URL', path: `/bot${String(botToken)}/${method}` }, body, judge },
        nowMs,
      );
    const set = await call('setWebhook', {
      url: pressUrl(channels.baseUrl, 'telegram', id),
      secret_token: derivedSecret(botToken),
      allowed_updates: ['callback_query'],
    });
    return set.kind === 'sent' ? call('sendMessage', { chat_id: accountId, text: inert(text) }) : set;
  },
};

function judge(answer: PostAnswer): SendOutcome {
  const reason = String(jsonOf(answer.body)['description']);
  return judgeReason(answer, { words: WORDS.find(([pattern]) => pattern.test(reason))?.[1] });
}
