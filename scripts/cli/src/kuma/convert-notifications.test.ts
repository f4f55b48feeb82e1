import { expect } from 'chai';
import { parse } from 'yaml';
import { backupFile } from './fixtures/kuma-files.js';
import { importUptimeKuma } from './import-uptime-kuma.js';

const NOON = Date.parse('2026-11-25T12:00Z');

/** The action group of a notification, or what is reported instead. */
async function groupOf(config: object, options: { appriseApiUrl?: string } = {}) {
  const row = { id: 1, name: 'Ops', active: 1, config: JSON.stringify(config) };
  const bytes = backupFile({ notification: [row] });
  const { document, report } = await importUptimeKuma(bytes, { nowMs: NOON, withSecrets: true, ...options });
  const { name: _, ...group } = parse(document).actionGroups?.ops ?? {};
  return { group, report: report.filter((line) => line.includes('"Ops"')) };
}

const KEY = 'a'.repeat(30);
const BOT = '123456789:AAEexampleexampleexample_01';
const TAKEN: readonly [config: object, group: object][] = [
  [
    { type: 'discord', discordWebhookUrl: 'https://discord.com/api/webhooks/1/a' },
    { type: 'discord', webhookUrl: 'https://discord.com/api/webhooks/1/a' },
  ],
  [
    { type: 'GoogleChat', googleChatWebhookURL: 'https://chat.googleapis.com/v1/spaces/A/messages?key=k' },
    { type: 'googleChat', webhookUrl: 'https://chat.googleapis.com/v1/spaces/A/messages?key=k' },
  ],
  [
    { type: 'mattermost', mattermostWebhookUrl: 'https://chat.example/hooks/a' },
    { type: 'mattermost', webhookUrl: 'https://chat.example/hooks/a' },
  ],
  [
    { type: 'rocket.chat', rocketwebhookURL: 'https://chat.example/hooks/a/b' },
    { type: 'rocketChat', webhookUrl: 'https://chat.example/hooks/a/b' },
  ],
  [
    { type: 'telegram', telegramBotToken: BOT, telegramChatID: '-1001', telegramMessageThreadID: '4' },
    { type: 'telegram', botToken: BOT, chatId: '-1001', topicId: '4' },
  ],
  [
    { type: 'matrix', homeserverUrl: 'https://m.example', internalRoomId: '!a:m.example', accessToken: 'syt_a' },
    { type: 'matrix', homeserverUrl: 'https://m.example', roomId: '!a:m.example', accessToken: 'syt_a' },
  ],
  [
    { type: 'ntfy', ntfyserverurl: 'https://ntfy.sh/', ntfytopic: 'ops', ntfyPriority: 5, ntfyaccesstoken: 'tk_a' },
    { type: 'ntfy', topicUrl: 'https://ntfy.sh/ops', priority: '5', token: 'tk_a' },
  ],
  [
    { type: 'pushover', pushoveruserkey: KEY, pushoverapptoken: KEY },
    { type: 'pushover', userKey: KEY, apiToken: KEY },
  ],
  [
    { type: 'gotify', gotifyserverurl: 'https://push.example', gotifyapplicationToken: 'A1' },
    { type: 'gotify', serverUrl: 'https://push.example', appToken: 'A1' },
  ],
  [
    { type: 'PagerDuty', pagerdutyIntegrationKey: 'f'.repeat(32) },
    { type: 'pagerduty', integrationKey: 'f'.repeat(32) },
  ],
  [
    { type: 'Opsgenie', opsgenieApiKey: 'k', opsgenieRegion: 'eu' },
    { type: 'jiraServiceManagement', apiKey: 'k', apiUrl: 'https://api.eu.opsgenie.com' },
  ],
];

describe('A notification of Uptime Kuma', () => {
  for (const [config, group] of TAKEN)
    it(`of the type ${(config as { type: string }).type} becomes an action group with its values`, async () => {
      expect(await groupOf(config)).to.deep.equal({ group, report: [] });
    });

  it('with a look of its own keeps its address, and loses that', async () => {
    const config = { type: 'discord', discordWebhookUrl: 'https://discord.com/api/webhooks/1/a', discordUsername: 'K' };
    const { group, report } = await groupOf(config);
    expect(group).to.include({ type: 'discord' });
    expect(report).to.deep.equal([
      'notification "Ops": has the name, the text and the place of its service and of Watchpost',
    ]);
  });

  it('without a value that its service needs is reported with what it lacks', async () => {
    const { group, report } = await groupOf({ type: 'telegram', telegramBotToken: BOT });
    expect(group).to.deep.equal({});
    expect(report.join()).to.include('it has no chat id as telegram needs it; 0 monitors had it');
  });

  it('of a service that Apprise reaches is sent by the given server, and reported without one', async () => {
    const config = {
      type: 'signal',
      signalURL: 'https://signal.example:8080/v2/send',
      signalNumber: '+35387',
      signalRecipients: '+1, +2',
    };
    expect((await groupOf(config)).report.join()).to.include('signal is reached by Apprise: give its server by');
    const appriseApiUrl = 'https://apprise.example';
    const { group } = await groupOf(config, { appriseApiUrl });
    expect(group).to.deep.equal({
      type: 'apprise',
      apiUrl: appriseApiUrl,
      urls: 'signals://signal.example:8080/%2B35387/%2B1/%2B2',
    });
    const own = await groupOf({ type: 'apprise', appriseURL: 'mailto://a:b@c.example' }, { appriseApiUrl });
    expect(own.group['urls']).to.equal('mailto://a:b@c.example');
    const lacking = await groupOf({ type: 'line', lineUserID: 'u' }, { appriseApiUrl });
    expect(lacking.report.join()).to.include('it has not all values that Apprise needs for line');
  });

  it('of any other service is reported by its name', async () => {
    expect((await groupOf({ type: 'squadcast' })).report.join()).to.include('there is no channel for squadcast');
  });
});
