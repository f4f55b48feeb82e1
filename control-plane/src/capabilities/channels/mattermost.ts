import type { AlertMessage } from './messages/alert-message.js';
import { defineChannel, type Sending } from './channel.js';
import { webhookUrlField } from './content/field-kinds.js';
import { inert, shorten, TONE_COLOURS, TONE_ICONS } from './messages/chat-text.js';
import { escapeMarkdown } from './messages/plain-text.js';
import { mattermostPresses } from './presses/mattermost-presses.js';
import { ACKNOWLEDGE_ACTION, pressUrl } from './presses/service-call.js';
import { joinUrl } from './sending/join-url.js';
import { judgeReason } from './sending/judge-reason.js';
import type { PostAnswer } from './sending/post-body.js';
import { isMessageId, jsonOf, postJson } from './sending/post-json.js';
import type { SendOutcome } from '../../platform/mail/send-outcome.js';

type Body = Record<string, unknown>;

/** Longer attachments are collapsed. */
const MAX = { title: 250, text: 2_000, facts: 10, name: 60, value: 200 };

const WORDS: readonly [RegExp, string][] = [
  [/session_expired|invalid_token|401/, 'The bot token is not valid.'],
  [/permissions/, 'The bot may not write in the channel: add it to the team and the channel.'],
  [/channel/, 'There is no such channel.'],
  [/web_hook/, 'There is no such webhook.'],
];

export const mattermost = defineChannel({
  type: 'mattermost',
  id: 'Mattermost',
  title: 'Mattermost',
  category: 'chat',
  article: 'a',
  fields: [
    webhookUrlField({
      isRequired: false,
      example: 'https://mattermost.example.com/hooks/xxxxxxxxxxxxxxxxxxxxxxxxxx',
      help: 'In Mattermost: Integrations, Incoming Webhooks, Add. Messages of a webhook stay as they are; those of a bot are edited.',
    }),
    {
      name: 'serverUrl',
      title: 'Server URL',
      kind: 'url',
      isRequired: false,
      example: 'https://mattermost.example.com',
      help: 'The address of the server as in the browser, for a bot in place of a webhook.',
    },
    {
      name: 'botToken',
      title: 'Bot token',
      kind: 'secret',
      isRequired: false,
      pattern: { is: /^[\x21-\x7e]+$/, fault: 'must be ASCII without spaces' },
      example: 'xxxxxxxxxxxxxxxxxxxxxxxxxx',
      help: 'In Mattermost: Integrations, Bot Accounts, Add Bot Account. Then add the bot to the team and the channel.',
    },
    {
      name: 'channelId',
      title: 'Channel ID',
      kind: 'text',
      isRequired: false,
      pattern: { is: /^[a-z0-9]{26}$/, fault: 'must be the ID of a channel: 26 lower-case letters and digits' },
      example: '4xp9fdt77pncbef59f4k1qe83o',
      help: 'In Mattermost: the menu of the channel, View Info, below the purpose.',
    },
    {
      name: 'pressToken',
      title: 'Press token',
      kind: 'secret',
      isRequired: false,
      example: 'a long random text',
      help: 'A random text of your own, of which only the server of the bot learns: it proves that a button was pressed there.',
    },
  ],
  presses: mattermostPresses,
  alternatives: [['webhookUrl'], ['serverUrl', 'botToken', 'channelId', 'pressToken']],
  destination: ['webhookUrl', 'channelId'],
  isPersonal: false,
  outlet: 'webhook',
  // The URL of a webhook is masked already.
  mask: (address) => address,
  render: (message) => ({ text: null, body: { attachments: [attachmentOf(message)] } }),
  send(sending) {
    const { channels, destination, id, message, replyTo, nowMs } = sending;
    const { webhookUrl, channelId } = destination.fields ?? {};
    const attachments = [attachmentOf(message, buttonOf(sending))];
    if (typeof webhookUrl === 'string')
      return postJson(channels, { url: webhookUrl, body: { attachments }, judge }, nowMs);
    return callBot(sending, 'POST', '/api/v4/posts', {
      channel_id: channelId,
      message: '',
      props: { attachments },
      // For a while the server takes all attempts with one id as one.
      pending_post_id: id,
      ...(replyTo && { root_id: replyTo['messageId'] }),
    });
  },
  edit: (sending, { messageId }) =>
    callBot(sending, 'PUT', `/api/v4/posts/${messageId}/patch`, {
      message: '',
      props: { attachments: [attachmentOf(sending.message, buttonOf(sending))] },
    }),
});

function callBot(
  { channels, destination: { fields = {} }, nowMs }: Sending,
  method: 'POST' | 'PUT',
  path: string,
  body: Body,
): Promise<SendOutcome> {
  const { serverUrl, botToken } = fields;
  const headers = { authorization: `Bearer ${String(botToken)}` };
  return postJson(channels, { method, url: joinUrl(String(serverUrl), path), headers, body, judge }, nowMs);
}

function judge(answer: PostAnswer): SendOutcome {
  const { id } = jsonOf(answer.body);
  const outcome = judgeReason(answer, { code: id, words: WORDS.find(([pattern]) => pattern.test(String(id)))?.[1] });
  return outcome.kind === 'sent' && isMessageId(id) ? { ...outcome, handle: { messageId: id } } : outcome;
}

/** The button of a message, whose context the server sends with a press and shows to nobody. */
function buttonOf({ channels, destination: { fields = {}, groupId = '' }, message: { button } }: Sending): Body {
  if (button === undefined) return {};
  const url = pressUrl(channels.baseUrl, 'mattermost', groupId);
  const context = { incidentId: button, pressToken: fields['pressToken'] };
  return { actions: [{ id: ACKNOWLEDGE_ACTION, name: 'Acknowledge', type: 'button', integration: { url, context } }] };
}

/** Renders a message as an attachment. All its texts are Markdown, in which text of users is escaped and mentions nobody. */
function attachmentOf({ tone, title, sentences, facts, links }: AlertMessage, more: Body = {}): Body {
  const escaped = (text: string, most: number) => escapeMarkdown(inert(shorten(text, most)));
  const heading = `${TONE_ICONS[tone]} ${title}`;
  return {
    fallback: inert(shorten(heading, MAX.title)),
    color: TONE_COLOURS[tone],
    text: [
      `**${escaped(heading, MAX.title)}**`,
      ...(sentences.length === 0 ? [] : [escaped(sentences.join('\n'), MAX.text)]),
      ...(links.length === 0 ? [] : [links.map(({ label, url }) => `[${label}](${url})`).join(' · ')]),
    ].join('\n'),
    fields: facts.slice(0, MAX.facts).map(({ name, value }) => ({
      title: escaped(name, MAX.name),
      value: escaped(value, MAX.value),
      short: value.length <= 40,
    })),
    ...more,
  };
}
