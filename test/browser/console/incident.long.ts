import { eventually } from '../../support/eventually.js';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { MINUTE_MS } from '@watchpost/shared/time';
import { seedGroup } from '../../support/seed-alerts.js';
import { accessibilityFaults, describeInBrowser, takePicture } from '../../support/browser.js';
import { expectFits, expectNoComplaints, fileCheck, settled, startConsole, type Visit } from '../../support/console.js';
import { create, makeWorld, seedMonitor, type World } from '../../support/seed.js';
import { startedForSuite } from '../../support/suite.js';

const UP = { kind: 'up' } as const;
const DOWN = {
  kind: 'down',
  phase: 'connect',
  reason: 'connection_refused',
  message: 'The server at 203.0.113.7:443 refused the connection.',
} as const;

const ASSERTIONS = [
  { index: 0, passed: true, expected: 'less than 800', actual: '42', message: null },
  {
    index: 1,
    passed: false,
    expected: 'containing "json"',
    actual: '"<img src=x>"',
    message: 'Header content-type is "<img src=x>" instead of containing "json".',
  },
];
const HOP = {
  address: null,
  httpVersion: '1.1',
  timings: { dnsUs: 0, connectUs: 0, tlsUs: 0, firstByteUs: 0, transferUs: 0 },
} as const;
const WAY = (ttl: number, address: string | null) => ({ ttl, address, name: null, rttMs: 1.5, loss: null });
const PATH = {
  address: '203.0.113.7:443',
  tracedAt: new Date().toISOString(),
  reached: false,
  hops: [WAY(1, '10.0.0.1'), WAY(2, null), WAY(3, '10.0.0.33')],
  stoppedAt: 3,
  lastGood: { tracedAt: new Date().toISOString(), hops: [WAY(1, '10.0.0.1'), WAY(2, null), WAY(3, '10.0.0.3')] },
};
const HOPS = [
  { ...HOP, url: 'https://shop.example/', statusCode: 200 },
  { ...HOP, url: 'https://shop.example/login', statusCode: null, step: 'log in' },
];

