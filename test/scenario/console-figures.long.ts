import { expect } from 'chai';
import { MINUTE_MS } from '@watchpost/shared/time';
import { ingestBatch } from '@watchpost/control-plane/capabilities/results/ingest/ingest-batch';
import { agentIn, BROKEN, resultOf, resultsDeps, UP } from '../integration/results/seed.js';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.js';
import {
  expectNoComplaints,
  openVisit,
  readConsoleSizes,
  startConsole,
  type ConsoleStage,
  type Visit,
} from '../support/console.js';
import { seedMonitor } from '../support/seed.js';

const MONITORS = 5_000;
/** What `console.md` promises on a machine that does nothing else; here, others run beside. */
const PAINT_MS = 1_000;
const INTERACTION_MS = 100;
/** Only what is broken exceeds its promise this many times. */
const GENEROUS = 10;

/** Notes what the browser measures: paints, and each interaction until the paint that follows it. */
const WATCH = `
  globalThis.largestPaintMs = 0;
  globalThis.interactions = [];
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) largestPaintMs = startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries()) if (interactionId) interactions.push(duration);
  }).observe({ type: 'event', durationThreshold: 16, buffered: true });
`;

describeInBrowser('the console with 5,000 monitors (Chromium)', function () {
  this.timeout(90_000);
  let stage: ConsoleStage;
  let visit: Visit;
  let page: Page;

  before(async () => {
    stage = await startConsole();
    const { id } = await seedMonitor(stage.app);
    await multiply(id);
    const signedIn = await stage.visit(stage.app.owner);
    // A browser that was here never before, and is signed in.
    visit = await openVisit(stage.browser, signedIn.address());
    await visit.context.addCookies(await signedIn.context.cookies());
    await visit.context.addInitScript(WATCH);
    await signedIn.close();
    page = visit.page;
  });
  after(() => stage?.stop());

  /** Makes copies of a monitor, each with results from the home region; one of a hundred is down. */
  async function multiply(id: string): Promise<void> {
    const { sql } = stage.app;
    const columns = await sql<{ name: string }>(
      `SELECT quote_ident(column_name) AS name FROM information_schema.columns
       WHERE table_name = 'monitor' AND table_schema = 'public' AND is_identity = 'NO' AND is_generated = 'NEVER'
         AND column_name NOT IN ('id', 'key', 'name', 'url')`,
    );
    const list = columns.map(({ name }) => name).join(', ');
    await sql(
      `INSERT INTO monitor (id, name, url, ${list})
       SELECT gen_random_uuid(), 'Shop ' || n, 'https://shop-' || n || '.example/', ${list}
       FROM monitor, generate_series(2, ${MONITORS}) n WHERE id = $1`,
      [id],
    );
    const keys = await sql<{ key: number }>('SELECT key FROM monitor ORDER BY key');
    const deps = { ...resultsDeps(stage.app.db), clock: stage.app.clock, partitions: stage.app.plane.partitions };
    const agent = agentIn('northeurope');
    for (const minutes of [20, 2]) {
      for (let from = 0; from < keys.length; from += 1_000) {
        const results = keys.slice(from, from + 1_000).map(({ key }, index) => ({
          ...resultOf(key, Date.now() - minutes * MINUTE_MS, index % 100 === 0 ? BROKEN : UP),
          freshMs: 60 * MINUTE_MS,
          answer: 'verified' as const,
        }));
        await ingestBatch(deps, agent, results);
      }
    }
    await sql('ANALYZE');
  }

  /** Since the last call; 16 where all were quicker. */
  async function worstInteraction(): Promise<number> {
    // What is measured is reported after the paint that follows it.
    await page.waitForTimeout(100);
    return page.evaluate<number>('Math.max(16, ...interactions.splice(0))');
  }

  function kilobytes(bytes: number): string {
    return `${(bytes / 1_000).toFixed(1)} KB`;
  }

  function report(what: string, value: string): void {
    console.log(`      ${what}: ${value}`);
  }

  it('shows its overview with one document, and asks for nothing more', async () => {
    const requests: string[] = [];
    const note = (request: { url(): string }) => requests.push(new URL(request.url()).pathname);
    page.on('request', note);
    await visit.open();
    await page.getByText('Live', { exact: true }).waitFor();
    page.off('request', note);
    const paintMs = await page.evaluate<number>('largestPaintMs');
    const bytes = await page.evaluate<number>(
      `performance.getEntriesByType('navigation').concat(performance.getEntriesByType('resource'))
        .filter(({ name }) => !name.includes('/api/v1/events')).reduce((sum, { transferSize }) => sum + transferSize, 0)`,
    );
    const api = requests.filter((path) => path.startsWith('/api/'));
    report('largest contentful paint of the overview', `${Math.round(paintMs)} ms (at most ${PAINT_MS} ms alone)`);
    report('requests of the first screen', `${requests.length}, ${kilobytes(bytes)} with an empty cache`);
    expect(api, 'beside the events').to.deep.equal(['/api/v1/events']);
    expect(paintMs).to.be.within(1, PAINT_MS * GENEROUS);
  });

  it('answers each key in the filter, and opens a monitor, without a noticeable wait', async () => {
    await visit.open('/monitors');
    await page.getByText('5,000 monitors', { exact: true }).waitFor();
    const box = page.getByLabel('Filter monitors');
    await box.pressSequentially('shop-4321', { delay: 60 });
    await page.getByText('1 monitor', { exact: true }).waitFor();
    const typing = await worstInteraction();
    const clickedMs = Date.now();
    await page.locator('main [data-row-link]').first().click();
    await page.getByRole('heading', { level: 1, name: /^Shop 4321/ }).waitFor();
    report('until the monitor is shown', `${Date.now() - clickedMs} ms`);
    const opening = await worstInteraction();
    report('slowest key in the filter', `${typing} ms (at most ${INTERACTION_MS} ms alone)`);
    report('opening a monitor', `${opening} ms (at most ${INTERACTION_MS} ms alone)`);
    expect(Math.max(typing, opening)).to.be.at.most(INTERACTION_MS * GENEROUS);
  });

  it('has scripts of a size that is kept', async () => {
    const { firstScreen, all, style } = await readConsoleSizes();
    report('script of the first screen', kilobytes(firstScreen));
    report('script of all screens', kilobytes(all));
    report('style', kilobytes(style));
    expectNoComplaints(visit);
  });
});
