import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { BROKEN, UP } from '../../integration/results/seed.js';
import { describeInBrowser } from '../../support/browser.js';
import { expectNoComplaints, fileCheck, startConsole, type Visit } from '../../support/console.js';
import { seedMonitor } from '../../support/seed.js';
import { startedForSuite } from '../../support/suite.js';

describeInBrowser('pausing monitors in the console (Chromium)', () => {
  const stage = startedForSuite(() => startConsole());
  let visit: Visit;
  let page: Page;

  before(async () => {
    visit = await stage.visit(stage.app.owner, { path: '/monitors' });
    page = visit.page;
  });
  afterEach(() => expectNoComplaints(visit));

  async function failing(name: string): Promise<string> {
    const { id } = await seedMonitor(stage.app, { name, numberOfChecksBeforeAlert: 1 });
    await fileCheck(stage.app, id, BROKEN);
    return id;
  }
  const dialog = () => page.getByRole('dialog');
  const statusOf = async (id: string) =>
    (await stage.app.api<{ monitoringStatus: string }>('GET', `/api/v1/monitor/${id}`)).body.monitoringStatus;
  const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click();

  it('asks before it closes an incident, names who did it, and is taken back by Undo', async () => {
    const id = await failing('Checkout');
    await visit.open(`/monitors/${id}`);
    await press('Pause');
    expect(await dialog().innerText())
      .to.include('1 open incident is closed for good')
      .and.to.include('new incident');
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    expect(await statusOf(id)).to.equal('enabled');
    // By its key too, again after it was not confirmed.
    await page.keyboard.press('p');
    await dialog().getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Paused: Checkout').waitFor();
    expect(await statusOf(id)).to.equal('paused');
    await press('Undo');
    await page.getByText('Resumed: Checkout').waitFor();
    expect(await statusOf(id)).to.equal('enabled');
    const { body } = await stage.app.api<{ id: string }[]>('GET', `/api/v1/incident?monitorId=${id}`);
    await visit.open(`/incidents/${body[0]!.id}`);
    await page.getByText('It was closed because the monitor was paused by The owner.').first().waitFor();
  });

  it('asks nothing where no incident is open, and offers Undo', async () => {
    const { id } = await seedMonitor(stage.app, { name: 'Blog' });
    await fileCheck(stage.app, id, UP);
    await visit.open(`/monitors/${id}`);
    await press('Pause');
    await page.getByText('Paused: Blog').waitFor();
    expect(await dialog().count()).to.equal(0);
    await press('Undo');
    await page.getByText('Resumed: Blog').waitFor();
    expect(await statusOf(id)).to.equal('enabled');
  });

  it('of several asks with the number of incidents, and Undo resumes those that it paused', async () => {
    const ids = [await failing('Search'), await failing('Login')];
    await visit.open('/monitors');
    await page.getByRole('checkbox', { name: 'Select all of this page' }).check();
    await page.getByRole('region', { name: 'Selected monitors' }).getByRole('button', { name: 'Pause' }).click();
    expect(await dialog().innerText()).to.include('2 open incidents are closed for good');
    await dialog().getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Paused: 4 monitors').waitFor();
    for (const id of ids) expect(await statusOf(id)).to.equal('paused');
    await press('Undo');
    await page.getByText('Resumed: 4 monitors').waitFor();
    for (const id of ids) expect(await statusOf(id)).to.equal('enabled');
  });
});