describeInBrowser('incidents in the console (Chromium)', () => {
  const stage = startedForSuite(() => startConsole());
  let world: World;
  let visit: Visit;
  let page: Page;
  let monitorId: string;

  before(async () => {
    await stage.app.plane.partitions.makeAhead();
    world = await makeWorld(stage.app);
    const monitor = { name: 'Shop', enabledRegions: ['eastus2'], checkInterval: 'PT1M', numberOfChecksBeforeAlert: 1 };
    ({ id: monitorId } = await seedMonitor(world, monitor));
    const { id } = await seedGroup(world, 'webhook', { name: 'Operations', url: 'https://hooks.example/' });
    await create(world.api, `/api/v1/action-groups/${id}/monitors/${monitorId}`);
    for (const ago of [3, 2, 1]) {
      for (const region of ['northeurope', 'eastus2'] as const)
        await fileCheck(stage.app, monitorId, UP, { region, atMs: Date.now() - ago * MINUTE_MS });
    }
    visit = await stage.visit(world.owner, { workspaceId: world.workspaceId, path: '/incidents' });
    ({ page } = visit);
  });

  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });

  it('arrive in the list without reloading, and are acknowledged by the key a', async () => {
    await page.getByText('No incident is open').waitFor();
    for (const region of ['northeurope', 'eastus2'] as const)
      await fileCheck(stage.app, monitorId, DOWN, {
        region,
        evidence: { assertions: ASSERTIONS, hops: HOPS, path: PATH },
      });
    const link = page.getByRole('link', { name: 'Shop', exact: true });
    await link.waitFor();
    await page.getByRole('cell', { name: /refused the connection/ }).waitFor();
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    await takePicture(page, 'console-incidents');
    await page.keyboard.press('j');
    await page.keyboard.press('a');
    await page.getByText('Acknowledged: Shop. Nobody else is paged.').waitFor();
    await page.getByRole('cell', { name: 'Yes', exact: true }).waitFor();
    await link.press('Enter');
    await page.waitForURL(/\/incidents\/[0-9a-f-]{36}$/);
  });

  it('show their evidence region beside region, and what was done', async () => {
    await page.getByRole('heading', { level: 1, name: /^Shop is down/ }).waitFor();
    await page.getByText('Acknowledged by', { exact: false }).first().waitFor();
    const card = page.getByRole('article');
    expect(await card.count(), 'regions that saw the same are one').to.equal(1);
    for (const region of ['northeurope', 'eastus2']) await card.getByRole('heading', { name: region }).waitFor();
    await card.getByText(DOWN.message).waitFor();
    await card.getByText('No connection could be made.').waitFor();
    await card.getByText(/^The last good one/).waitFor();
    await card.getByText('The way to 203.0.113.7:443 ends after 3 hops, at 10.0.0.33').waitFor();
    const way = await card.getByRole('table', { name: 'The way to the address' }).getByRole('row').allTextContents();
    expect(way.slice(1).map((row) => row.replaceAll(/ +/g, ' '))).to.deep.equal([
      '110.0.0.1 1.5 ms10.0.0.1 1.5 ms',
      '2no answerno answer',
      '310.0.0.33 1.5 ms, another way10.0.0.3 1.5 ms',
    ]);
    const found = await card.getByRole('list', { name: 'Assertions' }).getByRole('listitem').allTextContents();
    expect(found.map((text) => /Passed|Failed/.exec(text)?.[0])).to.deep.equal(['Passed', 'Failed']);
    expect(found[1]).to.contain(ASSERTIONS[1]!.message).and.contain(ASSERTIONS[1]!.actual);
    await card.getByText('Requests of the run').click();
    await card.getByText('log in: https://shop.example/login no answer').waitFor();
    await card
      .locator('summary')
      .filter({ hasText: /^What .* saw$/ })
      .press('Enter');
    await eventually(
      'what the other region saw',
      async () => ((await card.getByText(DOWN.message).count()) === 2 ? true : undefined),
      30_000,
    );
    const rail = page.getByRole('region', { name: 'The incident now' });
    expect(await rail.getByRole('timer').textContent()).to.match(/^\d+:\d\d/);
    await rail.getByText('Nobody else is paged: it is acknowledged.').waitFor();
    const timeline = page.getByRole('region', { name: 'Timeline' });
    await timeline.getByText('The incident opened.').waitFor();
    expect(await timeline.locator('time').first().textContent()).to.match(/\d\d:\d\d:\d\d$/);
    await timeline.getByText(/ acknowledged it\.$/).waitFor();
    await page
      .getByRole('region', { name: 'The day around it' })
      .getByRole('slider', { name: 'Virginia, United States' })
      .waitFor();
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    await takePicture(page, 'console-incident');
  });

  it('take an acknowledgement back', async () => {
    // The message about the acknowledgement may still be shown, with a button of the same name.
    await page.locator('.content').getByRole('button', { name: 'Unacknowledge', exact: true }).click();
    await page.getByText('Nobody has acknowledged it.').waitFor();
    await button('Acknowledge').click();
    await button('Unacknowledge').first().waitFor();
    // A notice may vanish by itself before it is clicked.
    while ((await button('Dismiss').count()) > 0)
      await button('Dismiss')
        .first()
        .click({ timeout: 1_000 })
        .catch(() => {});
  });

  it('are diagnosed on a page of their own, which the palette finds too', async () => {
    await page.getByRole('link', { name: 'Diagnose', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: /^Diagnosis/ }).waitFor();
    await page.getByText('No connection to the server can be made.').waitFor();
    await page.getByRole('region', { name: 'What to do next' }).getByRole('listitem').first().waitFor();
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    await button('Check now').click();
    // No agent is here to check.
    await page
      .getByRole('region', { name: 'What could not be had' })
      .getByText(/^recheck: /)
      .waitFor();
    await page.getByRole('link', { name: 'The incident', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: /^Shop is down/ }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('Shop');
    await page.getByRole('option', { name: /Diagnose Shop/ }).click();
    await page.getByRole('heading', { level: 1, name: /^Diagnosis/ }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: /^Shop is down/ }).waitFor();
  });

  it('take notes in Markdown, which are edited and deleted, and keep what somebody else wrote meanwhile', async () => {
    const notes = page.getByRole('region', { name: 'Notes' });
    await page.getByLabel('New note').fill('Rolled back to **v41**\n<img src=x onerror=alert(1)>');
    await button('Add note').click();
    await notes.getByRole('strong').filter({ hasText: 'v41' }).waitFor();
    expect(await notes.locator('img').count()).to.equal(0);
    await button('Edit the note').click();
    const field = page.getByLabel('Note', { exact: true });
    await field.fill('Rolled back to v40');
    const path = `/api/v1/incident/${page.url().split('/').at(-1)!}/notes`;
    const [note] = (await world.api<{ id: string }[]>('GET', path)).body;
    await world.api('PATCH', `${path}/${note!.id}`, { note: 'Somebody else' });
    visit.expects(/status of 412/);
    await button('Save').click();
    await page.getByText('Somebody else saved this while you were editing.').waitFor();
    await button('Keep mine').click();
    await notes.getByRole('article').getByText('Rolled back to v40').waitFor();
    await create(world.api, path, { note: 'Second' });
    await notes.getByText('Second').waitFor();
    await notes
      .getByRole('article')
      .filter({ hasText: 'Second' })
      .getByRole('button', { name: 'Delete the note' })
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await notes.getByText('Second').waitFor({ state: 'detached' });
  });

  it('are shared by a link that needs no account, until it is revoked', async () => {
    await button('Share').click();
    await button('Create link').click();
    const link = await page.getByLabel('Link to the evidence').inputValue();
    expect((await fetch(link)).status).to.equal(200);
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    await button('Revoke the link').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByText('All links to the evidence are revoked.').waitFor();
    expect((await fetch(link)).status).to.equal(404);
  });

  it('are closed with what that means, and are found among the closed ones by their address', async () => {
    await button('Close incident').click();
    await page.getByText('If it goes on failing, a new incident opens', { exact: false }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close incident', exact: true }).click();
    await page.getByText('The incident is closed and takes no more notes.').waitFor();
    await visit.open('/incidents?show=closed&type=availability&search=shop');
    await page.getByRole('link', { name: 'Shop', exact: true }).waitFor();
    await visit.open('/incidents?show=closed&type=disk');
    await page.getByText('There is no type "disk"', { exact: false }).waitFor();
  });

  it('name the cause of each region that fails, and are acknowledged where a thumb is', async () => {
    const team = await create(world.api, '/api/v1/teams', { name: 'Finders' });
    const { userId } = world.owner;
    await create(world.api, `/api/v1/teams/${team.id}/members`, { userId });
    const rotation = { rotation: 'daily', participants: [userId] };
    await create(world.api, `/api/v1/teams/${team.id}/schedule`, rotation, 'PUT');
    const { id } = await seedMonitor(world, {
      name: 'Search',
      teamId: team.id,
      enabledRegions: ['eastus2'],
      numberOfChecksBeforeAlert: 1,
    });
    const slow = { ...DOWN, phase: 'firstByte', reason: 'timeout', message: 'No answer came within 30 s.' } as const;
    await fileCheck(stage.app, id, DOWN, { region: 'northeurope' });
    await fileCheck(stage.app, id, slow, { region: 'eastus2' });
    const [incident] = (await world.api<{ id: string }[]>('GET', `/api/v1/incident?monitorId=${id}`)).body;
    const phone = await stage.visit(world.owner, {
      workspaceId: world.workspaceId,
      path: `/incidents/${incident!.id}`,
      width: 390,
    });
    const causes = phone.page.getByRole('list', { name: 'Causes' }).getByRole('listitem');
    await causes.nth(1).waitFor();
    expect((await causes.allTextContents()).map((text) => text.replace(/^.*?: /, ''))).to.have.members([
      DOWN.message,
      slow.message,
    ]);
    const rail = phone.page.getByRole('region', { name: 'The incident now' });
    await rail.getByRole('link', { name: 'Finders' }).waitFor();
    await rail.getByText('on call until').waitFor();
    await rail.getByText('The next person is').waitFor();
    const acknowledgeIt = phone.page.getByRole('button', { name: 'Acknowledge', exact: true });
    const { y, height } = (await acknowledgeIt.boundingBox())!;
    const { height: screen } = phone.page.viewportSize()!;
    expect(y).to.be.greaterThan(screen / 2);
    expect(y + height).to.be.lessThan(screen);
    await acknowledgeIt.click();
    await phone.page.getByText('Acknowledged: Search', { exact: false }).waitFor();
    expect(await accessibilityFaults(phone.page)).to.deep.equal([]);
    expectNoComplaints(phone);
    await phone.close();
  });

  it('fit a phone in the dark', async () => {
    const phone = await stage.visit(world.owner, {
      workspaceId: world.workspaceId,
      path: '/incidents?show=all',
      width: 320,
      theme: 'dark',
    });
    await phone.page.goto(phone.address('/incidents?show=all'));
    await settled(phone.page);
    await expectFits(phone.page);
    expect(await accessibilityFaults(phone.page)).to.deep.equal([]);
    await takePicture(phone.page, 'console-incidents-phone');
    await phone.page.getByRole('link', { name: 'Shop', exact: true }).click();
    await phone.page.getByRole('heading', { level: 2, name: 'Timeline' }).waitFor();
    await expectFits(phone.page);
    expect(await accessibilityFaults(phone.page)).to.deep.equal([]);
    await takePicture(phone.page, 'console-incident-phone');
    expectNoComplaints(phone);
    await phone.close();
  });

  it('leave the browser nothing to complain of', () => expectNoComplaints(visit));
});

