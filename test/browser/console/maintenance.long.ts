import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { DAY_MS, HOUR_MS } from '@watchpost/shared/time';
import { BROKEN, UP } from '../../integration/results/seed.js';
import { accessibilityFaults, describeInBrowser, takePicture } from '../../support/browser.js';
import { expectNoComplaints, fileCheck, startConsole, type Visit } from '../../support/console.js';
import { eventually } from '../../support/eventually.js';
import type { Json } from '../../support/product.js';
import { create, seedMonitor } from '../../support/seed.js';
import { startedForSuite } from '../../support/suite.js';

const PATH = '/api/v1/maintenance-windows';

describeInBrowser('maintenance in the console (Chromium)', () => {
  const stage = startedForSuite(() => startConsole());
  let visit: Visit;
  let page: Page;
  let shopId: string;

  before(async () => {
    shopId = (await seedMonitor(stage.app, { name: 'Shop', tags: ['team:web'] })).id;
    await seedMonitor(stage.app, { name: 'Search', url: 'https://search.example/' });
    visit = await stage.visit(stage.app.owner, { path: '/maintenance' });
    page = visit.page;
  });
  afterEach(() => expectNoComplaints(visit));

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const field = (name: string) => page.getByLabel(name, { exact: true });
  const confirm = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
  const windows = async (): Promise<Json[]> => (await stage.app.api('GET', PATH)).body;

  it('is planned in plain words, and what comes of it is shown before it is saved', async () => {
    await page.getByRole('link', { name: 'New window' }).first().click();
    await field('Name').fill('Deploys');
    await field('Starts').fill('2099-03-29T02:00');
    await field('Time zone').fill('Europe/Berlin');
    await page.getByRole('combobox', { name: 'Repeats' }).selectOption('Weekly');
    await field('Sunday').check();
    await field('Wednesday').check();
    await page.getByRole('combobox', { name: 'Ends' }).selectOption('this many times');
    await field('How many times').fill('3');
    await page.getByText('Every week on Wednesday and Sunday, 3 times.').waitFor();
    const coming = page.getByRole('status', { name: 'Next occurrences' }).getByRole('listitem');
    // One before it repeats, and five without an end.
    await eventually('three occurrences', async () => (await coming.count()) === 3 || undefined);
    await coming.filter({ hasText: '29 Mar 2099' }).waitFor();
    await field('Tags').fill('team:web');
    await page.keyboard.press('Enter');
    await page.getByLabel('Monitors', { exact: true }).fill('sear');
    await button('Search').click();
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    await takePicture(page, 'console-new-window');
    await button('Plan maintenance').click();
    await page.getByRole('heading', { level: 1, name: /^Deploys/ }).waitFor();
    const [window] = await windows();
    expect(window).to.deep.include({
      name: 'Deploys',
      startsAt: '2099-03-29T02:00',
      timezone: 'Europe/Berlin',
      duration: 'PT1H',
      recurrence: 'FREQ=WEEKLY;BYDAY=WE,SU;COUNT=3',
      checks: 'run',
    });
    expect(window!.scope).to.deep.include({ tags: ['team:web'], all: false });
    expect(window!.scope.monitorIds).to.have.length(1);
  });

  it('has the faults of the API at its fields', async () => {
    visit.expects(/400/);
    await field('Duration').fill('100');
    await page.getByText('duration must not be longer than the time between two occurrences').waitFor();
    await button('Save').click();
    await field('Duration').and(page.locator('[aria-invalid=true]')).waitFor();
    await field('Duration').fill('2');
  });

  it('is changed, skipped once, and deleted', async () => {
    await field('Name').fill('Releases');
    await button('Save').click();
    await page.getByRole('heading', { level: 1, name: /^Releases/ }).waitFor();
    await button('Skip next').click();
    await confirm('Skip it');
    await page.getByText('Skipped: the next of Releases').waitFor();
    const [window] = await windows();
    expect(window).to.deep.include({ name: 'Releases', duration: 'PT2H' });
    expect(window!.nextOccurrence.start).to.equal('2099-04-01T00:00:00.000Z');
    await page.getByRole('navigation', { name: 'Main' }).first().getByRole('link', { name: 'Maintenance' }).click();
    const row = page.getByRole('row', { name: /Releases/ });
    await row.getByText('Every week on Wednesday and Sunday, 3 times').waitFor();
    await row.getByRole('link').click();
    // What shows the window may read it once more before it is left.
    visit.expects(/404/);
    await button('Delete').click();
    await confirm('Delete');
    await page.getByText('No maintenance is planned').waitFor();
  });

  it('is in a calendar, from which it is reached, on a phone too', async () => {
    const { id } = await create(stage.app.api, '/api/v1/maintenance-windows', {
      name: 'Every night',
      startsAt: 'now',
      duration: 'PT1H',
      recurrence: 'FREQ=DAILY',
      scope: { all: true },
    });
    await visit.open('/maintenance');
    await page.getByRole('link', { name: 'Calendar' }).click();
    const nights = page.locator('.window-calendar').getByRole('link', { name: /Every night$/ });
    await nights.nth(13).waitFor();
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    await takePicture(page, 'maintenance-calendar');
    await page.setViewportSize({ width: 320, height: 900 });
    await nights.nth(9).waitFor();
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    await takePicture(page, 'maintenance-calendar-320');
    await nights.first().click();
    await page.waitForURL(new RegExp(`/maintenance/${id}$`));
    await page.setViewportSize({ width: 1_280, height: 900 });
    await stage.app.api('DELETE', `/api/v1/maintenance-windows/${id}`);
  });

  it('begins at once from the page of a monitor, and is shown wherever the monitor is, until it ends', async () => {
    await visit.open(`/monitors/${shopId}`);
    await button('More actions').click();
    await page.getByRole('menuitem', { name: 'Maintenance for 1 h' }).click();
    await page.getByText(/^In maintenance until .*: nobody is notified/).waitFor();
    await page.getByRole('heading', { level: 1, name: /^Shop Maintenance until/ }).waitFor();
    await visit.open('/monitors');
    await page
      .getByRole('row', { name: /Shop/ })
      .getByText(/^Maintenance until/)
      .waitFor();
    await visit.open('');
    await page.getByRole('heading', { level: 1 }).getByRole('link', { name: '1 in maintenance' }).click();
    await page.waitForURL(/\/monitors\?state=maintenance$/);
    await page
      .getByRole('row', { name: /Shop/ })
      .getByText(/^Maintenance until/)
      .waitFor();
    await visit.open('/maintenance?state=active');
    await page
      .getByRole('row', { name: /Maintenance of Shop/ })
      .getByText(/^Active until/)
      .waitFor();
    const [window] = await windows();
    // Somebody else ends it: the event of it is enough.
    await create(stage.app.api, `${PATH}/${window!.id}/end`);
    await page.getByText('No maintenance window is active.').waitFor();
    await visit.open(`/monitors/${shopId}`);
    await page.getByRole('heading', { level: 1, name: /^Shop Unknown/ }).waitFor();
  });

  it('is hatched in the bar of its monitor, and uptime has both percentages', async () => {
    const nowMs = Date.now();
    const { app } = stage;
    await app.sql(`UPDATE monitor SET created = now() - interval '2 days' WHERE id = $1`, [shopId]);
    const startMs = nowMs - 3 * HOUR_MS;
    for (const [agoMs, outcome] of [
      [4 * HOUR_MS, UP],
      [2 * HOUR_MS, BROKEN],
      [HOUR_MS / 2, UP],
    ] as const)
      await fileCheck(app, shopId, outcome, { atMs: nowMs - agoMs });
    await create(app.api, PATH, {
      name: 'New shelves',
      startsAt: new Date(startMs).toISOString().slice(0, 16),
      timezone: 'UTC',
      duration: 'PT2H',
      scope: { monitorIds: [shopId] },
    });
    expect(nowMs - startMs).to.be.below(DAY_MS);
    await visit.open(`/monitors/${shopId}`);
    await page.getByText(/2 h of maintenance are left out; with them it is 66\.66/).waitFor();
    const figures = page.getByRole('region', { name: 'Availability' });
    await figures.getByText('100 %', { exact: true }).waitFor();
    expect(await page.locator('.bar-large .slot-maintenance').count()).to.equal(1);
    await takePicture(page, 'console-monitor-maintenance');
  });
});
