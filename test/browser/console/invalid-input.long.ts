import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../support/browser.js';
import { expectNoComplaints, focusedText, startConsole, type ConsoleStage, type Visit } from '../../support/console.js';
import { seedMonitor } from '../../support/seed.js';

describeInBrowser('buttons of the console on invalid input (Chromium)', () => {
  let stage: ConsoleStage;
  let visit: Visit;
  let page: Page;

  before(async () => {
    stage = await startConsole();
    visit = await stage.visit(stage.app.owner);
    page = visit.page;
    // There is no agent that would test anything.
    visit.expects(/ERR_FAILED/);
    await page.route(/monitor-test/, (route) => route.abort());
  });
  after(() => stage?.stop());
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

  it('`Show` of a range that was entered the other way round shows it', async () => {
    const { id } = await seedMonitor(stage.app);
    await visit.open(`/monitors/${id}`);
    await press('Custom');
    await page.locator('[name=from]').fill('2026-11-02T10:00');
    await page.locator('[name=to]').fill('2026-11-01T10:00');
    await press('Show');
    await page.waitForURL(/from=2026-11-01T/);
  });
});
