import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { MINUTE_MS } from '@watchpost/shared/time';
import { EVIDENCE, HOSTILE, linkTo, seedDay, seedOutage, seedWatched } from '../integration/incidents/seed-evidence.js';
import { NOON } from '../integration/results/seed.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { walkByTab } from '../support/walk-by-tab.js';
import { accessibilityFaults, describeInBrowser, startBrowser, takePicture } from '../support/browser.js';
import { makeWorld, type World } from '../support/seed.js';

describeInBrowser('the evidence document of an incident in a browser (Chromium)', () => {
  let app: TestApp;
  let world: World;
  let browser: Browser;
  let page: Page;
  let link: string;
  const asked: string[] = [];
  const complaints: string[] = [];

  before(async () => {
    [app, browser] = await Promise.all([startTestApp(), startBrowser()]);
    app.clock.set(NOON - 25 * 60 * MINUTE_MS);
    await app.plane.partitions.makeAhead();
    world = await makeWorld(app, 'Pro');
    const watched = await seedWatched(world, { name: 'Shop & <Café>' });
    await seedDay(world, watched);
    const incidentId = await seedOutage(world, watched);
    app.clock.advance(MINUTE_MS);
    const ann = await world.member('Responder');
    await ann.api('PATCH', `/api/v1/incident/${incidentId}`, { acknowledged: true });
    await ann.api('POST', `/api/v1/incident/${incidentId}/notes`, { note: 'The new release is being rolled back.' });
    link = await linkTo(app, incidentId);
    page = await browser.newPage({ viewport: { width: 900, height: 1_000 } });
    page.on('request', (request) => asked.push(request.url()));
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    await page.goto(link);
  });
  after(async () => {
    await browser?.close();
    await app?.stop();
  });

  const overflow = () => page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

  it('is walked by Tab to its end, forward and back', async () => {
    await page.goto(link);
    await walkByTab(page, 'the evidence');
  });

  it('shows the problem at a glance, also to screen readers, and loads no other resource', async () => {
    expect(await page.title()).to.equal('Shop & <Café> is partly down');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).to.include('Shop & <Café> is partly down');
    const glance = page.getByRole('region', { name: 'At a glance' });
    expect(await glance.innerText())
      .to.include('status 503')
      .and.to.include('Open, acknowledged by');
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    for (const picture of await page.getByRole('img').all())
      expect((await picture.ariaSnapshot()).length).to.be.greaterThan('- img ""'.length + 10);
    expect([...new Set(asked)], 'self-contained').to.deep.equal([link]);
    expect(complaints, 'its policy lets everything in that it has').to.deep.equal([]);
    await takePicture(page, 'incident-1-light');
  });

  it('shows the answer of the site as text and runs none of it', async () => {
    const shown = page.locator('pre').first();
    expect(await shown.innerText()).to.equal(HOSTILE);
    expect(await shown.locator('*').count(), 'it is text to the last character').to.equal(0);
    expect(await page.locator('script, img, iframe, link, object').count()).to.equal(0);
    expect(await page.getByText(EVIDENCE.headers!['server']!).count()).to.be.at.least(1);
  });

  it('is readable in the dark theme and on a phone', async () => {
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    await takePicture(page, 'incident-2-dark');
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await overflow()).to.equal(0);
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    await takePicture(page, 'incident-3-phone');
    await page.emulateMedia({ colorScheme: 'light' });
  });

  it('prints on paper and is readable without colours', async () => {
    await page.emulateMedia({ media: 'print' });
    // A4 at 96 pixels an inch, less margins of 1 cm.
    await page.setViewportSize({ width: 718, height: 1_000 });
    expect(await overflow()).to.equal(0);
    expect((await page.pdf({ format: 'A4' })).subarray(0, 5).toString()).to.equal('%PDF-');
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setEmulatedVisionDeficiency', { type: 'achromatopsia' });
    await takePicture(page, 'incident-4-print-grey');
    await session.send('Emulation.setEmulatedVisionDeficiency', { type: 'none' });
    const fills = await page.evaluate<string[]>(
      `[...document.querySelector('.phases').querySelectorAll('rect')].map((segment) => segment.getAttribute('fill'))`,
    );
    expect(new Set(fills).size, 'one pattern per phase').to.equal(5);
    expect(fills).to.have.length(5);
    await page.emulateMedia({ media: 'screen' });
    await page.setViewportSize({ width: 900, height: 1_000 });
  });

  it('is readable where the incident is no longer available', async () => {
    const answer = await page.goto(`${link.slice(0, -3)}AAA`);
    expect(answer!.status()).to.equal(404);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).to.equal('Nothing here');
    expect(await accessibilityFaults(page)).to.deep.equal([]);
  });
});
