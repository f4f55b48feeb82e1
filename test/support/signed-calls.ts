import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import type { TestApp } from './app.js';
import type { ApiResponse } from './product.js';

/** A call of a service: its body, and the headers that prove it. */
export interface SignedCall {
  body: string;
  headers: Record<string, string>;
}

let presses = 0;

const hmac = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex');
const seconds = (nowMs: number) => String(Math.floor(nowMs / 1_000));

/** A press of the button in Slack. Each has a `trigger_id` of its own, as Slack's have. */
export function slackPress(
  signingSecret: string,
  nowMs: number,
  { user, incidentId, answerTo = 'https://hooks.slack.test/actions' }: Record<string, string>,
): SignedCall {
  const payload = {
    type: 'block_actions',
    trigger_id: `press-${++presses}`,
    user: { id: user, team_id: 'T1' },
    actions: [{ type: 'button', action_id: 'acknowledge', value: incidentId }],
    response_url: answerTo,
  };
  return slackCall(signingSecret, nowMs, payload);
}

export function slackCall(signingSecret: string, nowMs: number, payload: object): SignedCall {
  const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
  return {
    body,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-slack-request-timestamp': seconds(nowMs),
      'x-slack-signature': `v0=${hmac(signingSecret, `v0:${seconds(nowMs)}:${body}`)}`,
    },
  };
}

/** The keys of a Discord application. */
export function discordKeys() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return { privateKey, publicKey: publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('hex') };
}

export function discordCall(
  { privateKey }: Pick<ReturnType<typeof discordKeys>, 'privateKey'>,
  nowMs: number,
  interaction: object,
): SignedCall {
  const body = JSON.stringify({ id: `press-${++presses}`, ...interaction });
  const signature = sign(null, Buffer.from(seconds(nowMs) + body), privateKey).toString('hex');
  return { body, headers: { 'x-signature-timestamp': seconds(nowMs), 'x-signature-ed25519': signature } };
}

/** A press of the button in Discord, in the channel of a server. */
export const discordPress = (keys: ReturnType<typeof discordKeys>, nowMs: number, user: string, incidentId: string) =>
  discordCall(keys, nowMs, {
    type: 3,
    member: { user: { id: user } },
    data: { component_type: 2, custom_id: `acknowledge:${incidentId}` },
  });

/** Calls the URL of a group as its service does. */
export function callAsService(
  app: TestApp,
  kind: 'press' | 'events',
  { type, id }: { type: string; id: string },
  { body, headers }: SignedCall,
): Promise<ApiResponse> {
  return app.anonymous('POST', `/api/v1/channels/${type}/${kind}/${id}`, body, headers);
}
