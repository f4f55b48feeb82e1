import { expect } from 'chai';
import { accessibilityFaults, describeInBrowser } from '../../support/browser.js';
import { expectFits, expectNoComplaints, settled, startConsole } from '../../support/console.js';
import { startedForSuite } from '../../support/suite.js';

describeInBrowser('private locations in the console (Chromium)', () => {
  const stage = startedForSuite(() => startConsole());

  it('are set up from the name to the agent, which the screen shows as soon as it connects', async () => {
    const visit = await stage.visit(stage.app.owner, { path: '/settings/locations' });
    const { page } = visit;
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'New location' }).first().click();
    await dialog.getByLabel('Name', { exact: true }).fill('Office');
    await dialog.getByLabel('Slug').fill('office');
    await dialog.getByLabel('What its agents may reach').fill('10.20.0.0/16\nfd00::/8');
    await dialog.getByRole('button', { name: 'Add a label' }).click();
    await dialog.getByLabel('Name of label 1').fill('site');
    await dialog.getByLabel('Value of label 1').fill('Dublin');
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await dialog.getByRole('heading', { name: 'New agent' }).waitFor();
    await dialog.getByLabel('Name', { exact: true }).fill('rack-1');
    await dialog.getByRole('button', { name: 'Create the agent' }).click();
    await dialog.getByText('This page turns when the agent connects').waitFor();
    for (const way of ['One file', 'Container', 'systemd'])
      await dialog.getByRole('button', { name: `Copy the command: ${way}` }).waitFor();
    expect(await dialog.locator('pre').first().innerText()).to.match(/CONTROL_PLANE_URL=http:\S+:\d+ AGENT_TOKEN=wpa_/);
    const [location] = (await stage.app.api('GET', '/api/v1/private-locations')).body;
    expect(location.labels).to.deep.equal({ site: 'Dublin' });
    expect(await accessibilityFaults(page)).to.deep.equal([]);

    // What the gateway does when an agent connects.
    await stage.app.sql(
      `WITH seen AS (UPDATE agent SET last_seen = $1, version = 'other' WHERE name = 'rack-1' RETURNING id, region)
       INSERT INTO fleet_lease (agent_id, region, process_id, session_id, connected, capabilities)
       SELECT id, region, id, id, true, '{}' FROM seen`,
      [new Date(stage.app.clock.now())],
    );
    await dialog.getByText('Connected, of another version').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await settled(page);
    const row = page.getByRole('row', { name: /Office/ });
    expect(await row.innerText())
      .to.include('private:office')
      .and.to.include('rack-1')
      .and.to.include('10.20.0.0/16');
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    await page.setViewportSize({ width: 320, height: 800 });
    await expectFits(page);

    await visit.open('/monitors/new');
    await page.getByLabel('Office').waitFor();
    await settled(page);
    expect(await page.getByLabel(/Home region/).isDisabled(), 'it is always on without a location').to.equal(true);
    await page.getByLabel('Office').check();
    await page.getByLabel(/Home region/).uncheck();
    // The location runs the one-off test, and its agent is not there.
    visit.expects(/503.*monitor-test/);
    await page.getByLabel('URL').fill('http://10.20.0.5/');
    await page.getByRole('button', { name: 'Create monitor' }).click();
    await page.getByRole('heading', { level: 1, name: /10\.20\.0\.5/ }).waitFor();
    const [monitor] = (await stage.app.api('GET', '/api/v1/monitor?search=10.20.0.5')).body;
    expect(monitor).to.deep.include({ homeRegion: false, privateLocations: ['office'], enabledRegions: [] });
    await visit.open('/settings/locations');

    await row.getByRole('button', { name: 'Revoke rack-1' }).click();
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await row.getByText('None').waitFor();
    expectNoComplaints(visit);
  });
});
