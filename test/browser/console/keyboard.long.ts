import { expect } from 'chai';
import { describeInBrowser } from '../../support/browser.js';
import { screenSamples, seedSamples } from '../../support/console-samples.js';
import { expectNoComplaints, startConsole, type Visit } from '../../support/console.js';
import { findBoxFaults } from '../../support/control-boxes.js';
import { openDialogs } from '../../support/open-dialogs.js';
import { startedForSuite } from '../../support/suite.js';
import { walkByTab } from '../../support/walk-by-tab.js';

/** No press of a button changes anything. In the page, because Chromium keeps nothing in its cache where requests are intercepted. */
const ONLY_READING = `{
  const real = fetch;
  globalThis.fetch = (url, init) => ((init?.method ?? 'GET') === 'GET' ? real(url, init) : Promise.reject(new TypeError('no change')));
}`;

describeInBrowser('every screen of the console by keyboard (Chromium)', () => {
  const stage = startedForSuite(() => startConsole());
  let visit: Visit;
  let ids: Record<string, string> = {};

  before(async () => {
    ids = await seedSamples(stage.app);
    visit = await stage.visit(stage.app.owner, { width: 1_440 });
    await visit.page.emulateMedia({ reducedMotion: 'reduce' });
    await visit.context.addInitScript(ONLY_READING);
  });

  async function show(address: string): Promise<void> {
    await visit.page.setViewportSize({ width: 1_440, height: 900 });
    await visit.open(address);
    await visit.page.waitForTimeout(100);
    await visit.page.evaluate(`document.querySelectorAll('details').forEach((each) => (each.open = true))`);
  }

  for (const { name, addressOf } of screenSamples()) {
    it(`${name} is walked by Tab to its end, forward and back, and so is each of its dialogs`, async () => {
      const { page } = visit;
      await show(addressOf(ids));
      const faults = await findBoxFaults(page);
      await show(addressOf(ids));
      await walkByTab(page, name);
      await openDialogs(
        page,
        () => show(addressOf(ids)),
        async (title, isDialog) => {
          faults.push(...(await findBoxFaults(page)).map((fault) => `${title}, ${fault}`));
          if (isDialog) await walkByTab(page, title);
        },
      );
      expect(faults, 'controls that overlap or are cut').to.deep.equal([]);
      expectNoComplaints(visit);
    });
  }

  it('nothing that is drawn takes focus back from somebody who has moved on', async () => {
    const { page } = visit;
    await show(`/monitors/${ids.shop}`);
    const bar = page.getByRole('slider', { name: 'Availability of Shop' });
    await bar.focus();
    // As by the key that puts the keyboard of a phone away.
    await page.evaluate('document.activeElement.blur()');
    await page.waitForTimeout(100);
    expect(await page.evaluate('document.activeElement.tagName')).to.equal('BODY');
    await bar.focus();
    await page.evaluate('document.activeElement.remove()');
    await page.waitForTimeout(100);
    expect(await page.evaluate('document.activeElement.tagName'), 'what a change took').to.equal('H1');
  });
});
