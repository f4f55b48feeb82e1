import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { accessibilityFaults, describeInBrowser } from '../../support/browser.js';
import { startConsole, type ConsoleStage } from '../../support/console.js';
import { create } from '../../support/seed.js';
import { answer, startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.js';

describeInBrowser('own rules and contact methods in the console (Chromium)', () => {
  let stage: ConsoleStage;
  let ntfy: WebhookReceiver;
  let page: Page;

  before(async () => {
    ntfy = await startWebhookReceiver();
    ntfy.always(answer(200, { 'content-type': 'application/json' }, '{"id":"1"}'));
    stage = await startConsole({ env: { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' } });
    ({ page } = await stage.visit(stage.app.owner, { path: '/settings/notifications' }));
  });
  after(async () => {
    await stage?.stop();
    await ntfy?.stop();
  });

  const me = async () =>
    (await stage.app.api('GET', `/api/v1/workspaces/${stage.app.owner.workspaceId}/members/me`)).body;
  const button = (name: string) => page.getByRole('button', { name, exact: true });

  it('are proven by a code, named by rules, and refused beside the rule that needs one', async () => {
    await page.getByLabel('Page me by my own rules').check();
    await page.getByLabel('Rule 1: by').selectOption('ntfy');
    await button('Save').click();
    await page.getByText('needs one of your').first().waitFor();

    const topic = `${ntfy.url}/ann-a1B2c3D4e5F6`;
    await page.getByLabel('Service', { exact: true }).selectOption('ntfy');
    await page.getByLabel('Address', { exact: true }).fill(topic);
    await page.getByRole('button', { name: 'Send a code' }).first().click();
    await page.getByText(`ntfy ${topic} is not confirmed yet.`).waitFor();
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    await page.getByLabel('Code from the message').fill(/(\d{6}) is your code/.exec(ntfy.calls.at(-1)!.body)![1]!);
    await button('Confirm').click();
    await page.getByText(`${topic} is confirmed.`).waitFor();

    await button('Add a rule').click();
    await page.getByLabel('Rule 2: by').selectOption('email');
    await page.getByLabel('Remind me of my shifts').uncheck();
    await button('Save').click();
    await page.getByText('Saved.').first().waitFor();
    expect((await me()).notificationPreferences).to.deep.include({
      rules: [
        { after: 'PT0S', channel: 'ntfy' },
        { after: 'PT5M', channel: 'email' },
      ],
      shiftReminders: false,
    });

    const { api, owner } = stage.app;
    const team = await create(api, '/api/v1/teams', { name: 'Alone' });
    await create(api, `/api/v1/teams/${team.id}/members`, { userId: owner.userId });
    const layers = [{ name: 'Days', rotation: { unit: 'day' }, participants: [owner.userId] }];
    await create(api, `/api/v1/teams/${team.id}/schedules`, { name: 'Days', layers });
    await button('Remove rule 2').click();
    await button('Remove rule 1').click();
    await button('Save').click();
    await page.getByText('cannot be paged by any channel').first().waitFor();
    await page.getByLabel('Save it even if nobody can be paged').check();
    const forced = page.waitForResponse((response) => response.url().endsWith('?force=true') && response.ok());
    await button('Save').click();
    await forced;
    expect((await me()).notificationPreferences.rules).to.deep.equal([]);

    await button(`Remove ntfy ${topic}`).click();
    await button('Save it anyway').click();
    await page.getByText(`${topic} is confirmed.`).waitFor({ state: 'detached' });
    expect((await me()).contactMethods).to.deep.equal([]);
  });
});
