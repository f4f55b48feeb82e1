import { textOf, type Row } from '../import/rows.js';

/** A field of an action group, made of the configuration of a notification. */
export interface ChannelField {
  /** null: it is not given. */
  value(config: Row): string | null;
  /** What the value has to look like; without it, a URL of http:// or https://. */
  is?: RegExp;
  isSecret: boolean;
  isOptional?: boolean;
}

export interface ChannelRule {
  /** Of the action group. */
  type: string;
  fields: Readonly<Record<string, ChannelField>>;
  /** Settings that have no equivalent. */
  lost?: readonly string[];
}

const TOKEN = /^[\x21-\x7e]{1,500}$/;
const secret = (from: string, is = TOKEN): ChannelField => ({ value: (row) => textOf(row, from), is, isSecret: true });
const text = (from: string, is: RegExp): ChannelField => ({ value: (row) => textOf(row, from), is, isSecret: false });
const url = (from: string): ChannelField => ({ value: (row) => textOf(row, from), isSecret: false });
const hook = (from: string): Readonly<Record<string, ChannelField>> => ({
  webhookUrl: { ...url(from), isSecret: true },
});
const optional = (field: ChannelField): ChannelField => ({ ...field, isOptional: true });

/** What becomes of notifications by their type in Uptime Kuma, where their service is a channel of Watchpost. */
export const CHANNEL_RULES: Readonly<Record<string, ChannelRule>> = {
  slack: {
    type: 'slack',
    fields: hook('slackwebhookURL'),
    lost: ['slackchannel', 'slackusername', 'slackiconemo', 'slackTemplate', 'slackbutton'],
  },
  teams: { type: 'teams', fields: hook('webhookUrl') },
  discord: {
    type: 'discord',
    fields: hook('discordWebhookUrl'),
    lost: ['discordUsername', 'discordPrefixMessage', 'discordMessageTemplate', 'threadId', 'postName'],
  },
  GoogleChat: { type: 'googleChat', fields: hook('googleChatWebhookURL'), lost: ['googleChatTemplate'] },
  mattermost: {
    type: 'mattermost',
    fields: hook('mattermostWebhookUrl'),
    lost: ['mattermostchannel', 'mattermostusername', 'mattermosticonemo', 'mattermosticonurl'],
  },
  'rocket.chat': {
    type: 'rocketChat',
    fields: hook('rocketwebhookURL'),
    lost: ['rocketchannel', 'rocketusername', 'rocketiconemo', 'rocketbutton'],
  },
  telegram: {
    type: 'telegram',
    fields: {
      botToken: secret('telegramBotToken', /^\d{3,20}:[\w-]{20,100}$/),
      chatId: text('telegramChatID', /^(?:-?\d{1,20}|@\w{4,32})$/),
      topicId: optional(text('telegramMessageThreadID', /^\d{1,15}$/)),
    },
    lost: ['telegramTemplate', 'telegramServerUrl'],
  },
  matrix: {
    type: 'matrix',
    fields: {
      homeserverUrl: url('homeserverUrl'),
      roomId: text('internalRoomId', /^![^\s/?#]{1,254}$/),
      accessToken: secret('accessToken'),
    },
    lost: ['matrixTemplate'],
  },
  ntfy: {
    type: 'ntfy',
    fields: {
      topicUrl: { ...url(''), value: ntfyTopic, is: /^https?:\/\/[^?#]+\/[-_A-Za-z0-9]{1,64}$/, isSecret: true },
      token: optional(secret('ntfyaccesstoken')),
      priority: optional(text('ntfyPriority', /^[1-5]$/)),
    },
    lost: ['ntfyusername', 'ntfyIcon', 'ntfyCall', 'ntfyCustomTitle', 'ntfyCustomMessage'],
  },
  pushover: {
    type: 'pushover',
    fields: {
      userKey: secret('pushoveruserkey', /^[A-Za-z0-9]{30}$/),
      apiToken: secret('pushoverapptoken', /^[A-Za-z0-9]{30}$/),
      device: optional(text('pushoverdevice', /^[A-Za-z0-9_-]{1,25}(,[A-Za-z0-9_-]{1,25})*$/)),
    },
    lost: ['pushovertitle', 'pushoversounds', 'pushoverpriority'],
  },
  gotify: {
    type: 'gotify',
    fields: { serverUrl: url('gotifyserverurl'), appToken: secret('gotifyapplicationToken') },
    lost: ['gotifyPriority'],
  },
  PagerDuty: {
    type: 'pagerduty',
    fields: { integrationKey: secret('pagerdutyIntegrationKey', /^[A-Za-z0-9]{32}$/) },
    lost: ['pagerdutyPriority'],
  },
  Opsgenie: {
    type: 'jiraServiceManagement',
    fields: { apiKey: secret('opsgenieApiKey'), apiUrl: { ...url(''), value: opsgenieUrl } },
    lost: ['opsgeniePriority'],
  },
};

function ntfyTopic(config: Row): string | null {
  const [server, topic] = [textOf(config, 'ntfyserverurl'), textOf(config, 'ntfytopic')];
  return server === null || topic === null ? null : `${server.replace(/\/+$/, '')}/${topic}`;
}

function opsgenieUrl(config: Row): string {
  return textOf(config, 'opsgenieRegion') === 'eu' ? 'https://api.eu.opsgenie.com' : 'https://api.opsgenie.com';
}
