import { FIRST_SCREEN } from '@watchpost/shared/first-screen';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { BROKEN, UP } from '../../integration/results/seed.js';
import { accessibilityFaults, describeInBrowser } from '../../support/browser.js';
import {
  expectFits,
  expectNoComplaints,
  fileCheck,
  focusedText,
  settled,
  startConsole,
  type Visit,
} from '../../support/console.js';
import { eventually } from '../../support/eventually.js';
import { create, fillMonitors, seedMonitor } from '../../support/seed.js';
import { startedForSuite } from '../../support/suite.js';

/** More than a page of the list. */
const MONITORS = 60;

const NOTE_WHAT_GETS_FOCUS = `
  globalThis.focused = [];
  addEventListener('focusin', ({ target }) => focused.push(target.tagName));
`;

describeInBrowser('lists of the console (Chromium)', () => {
  const stage = startedForSuite(() => startConsole());
  let visit: Visit;
  let page: Page;
  let broken: string;

  before(async () => {
    const { app } = stage;
    for (let count = 1; count <= MONITORS; count++) {
      await seedMonitor(app, {
        name: `Shop ${String(count).padStart(2, '0')}`,
        url: `https://shop-${count}.example/`,
        tags: count % 10 === 0 ? ['team:web'] : [],
      });
    }
    broken = (await seedMonitor(app, { name: 'Checkout', numberOfChecksBeforeAlert: 1 })).id;
    await fileCheck(app, broken, UP, { atMs: Date.now() - 60_000 });
    await fileCheck(app, broken, BROKEN);
    visit = await stage.visit(app.owner);
    page = visit.page;
  });

  const key = (name: string) => page.keyboard.press(name);
  const named = async (name: string) => {
    const { body } = await stage.app.api<{ monitoringStatus: string }[]>('GET', `/api/v1/monitor?search=${name}`);
    return body;
  };
  const rows = () => page.locator('main tr[data-row]');

  it('cost less than 20 kB, uncompressed, in half a minute on an overview that nobody touches', async () => {
    await visit.open();
    await page.getByRole('slider', { name: 'Monitors, worst first' }).waitFor();
    await settled(page);
    const network = await page.context().newCDPSession(page);
    let received = 0;
    network.on('Network.dataReceived', ({ dataLength }) => (received += dataLength));
    await network.send('Network.enable');
    await page.waitForTimeout(30_000);
    expect(received).to.be.below(20_000);
    // The session does see something: a fresh look at the page comes to more.
    await page.reload();
    await settled(page);
    expect(received).to.be.above(20_000);
    await network.detach();
  });

  it('are one picture on the overview, in which each cell has a name and leads to its monitor', async () => {
    await visit.open();
    const picture = page.getByRole('slider', { name: 'Monitors, worst first' });
    await picture.focus();
    await picture.and(page.locator('[aria-valuetext="Checkout: Down"]')).waitFor();
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    await key('ArrowRight');
    await picture.and(page.locator('[aria-valuetext="Shop 01: Unknown"]')).waitFor();
    const box = (await picture.boundingBox())!;
    await page.mouse.move(box.x + 5, box.y + 5);
    await page.getByText('https://', { exact: false }).first().waitFor();
    await picture.and(page.locator('[aria-valuetext="Checkout: Down"]')).waitFor();
    await page.mouse.click(box.x + 5, box.y + 5);
    await page.waitForURL(new RegExp(`/monitors/${broken}$`));
  });

  it('are grouped in that picture by the key of a tag, the worst group first, and each group leads to its list', async () => {
    await visit.open();
    await page.getByRole('button', { name: 'Group by: none' }).click();
    await page.getByRole('menuitemradio', { name: 'tag team' }).click();
    await page.waitForURL(/\?by=team$/);
    const cellsOf = (group: string) => page.getByRole('slider', { name: `${group}, worst first` });
    await cellsOf('team:web').focus();
    await cellsOf('team:web').and(page.locator('[aria-valuetext="Shop 10: Unknown"]')).waitFor();
    await cellsOf('No team tag').focus();
    await cellsOf('No team tag').and(page.locator('[aria-valuetext="Checkout: Down"]')).waitFor();
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    await page.setViewportSize({ width: 320, height: 700 });
    await expectFits(page);
    await page.setViewportSize({ width: 1_280, height: 900 });
    const asked: string[] = [];
    const note = (request: { url(): string }) => asked.push(new URL(request.url()).pathname);
    page.on('request', note);
    await page.reload();
    const group = (name: string) => page.getByRole('region', { name, exact: true });
    await group('team:web').waitFor();
    page.off('request', note);
    expect(asked, 'the page has the groups already').not.to.include('/api/v1/overview/groups');
    expect(await page.locator('.fleet-groups h3').allTextContents()).to.deep.equal(['No team tag', 'team:web']);
    await group('No team tag').getByRole('link').click();
    await page.waitForURL(/\/monitors\?without=team$/);
    await page.getByText(`${MONITORS - 5} monitors`, { exact: true }).waitFor();
    await visit.open('?by=nothing');
    await page.getByRole('button', { name: 'Group by: tag nothing' }).waitFor();
    await group('No nothing tag').waitFor();
  });

  it('show more groups in their place, and the keys lead from one group to another', async () => {
    await stage.app.sql(
      `UPDATE monitor SET tags = tags || ('unit:' || right(name, 2)) WHERE name LIKE 'Shop %' AND name < 'Shop 31'`,
    );
    await visit.open('?by=unit');
    const pictures = page.locator('.fleet-groups .fleet');
    const named = async (place: number) => (await pictures.nth(place).getAttribute('aria-label'))!;
    await pictures.nth(11).waitFor();
    expect(await pictures.count()).to.equal(FIRST_SCREEN.groups);
    expect(await page.locator('.fleet-groups .fleet[tabindex="0"]').count(), 'one stop of Tab').to.equal(1);
    await pictures.first().focus();
    await key('PageDown');
    await page.locator(`.fleet[tabindex="0"][aria-label="${await named(1)}"]:focus`).waitFor();
    await key('PageUp');
    await page.locator(`.fleet[tabindex="0"][aria-label="${await named(0)}"]:focus`).waitFor();
    await key('End');
    await page.locator('.fleet:focus[aria-valuenow="30"][aria-valuetext="Shop 60: Unknown"]').waitFor();
    await page.getByText('The worst 12 of 31 groups').waitFor();
    await page.getByRole('button', { name: 'Show 19 more' }).click();
    await pictures.nth(30).waitFor();
    const thirteenth = page.locator('.fleet-groups > section').nth(12).getByRole('link');
    await thirteenth.and(page.locator(':focus')).waitFor();
    expect(await page.getByRole('button', { name: /^Show \d+ more/ }).count()).to.equal(0);
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    await stage.app.sql(
      `UPDATE monitor SET tags = CASE WHEN 'team:web' = ANY (tags) THEN '{team:web}' ELSE '{}' END::text[]`,
    );
  });

  it('are found by the palette with what is there, before the server answers, which moves nothing', async () => {
    const { api } = stage.app;
    const named = await create(api, '/api/v1/status-page', { name: 'Shop', slug: 'shop-status' });
    await visit.open();
    const held = /\/api\/v1\/search/;
    let release = () => {};
    const isReleased = new Promise<void>((resolve) => (release = resolve));
    await page.route(held, (route) => isReleased.then(() => route.fallback()));
    await key('Control+k');
    await page.keyboard.type('shop');
    const options = page.getByRole('option');
    await options.filter({ hasText: 'Shop 01' }).first().waitFor();
    const before = await options.allTextContents();
    await page.keyboard.press('ArrowDown');
    const chosen = await page.locator('[role=option][aria-selected=true]').textContent();
    release();
    await eventually('the server has more', async () => (await options.count()) > before.length || undefined);
    expect((await options.allTextContents()).slice(0, before.length)).to.deep.equal(before);
    expect(await page.locator('[role=option][aria-selected=true]').textContent()).to.equal(chosen);
    await page.unroute(held);
    await key('Escape');
    await options.first().waitFor({ state: 'detached' });
    // Who has not moved, and has typed the whole name of something, means that.
    await key('Control+k');
    await page.keyboard.type('shop');
    await options.first().filter({ hasText: 'shop-status' }).waitFor();
    await key('Escape');
    await api('DELETE', `/api/v1/status-page/${named.id}`);
  });

  it('are found by the palette with what the server has, and without the mouse', async () => {
    await key('Control+k');
    await page.getByRole('combobox').waitFor();
    await page.keyboard.type('shop-42');
    await page.getByRole('option', { name: /^Shop 42/ }).waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('checko');
    await page.getByRole('option', { name: /^Checkout https/ }).waitFor();
    // Its incident; only one is waited for.
    await page.getByRole('option', { name: /Checkout: .*Open/ }).waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('monitors');
    await page.getByRole('option', { name: /^Monitors/ }).waitFor();
    await key('Enter');
    await page.waitForURL(/\/monitors$/);
    await settled(page);
    // Focus is on the heading of the new screen.
    await page.locator('main h1:focus', { hasText: /^Monitors/ }).waitFor();
  });

  it('lead to screens, and to what can be made there, by two keys and by the palette', async () => {
    await visit.open('/monitors');
    await key('g');
    await key('i');
    await page.waitForURL(/\/incidents$/);
    await key('g');
    await key('m');
    await page.waitForURL(/\/monitors$/);
    await settled(page);
    await key('n');
    await page.waitForURL(/\/monitors\/new$/);
    await visit.open('/settings/api-keys');
    await key('n');
    await page.getByRole('dialog', { name: 'New API key' }).locator('input:focus').waitFor();
    expect(new URL(page.url()).search).to.equal('');
    await key('Escape');
    await key('Control+k');
    await page.keyboard.type('invite');
    await page.getByRole('option', { name: /^Invite somebody/ }).waitFor();
    await key('Enter');
    await page.getByRole('dialog', { name: /^Invite to/ }).waitFor();
    await key('Escape');
    await key('Control+k');
    await page.keyboard.type('checko');
    await page.getByRole('option', { name: /^Silence Checkout/ }).click();
    await page.waitForURL(/\/maintenance\/new\?monitorId=/);
    await visit.open('/monitors');
    await key('Control+k');
    await page.keyboard.type('checko');
    await page.getByRole('option', { name: /^Acknowledge Checkout/ }).click();
    await page.getByText('Acknowledged: Checkout').waitFor();
    await page.getByRole('button', { name: 'Unacknowledge' }).click();
    await page.getByText('Unacknowledged: Checkout').waitFor();
  });

  it('are worked through by keys alone: filter, move, select, pause, open', async () => {
    await visit.open('/monitors');
    await key('/');
    await page.keyboard.type('shop-3');
    await page.waitForURL(/search=shop-3/);
    await page.getByText('11 monitors', { exact: true }).waitFor();
    await key('Enter');
    await key('j');
    const first = await focusedText(page);
    expect(first).to.match(/^Shop \d\d/);
    await key('j');
    expect(await focusedText(page)).not.to.equal(first);
    await key('k');
    expect(await focusedText(page)).to.equal(first);
    await key('x');
    await page.getByRole('region', { name: 'Selected monitors' }).getByText('1 monitor selected').waitFor();
    await key('x');
    const name = first.slice(0, 7);
    await key('p');
    await page.getByText(`Paused: ${name}`).waitFor();
    expect((await named(encodeURIComponent(name)))[0]!.monitoringStatus).to.equal('paused');
    expect(await focusedText(page), 'focus stays in the row').to.equal(first);
    await rows().filter({ hasText: name }).getByText('Paused').waitFor();
    await key('p');
    await page.getByText(`Resumed: ${name}`).waitFor();
    await page.evaluate(NOTE_WHAT_GETS_FOCUS);
    await key('?');
    const help = page.getByRole('dialog', { name: 'Keys' });
    expect(await help.innerText()).to.match(/Pause or resume the monitor/);
    await key('Escape');
    await help.waitFor({ state: 'detached' });
    expect(await focusedText(page), 'the dialog gives focus back').to.equal(first);
    expect(await page.evaluate('focused'), 'and to nothing else before').to.deep.equal(['BUTTON', 'A']);
    await key('Enter');
    await page.waitForURL(/\/monitors\/[0-9a-f-]{36}$/);
    await settled(page);
    await page.goBack();
    await page.locator('main tr a:focus', { hasText: name }).waitFor();
  });

  it('are filtered, sorted and paged by the server, and a link brings all of it back', async () => {
    await visit.open('/monitors?sort=name');
    await page.getByText(`${MONITORS + 1} monitors`, { exact: true }).waitFor();
    expect(await rows().count()).to.equal(50);
    expect(await rows().first().innerText()).to.include('Checkout');
    await page.getByRole('link', { name: /next/i }).click();
    await page.waitForURL(/page=2/);
    await rows().nth(10).waitFor();
    await rows().nth(11).waitFor({ state: 'detached' });
    await page.reload();
    await settled(page);
    expect(await rows().count()).to.equal(11);
    await visit.open('/monitors?tag=team%3Aweb');
    expect(await page.getByLabel('Filter monitors').inputValue()).to.equal('tag:team:web');
    expect(await rows().count()).to.equal(6);
    // What is known of it is at most two minutes old, however long it took until here.
    await fileCheck(stage.app, broken, BROKEN);
    for (const filter of ['status=down', 'state=down']) {
      await visit.open(`/monitors?${filter}`);
      expect(await rows().count()).to.equal(1);
    }
  });

  it('are filtered by facets, which are the terms of the box, and sorted by the last check', async () => {
    await visit.open('/monitors?search=shop&page=2');
    const facets = page.getByRole('group', { name: 'Filter by' });
    const choose = async (facet: RegExp, role: 'menuitemradio' | 'menuitemcheckbox', value: string) => {
      await facets.getByRole('button', { name: facet }).click();
      await page.getByRole(role, { name: value, exact: true }).click();
    };
    await choose(/^Tag/, 'menuitemcheckbox', 'team:web (6)');
    await page.getByText('6 monitors', { exact: true }).waitFor();
    expect(await page.getByLabel('Filter monitors').inputValue()).to.equal('tag:team:web shop');
    await choose(/^Type/, 'menuitemradio', 'ping');
    await page.getByText('No monitors match.').waitFor();
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    await choose(/^Type: ping/, 'menuitemradio', 'ping');
    await choose(/^State/, 'menuitemradio', 'down');
    await page.getByText('0 monitors', { exact: true }).waitFor();
    expect(await page.getByLabel('Filter monitors').inputValue()).to.equal('tag:team:web state:down shop');
    await choose(/^State: down/, 'menuitemradio', 'unknown');
    await page.waitForURL(/state=unknown/);
    await page.getByText('6 monitors', { exact: true }).waitFor();
    await choose(/^State: unknown/, 'menuitemradio', 'unknown');
    await choose(/^Tag: team:web/, 'menuitemcheckbox', 'team:web (6)');
    await page.waitForURL(/search=shop$/);
    await page.getByRole('columnheader', { name: 'Last check' }).getByRole('link').click();
    await page.waitForURL(/sort=lastChecked/);
    // Of all, one was ever checked.
    await rows().first().filter({ hasText: 'Checkout' }).waitFor();
  });

  it('are changed all together only while the whole page is selected', async () => {
    await visit.open('/monitors?search=shop');
    await page.getByRole('checkbox', { name: 'Select all of this page' }).check();
    const bar = page.getByRole('region', { name: 'Selected monitors' });
    // With Checkout, by its URL.
    await bar.getByRole('button', { name: `Select all ${MONITORS + 1} that match` }).click();
    await bar.getByText(`${MONITORS + 1} monitors selected`).waitFor();
    const exception = rows().first().getByRole('checkbox');
    await exception.uncheck();
    await bar.getByText('49 monitors selected').waitFor();
    await exception.check();
    await bar.getByText('50 monitors selected').waitFor();
  });

  it('are changed all together by their state, and never beyond it', async () => {
    await visit.open('/monitors?state=unknown');
    await page.getByRole('checkbox', { name: 'Select all of this page' }).check();
    const bar = page.getByRole('region', { name: 'Selected monitors' });
    await bar.getByRole('button', { name: `Select all ${MONITORS} that match` }).click();
    await bar.getByRole('button', { name: 'Add tags' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Tags').fill('new');
    await key('Enter');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await page.getByText(`Tagged ${MONITORS} monitors`, { exact: true }).waitFor();
    // Checkout, which is down, has it not.
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText(`Removed tags of ${MONITORS} monitors`, { exact: true }).waitFor();
  });

  it('are never changed by a filter whose answer is not there yet', async () => {
    await visit.open('/monitors?search=shop-');
    let release = () => {};
    const isReleased = new Promise<void>((resolve) => (release = resolve));
    const held = /\/api\/v1\/monitor\?search=shop&/;
    await page.route(held, (route) => isReleased.then(() => route.fallback()));
    // Checkout too has that, and is not in what is shown.
    await page.getByLabel('Filter monitors').fill('shop');
    await page.waitForURL(/search=shop$/);
    await page.getByRole('checkbox', { name: 'Select all of this page' }).check();
    const bar = page.getByRole('region', { name: 'Selected monitors' });
    await bar.getByText('50 monitors selected').waitFor();
    expect(await bar.getByRole('button', { name: /^Select all/ }).count()).to.equal(0);
    release();
    await page.getByText(`${MONITORS + 1} monitors`, { exact: true }).waitFor();
    await page.unroute(held);
  });

  it('get a tag and settings all at once, more than a request changes, and the tag is taken back', async () => {
    await fillMonitors(stage.app, broken, 600, ['bulk']);
    await visit.open('/monitors?tag=bulk');
    const bar = page.getByRole('region', { name: 'Selected monitors' });
    const selectAll = async () => {
      await page.getByRole('checkbox', { name: 'Select all of this page' }).check();
      await bar.getByRole('button', { name: 'Select all 600 that match' }).click();
    };
    const count = async (query: string) =>
      (await stage.app.api('GET', `/api/v1/monitor?pageSize=1&${query}`)).headers.get('x-total-count');
    await selectAll();
    await bar.getByRole('button', { name: 'Add tags' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Tags').fill('new');
    await key('Enter');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await page.getByText('Tagged 600 monitors', { exact: true }).waitFor();
    expect(await count('tag=new')).to.equal('600');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('500 of 600 monitors changed …').last().waitFor();
    await page.getByText('Removed tags of 600 monitors', { exact: true }).waitFor();
    expect(await count('tag=new')).to.equal('0');
    await selectAll();
    await bar.getByRole('button', { name: 'Change settings' }).click();
    await dialog.getByText('Nothing is chosen yet.').waitFor();
    await dialog.getByLabel('Checked every').selectOption('PT10M');
    await dialog.getByText('600 monitors of 600 will change.').waitFor();
    await dialog.getByText('Until now: 600 × every 5 min').waitFor();
    await dialog.getByRole('button', { name: 'Change them' }).click();
    await page.getByText('Changed 600 monitors', { exact: true }).waitFor();
    const { body } = await stage.app.api<{ checkInterval: string }[]>('GET', '/api/v1/monitor?tag=bulk&pageSize=200');
    expect(new Set(body.map(({ checkInterval }) => checkInterval))).to.deep.equal(new Set(['PT10M']));
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await page.getByText('Changed back: 600 monitors').waitFor();
    const { body: back } = await stage.app.api<{ checkInterval: string }[]>('GET', '/api/v1/monitor?tag=bulk');
    expect(back[0]!.checkInterval).to.equal('PT5M');
    await selectAll();
    await bar.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('textbox').fill('600');
    await stage.app.sql(
      "UPDATE monitor SET tags = '{gone}' WHERE id = (SELECT id FROM monitor WHERE tags = '{bulk}' LIMIT 1)",
    );
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByText('Now it would be 599 monitors.').waitFor();
    await key('Escape');
    await stage.app.sql("DELETE FROM monitor WHERE tags && '{bulk,gone}'");
  });

  it('get a channel and a team all at once, and maintenance that begins now, and each is taken back', async () => {
    const { api } = stage.app;
    const group = await create(api, '/api/v1/action-groups/email', { name: 'Ops', recipients: ['ops@example.test'] });
    await create(api, '/api/v1/teams', { name: 'Night watch' });
    await visit.open('/monitors?tag=team%3Aweb');
    const bar = page.getByRole('region', { name: 'Selected monitors' });
    const dialog = page.getByRole('dialog');
    const choose = async (button: string) => {
      await page.getByRole('checkbox', { name: 'Select all of this page' }).check();
      await bar.getByRole('button', { name: button }).click();
      await dialog.waitFor();
    };
    const undo = async (done: string | RegExp) => {
      await page.getByText(done).waitFor();
      await page.getByRole('button', { name: 'Undo' }).last().click();
    };
    const attached = async () =>
      (await api<unknown[]>('GET', `/api/v1/action-groups/${group.id}/monitors`)).body.length;
    await choose('Channel');
    expect(await dialog.getByRole('button', { name: 'Add' }).isDisabled()).to.equal(true);
    await dialog.getByLabel('Channel').selectOption('Ops');
    await dialog.getByText('6 monitors of 6 will change.').waitFor();
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    await dialog.getByRole('button', { name: 'Add' }).click();
    await page.getByText('Channel added to 6 monitors').waitFor();
    expect(await attached()).to.equal(6);
    await undo('Channel added to 6 monitors');
    await page.getByText('Channel removed from 6 monitors').waitFor();
    expect(await attached()).to.equal(0);

    await choose('Change settings');
    await dialog.getByLabel('Team').selectOption('Night watch');
    await dialog.getByText('Until now: 6 × no team').waitFor();
    await dialog.getByRole('button', { name: 'Change them' }).click();
    await undo('Changed 6 monitors');
    await page.getByText('Changed back: 6 monitors').waitFor();

    const covered = async () =>
      (await api<{ maintenance: unknown }[]>('GET', '/api/v1/monitor?tag=team:web')).body.filter(
        ({ maintenance }) => maintenance !== null,
      ).length;
    await choose('Maintenance');
    await dialog.getByLabel('Window').selectOption('New, from now for 1 h');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await page.getByText('In maintenance for 1 h: 6 monitors').waitFor();
    expect(await covered()).to.equal(6);
    await undo('In maintenance for 1 h: 6 monitors');
    await eventually('the window is gone', async () => (await covered()) === 0 || undefined);
  });

  it('are paused and deleted many at once, and what is deleted along is named', async () => {
    await visit.open('/monitors?tag=team%3Aweb');
    await page.getByRole('checkbox', { name: 'Select all of this page' }).check();
    const bar = page.getByRole('region', { name: 'Selected monitors' });
    await bar.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Paused: 6 monitors').waitFor();
    await rows().nth(5).getByText('Paused').waitFor();
    await page.getByRole('checkbox', { name: 'Select all of this page' }).check();
    await bar.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.innerText()).to.match(/results are deleted[\s\S]*cannot be undone/);
    const confirm = dialog.getByRole('button', { name: /^Delete/ });
    const typed = /Type (.+) to confirm/.exec(await dialog.innerText())?.[1];
    if (typed !== undefined) await dialog.getByRole('textbox').fill(typed);
    await confirm.click();
    await page.getByText('Deleted 6 monitors', { exact: true }).waitFor();
    await page.getByText('Nothing matches').waitFor();
    const left = await stage.app.api('GET', '/api/v1/monitor?pageSize=1');
    expect(left.headers.get('x-total-count')).to.equal(String(MONITORS - 5));
  });

  it('follow an incident without reloading, and acknowledge it by a key', async () => {
    await fileCheck(stage.app, broken, BROKEN);
    await visit.open();
    await page.getByText('Live', { exact: true }).waitFor();
    const attention = page.getByRole('region', { name: 'Needs attention' });
    await attention.getByRole('link', { name: 'Checkout' }).waitFor();
    const other = await create<{ id: string }>(stage.app.api, '/api/v1/monitor', {
      name: 'Search',
      url: 'https://search.example/',
      numberOfChecksBeforeAlert: 1,
    });
    await fileCheck(stage.app, other.id, BROKEN);
    await attention.getByRole('link', { name: 'Search' }).waitFor();
    await page.getByRole('heading', { level: 1, name: /^2 down/ }).waitFor();
    await page.locator('main h1').focus();
    await key('j');
    await key('a');
    await page.getByText(/^Acknowledged: /).waitFor();
    await attention.getByText(/^Acknowledged by/).waitFor();
    expectNoComplaints(visit);
  });
});
