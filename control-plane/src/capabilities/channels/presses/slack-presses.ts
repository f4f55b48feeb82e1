import { z } from 'zod';
import { callSlack } from '../sending/call-slack.js';
import { jsonOf, postJson } from '../sending/post-json.js';
import { isSameSecret } from '../../../platform/identity/is-same-secret.js';
import { hmacHex } from './make-secrets.js';
import { ACKNOWLEDGE_ACTION, headerOf, isRecent, type Presses } from './service-call.js';

const blockActions = z.object({
  type: z.literal('block_actions'),
  user: z.object({ id: z.string() }),
  actions: z.tuple([z.object({ action_id: z.literal(ACKNOWLEDGE_ACTION), value: z.string() })]),
  response_url: z.url(),
});

/** Interactivity of a Slack app. The answer to a press shows nothing: what the person reads is posted to `response_url`. */
export const slackPresses: Presses = {
  needs: ['signingSecret'],
  isGenuine(call, { signingSecret }) {
    const at = headerOf(call, 'x-slack-request-timestamp');
    const signature = `v0=${hmacHex(signingSecret, `v0:${at}:`, call.body)}`;
    return isSameSecret(headerOf(call, 'x-slack-signature'), signature) && isRecent(at, call.nowMs);
  },
  read(body) {
    const payload = new URLSearchParams(body.toString()).get('payload') ?? '';
    const { data } = blockActions.safeParse(jsonOf(payload));
    if (!data) return { press: null, answer: {} };
    return {
      press: { accountId: data.user.id, incidentId: data.actions[0].value },
      async show(sentence, channels, nowMs) {
        const body = { response_type: 'ephemeral', replace_original: false, ...plain(sentence) };
        // A sentence that does not arrive is not missed: the message shows who acknowledged.
        await postJson(channels, { url: data.response_url, body }, nowMs);
        return {};
      },
    };
  },
  sendTo: (channels, { fields }, { accountId, text }, nowMs) =>
    callSlack(channels, fields, 'chat.postMessage', { channel: accountId, ...plain(text) }, nowMs),
};

/** Text in `plain_text`, which has no markup. */
function plain(text: string): Record<string, unknown> {
  return {
    text: 'A message of Watchpost',
    blocks: [{ type: 'section', text: { type: 'plain_text', text, emoji: false } }],
  };
}
