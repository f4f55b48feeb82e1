import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { accessibilityFaults, describeInBrowser } from '../../support/browser.js';
import { eventually } from '../../support/eventually.js';
import { expectNoComplaints, focusedText, startConsole, type Visit } from '../../support/console.js';
import { seedMonitor } from '../../support/seed.js';
import { startedForSuite } from '../../support/suite.js';

describeInBrowser('buttons of the console on invalid input (Chromium)', () => {
  const stage = startedForSuite(() => startConsole());
  let visit: Visit;
  let page: Page;

  before(async () => {
    visit = await stage.visit(stage.app.owner);
    page = visit.page;
    // There is no agent that would test anything.
    visit.expects(/ERR_FAILED/);
    await page.route(/monitor-test/, (route) => route.abort());
  });
  afterEach(() => expectNoComplaints(visit));

  const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click();
  /** The sentence of the browser itself beside a field. */
  const ownFault = (field: string) => page.evaluate<string>(`document.querySelector('${field}').validationMessage`);

  it('`Test it` of an empty workspace asks for a URL', async () => {
    await press('Test it');
    expect(await ownFault('#first-url')).not.to.equal('');
    expect(await page.evaluate('document.activeElement.id')).to.equal('first-url');
  });

  for (const [what, text] of [
    ['an empty address', ''],
    ['words', 'not a url'],
    ['an unknown scheme', 'ftp://shop.example'],
    ['a host without a dot', 'shop'],
  ] as const) {
    it(`\`Test\` shows the fault of ${what} at once, and takes it away when it is corrected`, async () => {
      await visit.open('/monitors/new');
      const field = page.getByLabel('URL', { exact: true });
      await field.fill(text);
      await press('Test');
      await page.getByText('Enter a valid URL, such as https://example.com').waitFor();
      expect(await field.getAttribute('aria-invalid')).to.equal('true');
      expect(
        await page.evaluate('document.activeElement.getAttribute("aria-invalid")'),
        await focusedText(page),
      ).to.equal('true');
      await field.fill('https://127.0.0.1:1');
      await press('Test');
      await page.getByText('Enter a valid URL').waitFor({ state: 'detached' });
    });
  }

  it('a range that was typed the other way round is turned, and what is no date is not taken', async () => {
    const { id } = await seedMonitor(stage.app);
    await visit.open(`/monitors/${id}`);
    const choice = page.getByRole('radiogroup', { name: 'Range' });
    await choice.getByRole('radio', { name: 'Custom' }).check();
    const range = page.getByRole('group', { name: 'Custom range' });
    const [from, to] = [range.getByLabel('From'), range.getByLabel('To')];
    await to.fill('1 nov 2026 at 10:00');
    await to.press('Enter');
    await page.waitForURL(/from=2026-11-01T/);
    await from.fill('31 Feb 2026');
    await from.press('Tab');
    await range.getByText('Write it as 22 Nov 2026, 10:00.').waitFor();
    expect(await from.getAttribute('aria-invalid')).to.equal('true');
    expect(page.url()).to.match(/from=2026-11-01T/);
    await choice.getByRole('radio', { checked: true }).focus();
    await page.keyboard.press('ArrowLeft');
    await page.waitForURL(/range=1y/);
    expect(await page.evaluate('document.activeElement.type'), 'what has focus').to.equal('radio');
  });

  it('a day is typed, or chosen in a calendar by keyboard', async () => {
    await visit.open('/incidents?show=all');
    const range = page.getByRole('group', { name: 'When they started' });
    const [from, until] = [range.getByLabel('Started from'), range.getByLabel('Started until')];
    await from.pressSequentially('3.3.2026');
    await page.waitForURL(/from=2026-03-03/);
    await until.focus();
    expect(await from.inputValue()).to.equal('3 Mar 2026');
    await until.fill('31 Mar 2026');
    await page.waitForURL(/to=2026-03-31/);

    await page.keyboard.press('Alt+ArrowDown');
    const calendar = page.getByRole('dialog', { name: 'Choose a day' });
    const day = () => page.evaluate<string | null>('document.activeElement.ariaLabel');
    await calendar.getByText('March 2026').waitFor();
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    expect(await day()).to.equal('31 March 2026');
    for (const [key, next] of [
      ['PageDown', '30 April 2026'],
      ['ArrowUp', '23 April 2026'],
      ['Home', '20 April 2026'],
      ['ArrowRight', '21 April 2026'],
      ['Shift+PageUp', '21 April 2025'],
      ['Shift+PageDown', '21 April 2026'],
      ['End', '26 April 2026'],
    ] as const) {
      await page.keyboard.press(key);
      expect(await day(), key).to.equal(next);
    }
    await page.keyboard.press('Escape');
    await calendar.waitFor({ state: 'detached' });
    expect(await day(), 'after Escape').to.equal('Calendar');
    expect(await until.inputValue()).to.equal('31 Mar 2026');
    await page.keyboard.press('Enter');
    await calendar.waitFor();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.waitForURL(/to=2026-04-01/);
    expect(await until.inputValue()).to.equal('1 Apr 2026');
    await calendar.waitFor({ state: 'detached' });
    // A press beside it closes it, and one on its button does not open it again.
    const button = range.getByRole('button', { name: 'Calendar' }).first();
    for (const count of [1, 0, 1]) {
      await button.click();
      await eventually('the calendar', async () => (await calendar.count()) === count || undefined, 30_000, 50);
    }
    await page.getByRole('heading', { level: 1 }).click();
    await calendar.waitFor({ state: 'detached' });
    expectNoComplaints(visit);
  });
});
