import { expect } from 'chai';
import { regionPlace } from '@watchpost/shared/region';
import type { Browser, Page } from 'playwright-core';
import { HOUR_MS, MINUTE_MS } from '@watchpost/shared/time';
import { ingestBatch } from '@watchpost/control-plane/capabilities/results/ingest/ingest-batch';
import { agentIn, DOWN, NOON, resultOf, resultsDeps, UP } from '../integration/results/seed.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { walkByTab } from '../support/walk-by-tab.js';
import { accessibilityFaults, describeInBrowser, startBrowser, takePicture } from '../support/browser.js';
import { makeWorld, seedIncident, seedMonitor, type World } from '../support/seed.js';

const REGIONS = ['northeurope', 'eastus2', 'southeastasia'] as const;

describeInBrowser('a report in a browser (Chromium)', () => {
  let app: TestApp;
  let world: World;
  let browser: Browser;
  let page: Page;
  let monitorId: string;
  const asked: string[] = [];
  const complaints: string[] = [];

  before(async () => {
    [app, browser] = await Promise.all([startTestApp(), startBrowser()]);
    app.clock.set(NOON - 25 * HOUR_MS);
    await app.plane.partitions.makeAhead();
    world = await makeWorld(app, 'Pro');
    const settings = { name: 'Shop & <Café>', enabledRegions: REGIONS.slice(1), numberOfChecksBeforeAlert: 1 };
    monitorId = (await seedMonitor(world, settings)).id;
    await seedDay();
    page = await browser.newPage({ viewport: { width: 900, height: 1_000 } });
    page.on('request', (request) => asked.push(request.url()));
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    await open();
  });
  after(async () => {
    await browser?.close();
    await app?.stop();
  });

  /** A day from three regions, each with a latency of its own; one fails for an hour, then all for twenty minutes. */
  async function seedDay(): Promise<void> {
    const key = await app.value<number>('SELECT key FROM monitor WHERE id = $1', [monitorId]);
    app.clock.set(NOON);
    const deps = { ...resultsDeps(app.db), clock: app.clock };
    for (const [place, region] of REGIONS.entries()) {
      const batch = Array.from({ length: 287 }, (_, index) => {
        const isDown = (region === 'eastus2' && index >= 96 && index < 108) || (index >= 200 && index < 204);
        const totalUs = 60_000 * (place + 1) + 15_000 * Math.sin(index / 20 + place);
        return {
          ...resultOf(key, NOON - 24 * HOUR_MS + index * 5 * MINUTE_MS, isDown ? DOWN : UP),
          totalUs: Math.round(totalUs),
          freshMs: 10 * MINUTE_MS,
        };
      });
      await ingestBatch(deps, agentIn(region), batch);
    }
    const incidentId = await seedIncident(world, monitorId);
    const started = NOON - 24 * HOUR_MS + 1_000 * MINUTE_MS;
    const times = [incidentId, new Date(started), new Date(started + 20 * MINUTE_MS)];
    await app.sql('UPDATE incident SET started = $2, ended = $3 WHERE id = $1', times);
  }

  /** As it is answered, its own policy included; the browser itself has no token. */
  async function open(): Promise<void> {
    const answer = await world.api('POST', `/api/v1/monitor/${monitorId}/report/generate`, { format: 'html' });
    expect(answer.status).to.equal(200);
    const headers = Object.fromEntries(answer.headers);
    await page.route('**/report', (route) => route.fulfill({ body: String(answer.body), headers }));
    await page.goto(`${app.baseUrl}/report`);
  }

  it('is walked by Tab to its end, forward and back', async () => {
    await open();
    await walkByTab(page, 'a report');
  });

  it('is readable on screen and with a screen reader, and loads no other resource', async () => {
    expect(await page.title()).to.equal('Report: Shop & <Café>');
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    expect(await page.getByRole('img').count(), 'charts have names').to.be.at.least(2);
    for (const chart of await page.getByRole('img').all())
      expect((await chart.ariaSnapshot()).length, await chart.ariaSnapshot()).to.be.greaterThan('- img ""'.length);
    for (const region of REGIONS)
      expect(await page.getByRole('rowheader', { name: regionPlace(region) }).count()).to.equal(1);
    expect([...new Set(asked)], 'self-contained').to.deep.equal([`${app.baseUrl}/report`]);
    expect(complaints, 'its content security policy blocks nothing of it').to.deep.equal([]);
    await takePicture(page, 'report-1-screen');
  });

  it('is readable in both themes, from a phone to a wide screen', async () => {
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const width of [320, 768, 1_440]) {
        await page.setViewportSize({ width, height: 900 });
        expect(await page.evaluate(overflow), `${width} px`).to.equal(0);
        expect(await accessibilityFaults(page), `${colorScheme}, ${width} px`).to.deep.equal([]);
        await takePicture(page, `report-${width}-${colorScheme}`);
      }
    }
  });

  it('prints on paper with nothing cut off', async () => {
    await page.emulateMedia({ media: 'print' });
    // A4 at 96 pixels an inch, less margins of 1 cm.
    await page.setViewportSize({ width: 718, height: 1_000 });
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate(overflow)).to.equal(0);
    const cut = `[...document.querySelectorAll('.scroll')].filter((box) => box.scrollWidth > box.clientWidth).length`;
    expect(await page.evaluate(cut), 'tables fit').to.equal(0);
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    await takePicture(page, 'report-2-print');
    const pdf = await page.pdf({ format: 'A4', margin: { top: '1cm', bottom: '1cm', left: '1cm', right: '1cm' } });
    expect(pdf.subarray(0, 5).toString()).to.equal('%PDF-');
    await page.emulateMedia({ media: 'screen' });
  });

  it('is readable without colours: lines differ by their dashes, an outage by its shape', async () => {
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setEmulatedVisionDeficiency', { type: 'achromatopsia' });
    await takePicture(page, 'report-3-grey');
    await session.send('Emulation.setEmulatedVisionDeficiency', { type: 'none' });
    const dashes = await page.evaluate<string[]>(
      `[...document.querySelectorAll('.chart .line')].map((line) => line.getAttribute('stroke-dasharray') ?? '')`,
    );
    expect(new Set(dashes).size, 'each region has a different dash').to.equal(REGIONS.length);
    const heights: Record<string, number> = {};
    for (const status of ['available', 'partial', 'unavailable'])
      heights[status] = (await page.locator(`.bar .slot-${status}`).first().boundingBox())!.height;
    expect(new Set(Object.values(heights)).size, JSON.stringify(heights)).to.equal(3);
  });
});
