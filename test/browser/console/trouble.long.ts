import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../support/browser.js';
import { expectNoComplaints, settled, startConsole, type Visit } from '../../support/console.js';
import { seedIncident, seedMonitor } from '../../support/seed.js';
import { startedForSuite } from '../../support/suite.js';

describeInBrowser('the console under trouble (Chromium)', () => {
  const stage = startedForSuite(() => startConsole());
  let visit: Visit;
  let page: Page;
  let monitorId: string;

  before(async () => {
    monitorId = (await seedMonitor(stage.app)).id;
    visit = await stage.visit(stage.app.owner);
    page = visit.page;
  });
  afterEach(() => page.unrouteAll({ behavior: 'ignoreErrors' }));

  const strip = () => page.locator('.strip');
  /** Answers the next requests of this path in place of the server. */
  const answerNext = (path: string, status: number, seconds: number, times = 1) =>
    page.route(
      (url) => url.pathname === path,
      (route) =>
        route.fulfill({
          status,
          headers: { 'retry-after': String(seconds), 'content-type': 'application/json' },
          body: JSON.stringify({ error: status === 429 ? 'rate_limited' : 'unavailable', message: 'Wait.' }),
        }),
      { times },
    );

  for (const status of [429, 503]) {
    it(`waits as long as a ${status} asks for, shows that, and goes on by itself`, async () => {
      visit.expects(new RegExp(`status of ${status}`));
      await visit.open('/settings');
      await answerNext('/api/v1/monitor', status, 3);
      const startedMs = Date.now();
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Monitors' }).first().click();
      await strip()
        .getByText(/asks for a pause: \d s/)
        .waitFor();
      await page.getByRole('link', { name: /^Shop/ }).first().waitFor();
      expect(Date.now() - startedMs).to.be.at.least(2_900);
      await strip().getByText('pause').waitFor({ state: 'detached' });
    });
  }

  it('lets a change be confirmed only once what it is about is read, and offers to read it again', async () => {
    const { app } = stage;
    await app.member('Admin');
    await visit.open('/settings');
    visit.expects(/status of 403/);
    const members = `/api/v1/workspaces/${app.owner.workspaceId}/members`;
    await page.route(
      (url) => url.pathname === members,
      (route) => route.fulfill({ status: 403, json: { error: 'forbidden', message: 'Not now.' } }),
      { times: 1 },
    );
    await page.getByRole('button', { name: 'Transfer', exact: true }).click();
    const dialog = page.getByRole('dialog');
    const { body } = await app.api<{ name: string }>('GET', `/api/v1/workspaces/${app.owner.workspaceId}`);
    await dialog.getByRole('textbox').fill(body.name);
    await dialog.getByText('Not now.').waitFor();
    await dialog.getByRole('button', { name: 'Transfer the ownership', disabled: true }).waitFor();
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await dialog.getByRole('button', { name: 'Transfer the ownership', disabled: false }).waitFor();
    await page.keyboard.press('Escape');
  });

  it('does a change once where it has to wait for it', async () => {
    visit.expects(/status of 429/);
    await visit.open('/monitors');
    await answerNext(`/api/v1/monitor/${monitorId}`, 429, 1);
    await page.keyboard.press('j');
    await page.keyboard.press('p');
    await page.getByText('Paused: Shop').waitFor();
    const path = `/api/v1/workspaces/${stage.app.owner.workspaceId}/audit?targetType=monitor`;
    const { body } = await stage.app.api<{ action: string }[]>('GET', path);
    expect(body.map(({ action }) => action)).to.deep.equal(['monitor.updated', 'monitor.created']);
  });

  it('shows the age of what is seen while the connection is lost, and recovers without moving anything', async () => {
    visit.expects(/ERR_INTERNET_DISCONNECTED|ERR_NETWORK/);
    await visit.open();
    await page.getByText('Live', { exact: true }).waitFor();
    const top = async () => (await page.locator('main tr[data-row]').first().boundingBox())!.y;
    const before = await top();
    const isGrey = () =>
      page.evaluate<boolean>(`(() => {
        const probe = document.querySelector('.content').appendChild(document.createElement('i'));
        const drawn = (name) => ((probe.style.color = 'var(' + name + ')'), getComputedStyle(probe).color);
        const isSame = drawn('--available') === drawn('--unknown');
        probe.remove();
        return isSame;
      })()`);
    expect(await isGrey()).to.equal(false);
    await visit.context.setOffline(true);
    await strip()
      .getByText(/^Connection lost\. Shown as of /)
      .waitFor();
    await page.locator('main h1').getByText(/ old$/).waitFor();
    expect(await isGrey(), 'what was available may no longer be').to.equal(true);
    expect(await top(), 'nothing jumps').to.equal(before);
    expect(await page.getByRole('link', { name: /^Shop/ }).count(), 'what was read is still there').to.be.at.least(1);
    await visit.context.setOffline(false);
    await page.getByText('Live', { exact: true }).waitFor();
    // Without agents, a strip about the region may be there.
    await strip()
      .getByText(/^Connection lost/)
      .waitFor({ state: 'detached' });
    expect(await isGrey()).to.equal(false);
    expect(await top()).to.equal(before);
  });

  it('keeps a draft while the session ends, and shows it after signing in again', async () => {
    visit.expects(/status of 401/);
    await visit.open('/monitors/new');
    await page.getByLabel('Name', { exact: true }).fill('Half of a monitor');
    const address = page.url();
    await page.getByRole('button', { name: 'Create monitor', disabled: false }).waitFor();
    await stage.app.sql('DELETE FROM console_session');
    await page.getByRole('button', { name: 'Create monitor' }).click();
    await strip().getByText('You are signed out. What you entered is kept.').waitFor();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).to.equal('Half of a monitor');
    await strip().getByRole('link', { name: 'Sign in again' }).click();
    await page.waitForURL(address);
    await settled(page);
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).to.equal('Half of a monitor');
  });

  it('keeps no secret in a draft, and asks for it again', async () => {
    const stored = () => page.evaluate<string>('JSON.stringify(Object.entries(sessionStorage))');
    await visit.open('/alerts?channel=new&type=slack');
    await page.getByLabel('Name', { exact: true }).fill('Kept');
    await page.getByLabel(/webhook url/i).fill('https://hooks.slack.com/services/T0/B0/geheim');
    expect(await stored())
      .to.contain('Kept')
      .and.not.to.contain('geheim');
    await page.reload();
    await settled(page);
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).to.equal('Kept');
    expect(await page.getByLabel(/webhook url/i).inputValue()).to.equal('');
    const note = page.getByText(/^Secrets are not kept with what you entered. Enter them again: /);
    await note.waitFor();
    await page.getByLabel(/webhook url/i).fill('https://hooks.slack.com/services/T0/B0/again');
    await note.waitFor({ state: 'detached' });
    expect(await stored()).not.to.contain('again');
  });

  it('shows the change of somebody else field by field, keeps mine, and names who has what', async () => {
    visit.expects(/status of 412/);
    const { app } = stage;
    await visit.open('/settings');
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('Mine');
    const path = `/api/v1/workspaces/${app.owner.workspaceId}`;
    const admin = await app.member('Admin');
    expect((await admin.api('PATCH', path, { name: 'Theirs' })).status).to.equal(200);
    await page.getByRole('button', { name: 'Save' }).click();
    const note = page.getByRole('alert').filter({ hasText: 'Somebody else saved this' });
    expect(await note.getByRole('row', { name: /^Name/ }).innerText()).to.match(/Name\s+Mine\s+Theirs/);
    expect(await name.inputValue()).to.equal('Mine');
    await note.getByRole('button', { name: 'Keep mine' }).click();
    await page.getByText('Saved.').waitFor();
    expect((await app.api<{ name: string }>('GET', path)).body.name).to.equal('Mine');
  });

  it('keeps expected records as they are typed, one a line, and shows theirs where they are taken', async () => {
    visit.expects(/status of 412/);
    const dns = { recordTypes: ['MX', 'TXT'] };
    const { id } = await seedMonitor(stage.app, { name: 'Names', monitorTypes: ['Dns'], dns });
    const path = `/api/v1/monitor/${id}`;
    await visit.open(`/monitors/${id}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByText('Advanced settings').click();
    const records = (type: string) => page.getByRole('textbox', { name: type, exact: true });
    await records('TXT').fill('v=spf1 mx -all');
    const theirs = { TXT: { match: 'any', values: ['v=spf1 include:_spf.example.com, ~all', 'site=1'] } };
    await stage.app.api('PUT', path, { dns: { expectedRecords: theirs } });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Take theirs' }).click();
    expect(await records('TXT').inputValue()).to.equal(theirs.TXT.values.join('\n'));
    await records('MX').fill('10 a.example.com\n20 b.example.com\n');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved: Names').waitFor();
    const { body } = await stage.app.api<{ dns: { expectedRecords: object } }>('GET', path);
    const MX = { match: 'exact', values: ['10 a.example.com', '20 b.example.com'] };
    expect(body.dns.expectedRecords).to.deep.equal({ ...theirs, MX });
    // A screen that shows the monitor would ask for it once more.
    await visit.open('/monitors');
    await stage.app.api('DELETE', path);
  });

  it('explains what is not there, and moves focus to the heading of each screen', async () => {
    await visit.open('/nowhere');
    await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' }).first().click();
    await page.locator('main h1:focus', { hasText: 'Settings' }).waitFor();
    await page.goBack();
    await page.locator('main h1:focus', { hasText: 'Not found' }).waitFor();
    expectNoComplaints(visit);
  });

  it('pauses once where the key is pressed twice or held, and resumes when it is pressed after that', async () => {
    const row = page.locator('main tr[data-row]').first();
    await stage.app.api('PUT', `/api/v1/monitor/${monitorId}`, { monitoringStatus: 'enabled' });
    await visit.open('/monitors');
    const bodies: (string | null)[] = [];
    await page.route(
      (url) => ['/api/v1/monitor/bulk', `/api/v1/monitor/${monitorId}`].includes(url.pathname),
      async (route) => {
        const body = route.request().postData();
        if (!body?.includes('dryRun')) bodies.push(body);
        await new Promise((resolve) => setTimeout(resolve, 300));
        await route.continue();
      },
    );
    await page.keyboard.press('j');
    await page.keyboard.press('p');
    await page.keyboard.press('p');
    await page.keyboard.down('p');
    await page.keyboard.down('p');
    await page.keyboard.up('p');
    await row.getByText('Paused', { exact: true }).waitFor();
    const paused = JSON.stringify({ monitorIds: [monitorId], action: 'pause' });
    expect(bodies).to.deep.equal([paused]);
    await page.keyboard.press('p');
    await page.getByText('Resumed: Shop').waitFor();
    expect(bodies).to.deep.equal([paused, '{"monitoringStatus":"enabled"}']);
  });

  it('keeps what is typed while a save is on its way, and its draft', async () => {
    const { app } = stage;
    /** Holds the next change at a path until the returned function is called. */
    const hold = async (path: string) => {
      let release = () => {};
      const held = new Promise<void>((resolve) => (release = resolve));
      await page.route(
        (url) => url.pathname === path,
        async (route) => {
          if (route.request().method() !== 'GET') await held;
          await route.continue();
        },
      );
      return release;
    };
    const isChange = (sent: { method(): string }) => sent.method() !== 'GET';
    await visit.open('/settings');
    const name = page.getByLabel('Name', { exact: true });
    const saved = await hold(`/api/v1/workspaces/${app.owner.workspaceId}`);
    await name.fill('Sent');
    await Promise.all([page.waitForRequest(isChange), page.getByRole('button', { name: 'Save' }).click()]);
    await name.fill('Sent, and more');
    saved();
    await page.getByText('Saved.').waitFor();
    expect(await name.inputValue()).to.equal('Sent, and more');
    await page.reload();
    await settled(page);
    expect(await name.inputValue()).to.equal('Sent, and more');

    const incidentId = await seedIncident({ app, workspaceId: app.owner.workspaceId }, monitorId);
    await visit.open(`/incidents/${incidentId}`);
    const note = page.getByLabel('New note');
    const added = await hold(`/api/v1/incident/${incidentId}/notes`);
    await note.fill('First');
    await Promise.all([page.waitForRequest(isChange), page.getByRole('button', { name: 'Add note' }).click()]);
    await note.fill('First and second');
    added();
    await page.locator('.incident-note').getByText('First', { exact: true }).waitFor();
    expect(await note.inputValue()).to.equal('First and second');
    await page.getByRole('button', { name: 'Add note' }).click();
    await page.locator('.incident-note').getByText('First and second').waitFor();
    expect(await note.inputValue()).to.equal('');
  });
});
