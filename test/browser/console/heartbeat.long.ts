import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { accessibilityFaults, describeInBrowser, takePicture } from '../../support/browser.js';
import { expectFits, expectNoComplaints, startConsole, still, type Visit } from '../../support/console.js';
import type { Json } from '../../support/product.js';
import { create, seedMonitor } from '../../support/seed.js';
import { startedForSuite } from '../../support/suite.js';

describeInBrowser('a heartbeat in the console (Chromium)', () => {
  const stage = startedForSuite(() => startConsole());
  let visit: Visit;
  let page: Page;
  let databaseId: string;

  before(async () => {
    databaseId = (await seedMonitor(stage.app, { name: 'Database' })).id;
    visit = await stage.visit(stage.app.owner, { path: '/monitors/new' });
    page = visit.page;
    await visit.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  });
  afterEach(() => expectNoComplaints(visit));

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const field = (name: string) => page.getByLabel(name, { exact: true });
  const clipboard = () => page.evaluate<string>('navigator.clipboard.readText()');
  const read = async (): Promise<Json> => {
    const id = /[0-9a-f-]{36}$/.exec(new URL(page.url()).pathname)![0];
    return (await stage.app.api('GET', `/api/v1/monitor/${id}`)).body;
  };
  const ping = async (end = '', body?: string) => {
    const { pingUrl } = (await read()).heartbeat;
    const url = `${stage.app.baseUrl}${new URL(pingUrl).pathname}${end}`;
    return (await fetch(url, { method: 'POST', ...(body && { body }) })).status;
  };

  it('is made with a cron expression and what it depends on', async () => {
    await page.getByRole('link', { name: 'Heartbeat of a job' }).click();
    await field('Name').fill('Backup');
    await field('The job runs').selectOption('by a cron expression');
    await field('Cron').fill('30 2 * * 1-5');
    await field('Time zone').fill('Europe/Dublin');
    await field('Grace').fill('10');
    await field('Limit how long a run may take').check();
    await page.getByText('Advanced settings').click();
    await field('Depends on').fill('data');
    await button('Database').click();
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    await takePicture(page, 'console-new-heartbeat');
    await button('Create monitor').click();
    await page.getByText('Waiting for the first report.').waitFor();
    const { heartbeat, dependsOn } = await read();
    expect(dependsOn).to.deep.equal([databaseId]);
    expect(heartbeat).to.include({
      every: null,
      cron: '30 2 * * 1-5',
      timezone: 'Europe/Dublin',
      grace: 'PT10M',
      maxRuntime: 'PT1H',
    });
    await page.getByRole('link', { name: 'Database' }).waitFor();
  });

  it('has its ping URL in snippets to copy, and shows what arrives', async () => {
    const { pingUrl } = (await read()).heartbeat;
    await button('Copy URL').click();
    await button('Copied').waitFor();
    expect(await clipboard()).to.equal(pingUrl);
    await page.getByRole('combobox', { name: 'How the job runs' }).selectOption('cron');
    await button('Copied').waitFor({ state: 'detached' });
    await button('Copy snippet').click();
    await button('Copied').waitFor();
    expect(await clipboard()).to.include(`"${pingUrl}/$?"`);
    expect(await ping('/start')).to.equal(200);
    expect(await ping('/0', 'copied 3 tables')).to.equal(200);
    const reports = page.getByRole('table', { name: 'Reports, newest first' });
    const row = reports.getByRole('row', { name: /Success/ });
    await row.getByText('copied 3 tables').first().waitFor();
    await page.getByText(/^Reported in time\. The next report is expected by/).waitFor();
    await row.getByText('copied 3 tables').first().click();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await still(page);
      expect(await accessibilityFaults(page), colorScheme).to.deep.equal([]);
    }
    await page.setViewportSize({ width: 320, height: 800 });
    await expectFits(page);
    await page.setViewportSize({ width: 1_280, height: 900 });
    await page.emulateMedia({ colorScheme: 'light' });
    await takePicture(page, 'console-heartbeat');
  });

  it('has what the job reported as the evidence of its incident', async () => {
    expect(await ping('/3', 'no space left on device')).to.equal(200);
    await page.getByText(/^Down: /).waitFor();
    const address = page.url();
    await page.getByRole('link', { name: 'Evidence' }).click();
    await page.getByRole('heading', { name: 'What the job reported' }).waitFor();
    await page.getByText('no space left on device', { exact: true }).waitFor();
    await still(page);
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    await page.goto(address);
    expect(await ping()).to.equal(200);
    await page.getByText(/^Reported in time/).waitFor();
  });

  it('gets another ping URL once that is confirmed', async () => {
    const former = (await read()).heartbeat.pingUrl as string;
    await button('Replace').click();
    await page.getByRole('dialog').getByText('The present URL is refused at once.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Replace', exact: true }).click();
    await page.getByText('New ping URL: Backup').waitFor();
    const next = (await read()).heartbeat.pingUrl as string;
    expect(next).not.to.equal(former);
    await page.getByText(next, { exact: true }).first().waitFor();
  });

  it('is changed from a cron expression to a time', async () => {
    await button('Edit').click();
    await field('The job runs').selectOption('at an interval');
    await field('Every').fill('2');
    await field('Limit how long a run may take').uncheck();
    await button('Save').click();
    await page.getByText('Heartbeat every 2 h, 10 min of grace').waitFor();
    expect((await read()).heartbeat).to.include({ every: 'PT2H', cron: null, maxRuntime: null });
  });

  it('hides its ping URL from who could not change it', async () => {
    const { id } = await create<{ id: string }>(stage.app.api, '/api/v1/monitor', {
      name: 'Report',
      monitorTypes: ['Heartbeat'],
      heartbeat: { every: 'PT1H' },
    });
    const viewer = await stage.visit(await stage.app.member('Viewer'), { path: `/monitors/${id}` });
    await viewer.page.getByText('Editors and above see the ping URL').waitFor();
    expectNoComplaints(viewer);
    await viewer.close();
  });
});
