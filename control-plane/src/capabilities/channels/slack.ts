import { cleanLine } from '@watchpost/shared/clean-line';
import type { AlertMessage } from './messages/alert-message.js';
import { defineChannel } from './channel.js';
import { webhookUrlField } from './content/field-kinds.js';
import { callSlack } from './sending/call-slack.js';
import { postJson } from './sending/post-json.js';
import { ACKNOWLEDGE_ACTION } from './presses/service-call.js';
import { slackPresses } from './presses/slack-presses.js';
import { escapeTags, shorten, TONE_ICONS } from './messages/chat-text.js';

/** The limits of Block Kit. */
const MAX = { header: 150, text: 3_000, field: 2_000, fields: 10 };

export const slack = defineChannel({
  type: 'slack',
  id: 'Slack',
  title: 'Slack',
  category: 'chat',
  article: 'a',
  fields: [
    webhookUrlField({
      isRequired: false,
      example: 'https://hooks.slack.com/services/T000/B000/XXXXXXXXXXXXXXXXXXXXXXXX',
      help: 'In Slack: Apps, Incoming Webhooks, Add to Slack. Messages by a webhook cannot be edited.',
    }),
    {
      name: 'botToken',
      title: 'Bot token',
      kind: 'secret',
      isRequired: false,
      example: 'xoxb-000000000000-XXXXXXXXXXXXXXXXXXXXXXXX',
      help: 'On the page of the Slack app: OAuth & Permissions, Bot User OAuth Token, with the scope chat:write.',
    },
    {
      name: 'channel',
      title: 'Channel',
      kind: 'text',
      isRequired: false,
      example: 'C0123456789',
      help: 'At the end of the details of the channel, in Slack. Invite the bot to the channel.',
    },
    {
      name: 'signingSecret',
      title: 'Signing secret',
      kind: 'secret',
      isRequired: false,
      example: '8f742231b10e8888abcd99yyyzzz85a5',
      help: 'For the button: on the page of the app, Basic Information. The Request URL of its Interactivity is `/api/v1/channels/slack/press/` and the id of this group.',
    },
  ],
  destination: ['channel', 'webhookUrl'],
  alternatives: [['webhookUrl'], ['webhookUrl', 'botToken'], ['botToken', 'channel']],
  isPersonal: false,
  outlet: 'webhook',
  // The URL of a stored address is masked already.
  mask: (address) => address,
  render: (message) => ({ text: null, body: slackMessage(message) }),
  send({ channels, destination: { fields = {} }, message, replyTo, nowMs }) {
    const body = slackMessage(message);
    const { webhookUrl, channel } = fields;
    if (channel === null) return postJson(channels, { url: String(webhookUrl), body }, nowMs);
    // What is good or bad news is shown in the channel too, not in the thread alone.
    const thread = replyTo && { thread_ts: replyTo['ts'], reply_broadcast: message.tone !== 'info' };
    return callSlack(channels, fields, 'chat.postMessage', { ...body, channel, ...thread }, nowMs);
  },
  edit: ({ channels, destination: { fields = {} }, message, nowMs }, { channel, ts }) =>
    callSlack(channels, fields, 'chat.update', { ...slackMessage(message), channel, ts }, nowMs),
  presses: slackPresses,
});

/**
 * Renders a message in Block Kit. Text of users is in `plain_text`, which has no markup; the notification text, which
 * Slack reads as markup, is escaped: without `<` there is no link, mention or channel.
 */
function slackMessage(message: AlertMessage): Record<string, unknown> {
  const plain = (text: string, most: number) => ({ type: 'plain_text', text: shorten(text, most), emoji: false });
  const title = `${TONE_ICONS[message.tone]} ${message.title}`;
  const buttons = [
    ...(message.button === undefined
      ? []
      : [{ action_id: ACKNOWLEDGE_ACTION, value: message.button, style: 'primary', text: plain('Acknowledge', 75) }]),
    ...message.links.map(({ label, url }) => ({ text: plain(label, 75), url })),
  ].map((button) => ({ type: 'button', ...button }));
  return {
    text: escapeTags(cleanLine(`${title}. ${message.sentences.join(' ')}`, 500)),
    mrkdwn: false,
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: 'header', text: plain(title, MAX.header) },
      ...(message.sentences.length === 0
        ? []
        : [{ type: 'section', text: plain(message.sentences.join('\n'), MAX.text) }]),
      ...(message.facts.length === 0
        ? []
        : [
            {
              type: 'section',
              fields: message.facts
                .slice(0, MAX.fields)
                .map(({ name, value }) => plain(`${name}\n${value}`, MAX.field)),
            },
          ]),
      ...(buttons.length === 0 ? [] : [{ type: 'actions', elements: buttons }]),
    ],
  };
}
