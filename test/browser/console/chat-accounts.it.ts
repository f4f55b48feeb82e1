import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { accessibilityFaults, describeInBrowser } from '../../support/browser.js';
import { startConsole, type ConsoleStage } from '../../support/console.js';
import { create } from '../../support/seed.js';
import { answer, startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.js';

describeInBrowser('chat accounts in the console (Chromium)', () => {
  let stage: ConsoleStage;
  let slack: WebhookReceiver;
  let page: Page;

  before(async () => {
    slack = await startWebhookReceiver();
    slack.always(answer(200, { 'content-type': 'application/json' }, '{"ok":true}'));
    stage = await startConsole({ env: { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8', SLACK_API_URL: slack.url } });
    ({ page } = await stage.visit(stage.app.owner, { path: '/settings/notifications' }));
  });
  after(async () => {
    await stage?.stop();
    await slack?.stop();
  });

  it('are linked by the code that a bot sends there, and unlinked', async () => {
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    await page.getByLabel('Chat', { exact: true }).selectOption('slack');
    await page.getByLabel('Account ID').fill(' U024BE7LH ');
    await button('Send a code').last().click();
    await page.getByText('no enabled Slack group of this workspace has a bot').waitFor();
    const group = { name: 'Team', webhookUrl: `${slack.url}/services/T/B/abcdefghijkl`, botToken: 'xoxb-1' };
    await create(stage.app.api, '/api/v1/action-groups/slack', group);
    await button('Send a code').last().click();
    await page.getByText('Slack U024BE7LH is not linked yet.').waitFor();
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    const code = /(\d{6}) is the code/.exec(slack.calls.at(-1)!.body)![1]!;
    await page.getByLabel('Code from the bot').fill(code);
    await button('Link').click();
    await page.getByText('U024BE7LH is linked.').waitFor();
    await button('Unlink Slack U024BE7LH').click();
    await page.getByText('U024BE7LH is linked.').waitFor({ state: 'detached' });
  });
});
