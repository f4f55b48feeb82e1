import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { accessibilityFaults, describeInBrowser, takePicture } from '../../support/browser.js';
import { expectFits, expectNoComplaints, fileCheck, startConsole, type Visit } from '../../support/console.js';
import { seedMonitor } from '../../support/seed.js';
import { startedForSuite } from '../../support/suite.js';

const ADDRESS = { responseUs: 12_300, certificateFingerprint: null, message: null };

describeInBrowser('addresses in the console (Chromium)', () => {
  const stage = startedForSuite(() => startConsole());
  let visit: Visit;
  let page: Page;
  let id: string;

  before(async () => {
    await stage.app.plane.partitions.makeAhead();
    ({ id } = await seedMonitor(stage.app, { http: { addresses: 'each', eachMustWork: true } }));
    const message = 'The server refused the connection.';
    await fileCheck(
      stage.app,
      id,
      { kind: 'down', phase: 'connect', reason: 'connection_refused', message },
      {
        findings: {
          addresses: [
            { ...ADDRESS, address: '203.0.113.7', status: 'available' },
            { ...ADDRESS, address: '2001:db8::1', status: 'unavailable', message },
          ],
          addressWarnings: ['2001:db8::2 was left out: this agent has no route to IPv6.'],
        },
      },
    );
    visit = await stage.visit(stage.app.owner);
    ({ page } = visit);
  });

  const field = (name: string) => page.getByLabel(name, { exact: true });

  it('are shown with what the latest check found at each, and with what was left out, on a phone too', async () => {
    await visit.open(`/monitors/${id}`);
    const table = page.getByRole('table', { name: 'Addresses' });
    await page.getByRole('heading', { name: 'Addresses' }).scrollIntoViewIfNeeded();
    await table.waitFor();
    expect(await table.getByRole('row').filter({ hasText: '203.0.113.7' }).textContent()).to.match(/Available.*12/);
    expect(await table.getByRole('row').filter({ hasText: '2001:db8::1' }).textContent()).to.contain('Down');
    await page.getByText('2001:db8::2 was left out').waitFor();
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectFits(page);
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    await takePicture(page, 'console-addresses-phone');
    await page.setViewportSize({ width: 1_440, height: 900 });
  });

  it('are chosen in the form of the monitor', async () => {
    await visit.open(`/monitors/${id}?edit=on`);
    await page.getByText('Advanced settings').click();
    expect(await field('Addresses').inputValue()).to.equal('each');
    const isStrict = page.getByRole('switch', { name: 'Down where one of the addresses fails' });
    expect(await isStrict.isChecked()).to.equal(true);
    await field('Addresses').selectOption('ipv4');
    await isStrict.uncheck();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor();
    const { body } = await stage.app.api<{ http: object }>('GET', `/api/v1/monitor/${id}`);
    expect(body.http).to.include({ addresses: 'ipv4', eachMustWork: false });
    expectNoComplaints(visit);
  });
});
