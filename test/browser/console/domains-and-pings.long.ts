import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { accessibilityFaults, describeInBrowser, takePicture } from '../../support/browser.js';
import {
  expectFits,
  expectNoComplaints,
  fileCheck,
  settled,
  startConsole,
  type ConsoleStage,
  type Visit,
} from '../../support/console.js';
import { type RdapServer, registration, startRdapServer } from '../../support/rdap-server.js';
import { create, seedMonitor } from '../../support/seed.js';

describeInBrowser('domains, pings and places of a test in the console (Chromium)', () => {
  let rdap: RdapServer;
  let stage: ConsoleStage;
  let visit: Visit;
  let page: Page;

  before(async () => {
    rdap = await startRdapServer(['test']);
    stage = await startConsole({
      env: { DOMAIN_RDAP_BOOTSTRAP_URL: rdap.bootstrapUrl, WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' },
    });
    await stage.app.plane.partitions.makeAhead();
    visit = await stage.visit(stage.app.owner);
    ({ page } = visit);
  });
  after(async () => {
    await stage?.stop();
    await rdap?.close();
  });

  async function expectOnPhone(picture: string): Promise<void> {
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectFits(page);
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    await takePicture(page, picture);
    await page.setViewportSize({ width: 1_280, height: 900 });
  }

  it('watch a domain from the form to the evidence of its incident', async () => {
    const expires = new Date(Date.now() + 15 * 86_400_000).toISOString();
    rdap.answers.set('shop.test', registration('shop.test', { expires, registrar: 'Names Ltd' }));
    await visit.open('/monitors/new');
    // It is tested as a web site until the type is chosen, and no agent is here.
    visit.expects(/503.*monitor-test/);
    await page.getByLabel('URL').fill('www.shop.test');
    await page.keyboard.press('Enter');
    await page.getByRole('status', { name: /Test of/ }).waitFor();
    await page.getByLabel('Domain').check();
    await page.getByRole('button', { name: 'Test', exact: true }).waitFor({ state: 'detached' });
    expect(await page.getByRole('status', { name: /Test of/ }).count()).to.equal(0);
    await page.getByText('Advanced settings').click();
    await page.getByLabel('Open an incident from days left').fill('20');
    await page.getByRole('button', { name: 'Create monitor' }).click();
    await page.getByText('Its registry has not been asked yet.').waitFor();
    const [monitor] = (await stage.app.api('GET', '/api/v1/monitor?search=shop.test')).body;
    expect(monitor).to.deep.include({ url: 'shop.test', monitorTypes: ['Domain'] });
    expect(monitor.domain).to.include({ incidentDays: 20 });

    await stage.app.plane.jobs.find(({ name }) => name === 'query_domains')!.run();
    await stage.app.plane.periodicTasks.find(({ name }) => name === 'sweep_silence')!.run();
    await visit.open(`/monitors/${monitor.id}`);
    await page.getByText('It expires soon.').waitFor();
    await page.getByText('Names Ltd').waitFor();
    await expectOnPhone('console-domain-phone');

    await page.getByRole('link', { name: 'Evidence', exact: true }).click();
    await page.getByRole('heading', { name: 'What the registry answered' }).waitFor();
    await page.getByText('Names Ltd').waitFor();
    await settled(page);
    await expectOnPhone('console-domain-evidence-phone');
  });

  it('draw the packets that pings lost, beside their round trip', async () => {
    const { id } = await seedMonitor(stage.app, { url: 'gate.example', monitorTypes: ['Ping'], ping: { count: 4 } });
    await stage.app.sql("UPDATE monitor SET checks_changed = now() - interval '4 h' WHERE id = $1", [id]);
    const times = { minMs: 9, averageMs: 10, maxMs: 11, stddevMs: 1 };
    for (const [half, received] of [4, 4, 2, 3, 4].entries())
      await fileCheck(
        stage.app,
        id,
        { kind: 'up' },
        { atMs: Date.now() - (5 - half) * 1_800_000, findings: { ping: { sent: 4, received, ...times } } },
      );
    await visit.open(`/monitors/${id}`);
    await page.getByRole('heading', { name: 'Latency' }).scrollIntoViewIfNeeded();
    const chart = page.getByRole('slider', { name: /^Packets lost of / });
    await chart.waitFor();
    await page.getByText('15.00 %').first().waitFor();
    await page.getByRole('slider', { name: /^Latency of / }).waitFor();
    await chart.focus();
    const seen: (string | null)[] = [];
    for (let press = 0; press < 30; press++) {
      await page.keyboard.press('ArrowLeft');
      seen.push(await chart.getAttribute('aria-valuetext'));
    }
    expect(seen.some((text) => text?.endsWith('lost 50.00 %'))).to.equal(true, seen.join('\n'));
    await page.getByRole('heading', { name: 'Results' }).scrollIntoViewIfNeeded();
    await page.getByRole('cell', { name: '2 of 4' }).waitFor();
    await expectOnPhone('console-ping-phone');
  });

  it('test from the place that is chosen', async () => {
    const location = { name: 'Office', slug: 'office', allowCidrs: ['0.0.0.0/0', '::/0'] };
    await create(stage.app.api, '/api/v1/private-locations', location);
    const { id } = await seedMonitor(stage.app, { privateLocations: ['office'] });
    await visit.open(`/monitors/${id}`);
    const asked = () => page.waitForRequest((request) => request.url().endsWith('/api/v1/monitor-test'));
    let request = asked();
    await page.getByRole('button', { name: 'Test now' }).click();
    expect((await request).postDataJSON()).to.not.have.property('location');
    const choice = page.getByLabel('Tested from');
    await choice.locator('option').nth(1).waitFor({ state: 'attached' });
    expect(await choice.locator('option').count()).to.equal(2);
    request = asked();
    await choice.selectOption('private:office');
    expect((await request).postDataJSON()).to.include({ location: 'office' });
    expect(await choice.inputValue()).to.equal('office');
    expectNoComplaints(visit);
  });
});
