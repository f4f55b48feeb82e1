import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { accessibilityFaults, describeInBrowser, takePicture } from '../../support/browser.js';
import {
  expectFits,
  expectNoComplaints,
  settled,
  startConsole,
  type ConsoleStage,
  type Visit,
} from '../../support/console.js';
import { create, makeWorld, seedMonitor } from '../../support/seed.js';
import { answer, startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.js';

describeInBrowser('the channels in the console (Chromium)', () => {
  let stage: ConsoleStage;
  let receiver: WebhookReceiver;
  let visit: Visit;
  let page: Page;

  before(async () => {
    stage = await startConsole({ env: { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' } });
    receiver = await startWebhookReceiver();
    await seedMonitor(stage.app, { name: 'Shop', tags: ['team:web'] });
    visit = await stage.visit(stage.app.owner, { path: '/alerts' });
    page = visit.page;
  });
  after(async () => {
    await receiver?.stop();
    await stage?.stop();
  });

  it('are added by keyboard alone: found, filled in, and tested with the answer of the service', async () => {
    receiver.next(answer(403));
    await visit.open('/alerts?channel=new');
    await page.getByRole('searchbox', { name: 'Find a channel' }).waitFor();
    await page.keyboard.type('google');
    await page.getByRole('link', { name: 'Google Chat' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Google Chat' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type(`${receiver.url}/v1/spaces/AAAA/messages?key=k&token=t`);
    await page.keyboard.press('Enter');
    await page.getByText('The test did not arrive everywhere.').waitFor();
    expect(await page.locator('.alerts-answers').textContent()).to.include('403');
    await page.getByText('It is attached to all monitors, also to new ones.').waitFor();
    const { body } = await stage.app.api('GET', '/api/v1/action-groups');
    expect(body[0]).to.deep.include({ name: 'Google Chat', attachTo: { tags: [], all: true }, monitorCount: 1 });
  });

  it('are asked for the fields of one of their ways to connect, and attached to tags', async () => {
    await visit.open('/alerts?channel=new&type=mattermost');
    await page.getByLabel('Webhook URL').waitFor();
    expect(await page.getByLabel('Bot token').count()).to.equal(0);
    await page.getByLabel('Connect by').selectOption('1');
    await page.getByLabel('Bot token').waitFor();
    expect(await page.getByLabel('Webhook URL').count()).to.equal(0);
    await page.getByLabel('Connect by').selectOption('0');
    await page.getByText('When to notify').click();
    await page.getByLabel('Own words').fill('Look at {{ monitor.name }}');
    await page.getByRole('button', { name: 'Preview the words' }).click();
    await page.getByRole('heading', { name: /^Look at / }).waitFor();
    await page.getByLabel('Own words').fill('{{ events.size }} at once');
    await page.getByRole('button', { name: 'Preview the words' }).click();
    await page.getByRole('heading', { name: '2 at once' }).waitFor();
    await page.getByRole('heading', { name: '1 at once' }).waitFor();
    await page.getByLabel('Own words').fill('');
    await page.getByLabel('Webhook URL').fill(`${receiver.url}/hooks/abcdefghijklmnopqrstuvwxyz`);
    await page.getByLabel('For which monitors').selectOption('tags');
    await page.getByRole('button', { name: 'Create and send a test' }).click();
    await page.getByText('must name a tag').waitFor();
    await page.getByLabel('Tags').fill('team:web,');
    await page.getByRole('button', { name: 'Create and send a test' }).click();
    await page.getByText('It is attached to monitors that have one of these tags').waitFor();
    await page.getByRole('link', { name: 'Shop' }).waitFor();
  });

  it('are changed to other monitors, and to other times and incidents', async () => {
    const { id } = await create(stage.app.api, '/api/v1/action-groups/discord', {
      name: 'Ops',
      webhookUrl: 'https://discord.com/api/webhooks/1/abc',
    });
    await visit.open(`/alerts?channel=${id}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('For which monitors').selectOption('all');
    await dialog.getByText('When to notify').click();
    await dialog.getByLabel(/^Degraded/).uncheck();
    await dialog.getByLabel('Wait before notifying').selectOption('PT5M');
    await dialog.getByLabel('Repeat while nobody acknowledges').selectOption('PT1H');
    await dialog.getByLabel('Only during some hours').check();
    await dialog.getByLabel('Sunday').check();
    await dialog.getByLabel('To', { exact: true }).fill('18:30');
    await dialog.getByLabel('Time zone').fill('Europe/Dublin');
    await dialog.getByLabel('Own words').fill('{{ monitor.name');
    visit.expects(/400.*messages/);
    await dialog.getByRole('button', { name: 'Preview the words' }).click();
    await dialog.locator('.field-faults').waitFor();
    await dialog.getByLabel('Own words').fill('Look at {{ monitor.name }}');
    await dialog.getByRole('button', { name: 'Preview the words' }).click();
    await dialog.getByRole('heading', { name: /^Look at / }).waitFor();
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('It is attached to all monitors, also to new ones.').waitFor();
    const { body } = await stage.app.api('GET', `/api/v1/action-groups/${id}`);
    expect(body).to.deep.include({
      severities: ['down', 'partial'],
      delay: 'PT5M',
      repeatEvery: 'PT1H',
      digestAfter: null,
      template: 'Look at {{ monitor.name }}',
      hours: {
        timezone: 'Europe/Dublin',
        days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'sunday'],
        start: '09:00',
        end: '18:30',
        outside: 'hold',
      },
    });
  });

  for (const [type, create] of [
    ['SMS', 'sms'],
    ['Voice call', 'voice'],
  ] as const)
    it(`are made for several monitors at once, by ${type}`, async () => {
      for (const name of ['Front door', 'Back door']) await seedMonitor(stage.app, { name: `${name} ${create}` });
      await visit.open(`/alerts?channel=new&type=${create}`);
      await page.getByLabel('Name', { exact: true }).fill(`Phones ${create}`);
      await page.getByLabel('Numbers').fill('+353 87 123 4567\n+353 87 123 4568');
      if (create === 'voice') await page.getByLabel('For which monitors').selectOption('these');
      visit.expects(/40[03]/);
      for (const name of ['Front door', 'Back door']) {
        await page.getByPlaceholder('Find a monitor by name or URL').fill(`${name} ${create}`);
        await page.getByRole('button', { name: `${name} ${create}` }).click();
      }
      await page.getByRole('button', { name: 'Create and send a test' }).click();
      await page.getByRole('heading', { name: `Phones ${create}` }).waitFor();
      const { body } = await stage.app.api('GET', '/api/v1/action-groups');
      expect(body[0]).to.deep.include({ type: create, name: `Phones ${create}`, monitorCount: 2 });
    });

  it('are added by one button where nobody would hear: of a monitor, and of one that is not there yet', async () => {
    const world = await makeWorld(stage.app);
    const { id } = await seedMonitor(world, { name: 'Alone' });
    const own = await stage.visit(world.owner, { workspaceId: world.workspaceId, path: '/alerts', width: 390 });
    // A monitor that was never checked goes on loading its figures.
    await own.page.goto(own.address(`/monitors/${id}`));
    const add = own.page.getByRole('button', { name: `Alert me at ${world.owner.email}` });
    await add.click();
    await own.page.getByText('Channels are alerted; nobody is on call.').waitFor();
    await own.page.goto(own.address('/monitors/new'));
    await add.click();
    await own.page.getByText('Channels are alerted; nobody is on call.').waitFor();
    expect(await own.page.getByLabel(/^Me email/).isChecked()).to.equal(true);
    const { body } = await world.api('GET', '/api/v1/action-groups');
    expect(body, 'the second time it is the same one').to.have.length(1);
    expect(body[0]).to.deep.include({ name: 'Me', recipients: [world.owner.email], monitorCount: 1 });
    expectNoComplaints(own);
    await own.close();
  });

  it('of no name that is known lead to Apprise and webhooks', async () => {
    await visit.open('/alerts?channel=new');
    await page.getByRole('searchbox', { name: 'Find a channel' }).fill('carrier pigeon');
    await page.getByText('No channel has that name.').waitFor();
    expect(await page.getByRole('link', { name: 'Apprise' }).getAttribute('href')).to.include('type=apprise');
  });

  for (const [name, path] of [
    ['gallery', '/alerts?channel=new'],
    ['form', '/alerts?channel=new&type=slack'],
  ] as const)
    it(`have a ${name} that is readable and accessible from 320 px on, in both themes`, async () => {
      await visit.open(path);
      for (const colorScheme of ['light', 'dark'] as const)
        for (const width of [320, 1_280]) {
          await page.emulateMedia({ colorScheme });
          await page.setViewportSize({ width, height: 900 });
          await settled(page);
          await takePicture(page, `channels-${name}-${width}-${colorScheme}`);
          expect(await accessibilityFaults(page), `${colorScheme}, ${width} px`).to.deep.equal([]);
          await expectFits(page);
        }
      expectNoComplaints(visit);
    });
});
