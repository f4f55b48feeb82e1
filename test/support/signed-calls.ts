import { createHash, createHmac, generateKeyPairSync, sign } from 'node:crypto';
import type { TestApp } from './app.js';
import type { ApiResponse } from './product.js';

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

/** A webhook (V3) of PagerDuty about an incident whose key is that of our event. */
export function pagerdutyEvent(
  secret: string,
  event_type: string,
  incidentKey: string,
  agent: object = { type: 'user_reference', summary: 'Jane Doe' },
): SignedCall {
  const data = { id: 'PGR0VU2', type: 'incident', incident_key: incidentKey, status: 'acknowledged' };
  const event = { id: `event-${++presses}`, event_type, resource_type: 'incident', agent, data };
  const body = JSON.stringify({ event });
  return { body, headers: { 'x-pagerduty-signature': `v1=${'0'.repeat(64)},v1=${hmac(secret, body)}` } };
}

/** An outgoing webhook of Jira Service Management about an alert whose alias is that of ours. */
export function jiraEvent(apiKey: string, action: string, alias: string, userId = 'daed1180'): SignedCall {
  const alert = { alertId: `alert-${++presses}`, alias, username: 'jane@example.com', userId, message: 'Down: Shop' };
  const body = JSON.stringify({ action, alert, source: { name: 'web', type: 'API' }, integrationName: 'Webhook' });
  const secret = createHash('sha256').update(apiKey).digest('hex');
  return { body, headers: { 'x-watchpost-secret': secret } };
}

export function callAsService(
  app: TestApp,
  kind: 'press' | 'events',
  { type, id }: { type: string; id: string },
  { body, headers }: SignedCall,
): Promise<ApiResponse> {
  return app.anonymous('POST', `/api/v1/channels/${type}/${kind}/${id}`, body, headers);
}

/** An account of Twilio, as the variables of an installation name it. */
export const TWILIO = {
  TWILIO_ACCOUNT_SID: 'AC123',
  TWILIO_AUTH_TOKEN: 's3cr3t',
  TWILIO_FROM: '+15005550006',
};

/** A request of Twilio to a URL of ours, signed as its documentation has it. */
export function twilioCall(
  url: string,
  form: Record<string, string>,
  authToken = TWILIO.TWILIO_AUTH_TOKEN,
): SignedCall {
  const names = Object.keys(form).toSorted();
  const signed = url + names.map((name) => name + form[name]).join('');
  return {
    body: new URLSearchParams(form).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': createHmac('sha1', authToken).update(signed).digest('base64'),
    },
  };
}
