import { expect } from 'chai';
import { describeInBrowser } from '../../support/browser.js';
import { expectNoComplaints, startConsole, type ConsoleStage } from '../../support/console.js';
import { seedMonitor } from '../../support/seed.js';

describeInBrowser('the regions in the console (Chromium)', () => {
  let stage: ConsoleStage;

  before(async () => {
    stage = await startConsole();
    await seedMonitor(stage.app);
  });
  after(() => stage?.stop());

  it('show a region without agents as silent, with what that means for its monitors', async () => {
    const visit = await stage.visit(stage.app.owner, { path: '/regions' });
    const row = visit.page.getByRole('table', { name: 'Regions in use' }).getByRole('row', { name: /northeurope/ });
    const text = await row.innerText();
    expect(text).to.include('Silent');
    expect(text).to.include('stay unknown');
    expect(text, 'monitors').to.match(/\b1\b/);
    await visit.page.getByRole('heading', { name: 'Not in use' }).waitFor();
    expectNoComplaints(visit);
  });
});
