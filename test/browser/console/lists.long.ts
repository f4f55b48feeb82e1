import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { BROKEN, UP } from '../../integration/results/seed.js';
import { accessibilityFaults, describeInBrowser } from '../../support/browser.js';
import {
  expectNoComplaints,
  fileCheck,
  focusedText,
  settled,
  startConsole,
  type ConsoleStage,
  type Visit,
} from '../../support/console.js';
import { create, fillMonitors, seedMonitor } from '../../support/seed.js';

/** More than a page of the list. */
const MONITORS = 60;

const NOTE_WHAT_GETS_FOCUS = `
  globalThis.focused = [];
  addEventListener('focusin', ({ target }) => focused.push(target.tagName));
`;

describeInBrowser('lists of the console (Chromium)', () => {
  let stage: ConsoleStage;
  let visit: Visit;
  let page: Page;
  let broken: string;

  before(async () => {
    stage = await startConsole();
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
  after(() => stage?.stop());

  const key = (name: string) => page.keyboard.press(name);
  const named = async (name: string) => {
    const { body } = await stage.app.api<{ monitoringStatus: string }[]>('GET', `/api/v1/monitor?search=${name}`);
    return body;
  };
  const rows = () => page.locator('main tr[data-row]');

  it('are one picture on the overview, in which each cell has a name and leads to its monitor', async () => {
    await visit.open();
    const picture = page.getByRole('slider', { name: 'Monitors, worst first' });
    await picture.focus();
    await picture.and(page.locator('[aria-valuetext="Checkout: Unavailable"]')).waitFor();
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    await key('ArrowRight');
    await picture.and(page.locator('[aria-valuetext="Shop 01: Unknown"]')).waitFor();
    const box = (await picture.boundingBox())!;
    await page.mouse.move(box.x + 5, box.y + 5);
    await page.getByText('https://', { exact: false }).first().waitFor();
    await picture.and(page.locator('[aria-valuetext="Checkout: Unavailable"]')).waitFor();
    await page.mouse.click(box.x + 5, box.y + 5);
    await page.waitForURL(new RegExp(`/monitors/${broken}$`));
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
    await page.getByRole('dialog', { name: 'New API key' }).waitFor();
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
    await visit.open('/monitors?status=unavailable');
    expect(await rows().count()).to.equal(1);
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
    await dialog.getByRole('button', { name: 'Change them' }).click();
    await page.getByText('Changed 600 monitors', { exact: true }).waitFor();
    const { body } = await stage.app.api<{ checkInterval: string }[]>('GET', '/api/v1/monitor?tag=bulk&pageSize=200');
    expect(new Set(body.map(({ checkInterval }) => checkInterval))).to.deep.equal(new Set(['PT10M']));
    await stage.app.sql("DELETE FROM monitor WHERE tags = '{bulk}'");
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
    await visit.open();
    await page.getByText('Live', { exact: true }).waitFor();
    const attention = page.getByRole('region', { name: 'Needs attention' });
    expect(await attention.getByRole('link', { name: 'Checkout' }).count()).to.equal(1);
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
