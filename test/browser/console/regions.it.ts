import { expect } from 'chai';
import { describeInBrowser } from '../../support/browser.js';
import { expectNoComplaints, startConsole } from '../../support/console.js';
import { create, seedMonitor } from '../../support/seed.js';
import { startedForSuite } from '../../support/suite.js';

describeInBrowser('the regions in the console (Chromium)', () => {
  const stage = startedForSuite(() => startConsole());

  before(async () => {
    await seedMonitor(stage.app);
    await create(stage.app.api, '/api/v1/private-locations', { name: 'Office', slug: 'office' });
  });

  it('show a region without agents as silent, with what that means for its monitors', async () => {
    const visit = await stage.visit(stage.app.owner, { path: '/regions' });
    const row = visit.page.getByRole('table', { name: 'Regions in use' }).getByRole('row', { name: /northeurope/ });
    const text = await row.innerText();
    expect(text).to.include('Silent');
    expect(text).to.include('stay unknown');
    expect(text, 'monitors').to.match(/\b1\b/);
    await visit.page.getByRole('heading', { name: 'Not in use' }).waitFor();

    const map = visit.page.getByRole('button', { name: 'North Europe, Ireland: Silent. Go to its row.' });
    await map.focus();
    const chosen = row.and(visit.page.locator('.is-selected'));
    await chosen.waitFor();
    const [place, card] = await Promise.all([map.boundingBox(), visit.page.locator('.map').boundingBox()]);
    // Ireland is left of the middle and in the upper third.
    expect((place!.x + place!.width / 2 - card!.x) / card!.width).to.be.within(0.47, 0.51);
    expect((place!.y + place!.height / 2 - card!.y) / card!.height).to.be.within(0.15, 0.3);
    await map.blur();
    await chosen.waitFor({ state: 'detached' });
    await visit.page
      .getByRole('region', { name: 'Private locations' })
      .getByRole('link', { name: 'No agent Office' })
      .waitFor();
    await visit.page.setViewportSize({ width: 390, height: 800 });
    const cut = await visit.page.evaluate<string[]>(
      `[...document.querySelectorAll('td')].filter((cell) => cell.scrollHeight > cell.clientHeight).map((cell) => cell.innerText)`,
    );
    expect(cut, 'cells that are lower than their text').to.deep.equal([]);
    expectNoComplaints(visit);
  });
});