describeInBrowser('an invitation in the console (Chromium)', () => {
  const stage = startedForSuite(() => startConsole());
  let world: World;

  before(async () => {
    world = await makeWorld(stage.app);
  });

  async function invited(email: string): Promise<string> {
    const path = `/api/v1/workspaces/${world.workspaceId}/invitations`;
    const { link } = await create<{ id: string; link: string }>(world.api, path, { email, role: 'Editor' });
    return link;
  }

  it('is accepted where its link leads, and leads into the workspace', async () => {
    const ann = await stage.app.user();
    const { page, complaints, close } = await stage.visit(ann, { workspaceId: ann.workspaceId });
    await page.goto(await invited(ann.email));
    await page.getByRole('heading', { level: 1, name: 'You are invited to Acme' }).waitFor();
    await page.getByText('an Editor of Acme', { exact: false }).waitFor();
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    await takePicture(page, 'console-invitation');
    await page.getByRole('button', { name: 'Accept' }).click();
    await page.waitForURL(new RegExp(`/console/w/${world.workspaceId}$`));
    expect(complaints).to.deep.equal([]);
    await close();
  });

  it('is declined, and then used', async () => {
    const bob = await stage.app.user();
    const { page, close } = await stage.visit(bob, { workspaceId: bob.workspaceId });
    const link = await invited(bob.email);
    await page.goto(link);
    await page.getByRole('button', { name: 'Decline' }).click();
    await page.getByText('You have declined').waitFor();
    await page.reload();
    await page.getByText('This invitation was declined').waitFor();
    await close();
  });

  it('for somebody else is not answered, and names the way out', async () => {
    const eve = await stage.app.user();
    const { page, close } = await stage.visit(eve, { workspaceId: eve.workspaceId });
    await page.goto(await invited('ann@example.test'));
    await page.getByText('This invitation is for another address.').waitFor();
    await page.getByText('a…@example.test').waitFor();
    expect(await page.getByRole('button', { name: 'Accept' }).count()).to.equal(0);
    await page.getByRole('button', { name: 'Sign out' }).last().waitFor();
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    await close();
  });
});
