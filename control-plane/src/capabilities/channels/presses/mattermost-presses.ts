import { z } from 'zod';
import { inert } from '../messages/chat-text.js';
import { escapeMarkdown } from '../messages/plain-text.js';
import { joinUrl } from '../sending/join-url.js';
import { judgeStatus } from '../sending/post-body.js';
import { isMessageId, type JsonRequest, jsonOf, postJson } from '../sending/post-json.js';
import type { SendOutcome } from '../../../platform/mail/send-outcome.js';
import { isSameSecret } from '../../../platform/identity/is-same-secret.js';
import { type Presses } from './service-call.js';

/** What a button of ours carries, which its server alone sees. */
const press = z.object({
  user_id: z.string(),
  context: z.object({ incidentId: z.string(), pressToken: z.string() }),
});

/** Integration actions, which the server sends with the context of the button and without a signature. */
export const mattermostPresses: Presses = {
  needs: ['pressToken', 'botToken', 'serverUrl'],
  isGenuine({ body }, { pressToken }) {
    const given = press.safeParse(jsonOf(body.toString())).data?.context.pressToken;
    return isSameSecret(given ?? '', String(pressToken));
  },
  read(body) {
    const { data } = press.safeParse(jsonOf(body.toString()));
    if (!data) return { press: null, answer: {} };
    return {
      press: { accountId: data.user_id, incidentId: data.context.incidentId },
      show: (sentence) => ({ ephemeral_text: plain(sentence) }),
    };
  },
  async sendTo(channels, { fields: { serverUrl, botToken } }, { accountId, text }, nowMs) {
    const headers = { authorization: `Bearer ${String(botToken)}` };
    /** Makes a request whose answer names something. */
    const idOf = async (path: string, request: Omit<JsonRequest, 'url'>): Promise<SendOutcome & { id?: string }> => {
      let id: unknown;
      const judge: JsonRequest['judge'] = (answer) => {
        ({ id } = jsonOf(answer.body));
        return judgeStatus(answer);
      };
      const url = joinUrl(String(serverUrl), `/api/v4${path}`);
      const outcome = await postJson(channels, { ...request, url, headers, judge }, nowMs);
      return isMessageId(id) ? { ...outcome, id } : outcome;
    };
    const bot = await idOf('/users/me', { method: 'GET' });
    if (bot.kind !== 'sent') return bot;
    const direct = await idOf('/channels/direct', { body: JSON.stringify([bot.id, accountId]) });
    if (direct.kind !== 'sent') return direct;
    return idOf('/posts', { body: { channel_id: direct.id, message: plain(text) } });
  },
};

/** Escapes Markdown, and mentions nobody. */
function plain(text: string): string {
  return escapeMarkdown(inert(text));
}
