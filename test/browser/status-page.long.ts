import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { systemClock } from '@watchpost/shared/clock';
import { MINUTE_MS } from '@watchpost/shared/time';
import { ingestBatch } from '@watchpost/control-plane/capabilities/results/ingest/ingest-batch';
import { startTestApp, type TestApp } from '../support/app.js';
import { walkByTab } from '../support/walk-by-tab.js';
import { accessibilityFaults, describeInBrowser, startBrowser, takePicture } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { create, makeWorld, seedMonitor, type World } from '../support/seed.js';
import { agentIn, DOWN, resultOf, resultsDeps, UP } from '../integration/results/seed.js';

const VISITOR = 'visitor@example.com';
/** The status page polls every ten seconds. */
const LIVE_MS = 20_000;

describeInBrowser('a status page in a browser (Chromium)', () => {
  let app: TestApp;
  let world: World;
  let browser: Browser;
  let page: Page;
  let pageId: string;
  let key: number;

  before(async () => {
    [app, browser] = await Promise.all([startTestApp({ clock: systemClock }), startBrowser()]);
    world = await makeWorld(app, 'Pro');
    const { id: serviceGroupId } = await create(world.api, '/api/v1/service-group', { name: 'Payments' });
    const { id: monitorId } = await seedMonitor(world, { serviceGroupId, numberOfChecksBeforeAlert: 1 });
    [{ key }] = (await app.sql<{ key: number }>('SELECT key FROM monitor WHERE id = $1', [monitorId])) as [
      { key: number },
    ];
    // The monitor is younger than its results.
    await app.sql(`UPDATE monitor SET checks_changed = now() - interval '2 days', created = now() - interval '2 days'`);
    await app.sql(`UPDATE series SET counts_from = now() - interval '2 days'`);
    pageId = (
      await create(world.api, '/api/v1/status-page', {
        name: 'Acme',
        slug: 'acme',
        description: 'How our services are doing.',
        isPublished: true,
        groups: [{ name: 'Services', systems: [{ name: 'Payments', serviceGroupId }] }],
      })
    ).id;
    await create(world.api, `/api/v1/status-page/${pageId}/incidents`, {
      title: 'Database moves on Sunday',
      body: 'We **move** the database.\n\n- It takes an hour.\n- Nothing is lost.',
      kind: 'maintenance',
      scheduledStart: new Date(Date.now() + 3 * 86_400_000).toISOString(),
      scheduledEnd: new Date(Date.now() + 3 * 86_400_000 + 3_600_000).toISOString(),
    });
    const now = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
    const failedFrom = now - 300 * MINUTE_MS;
    const batch = Array.from({ length: 1_400 }, (_, index) => {
      const atMs = now - (1_400 - index) * MINUTE_MS;
      return resultOf(key, atMs, atMs >= failedFrom && atMs < failedFrom + 20 * MINUTE_MS ? DOWN : UP);
    });
    for (let from = 0; from < batch.length; from += 500)
      await ingestBatch(deps(), agentIn('northeurope'), batch.slice(from, from + 500));
    page = await browser.newPage({ viewport: { width: 900, height: 900 } });
  });
  after(async () => {
    await browser?.close();
    await app?.stop();
  });

  const deps = () => ({ ...resultsDeps(app.db), clock: systemClock });
  const check = (outcome: typeof DOWN) =>
    ingestBatch(deps(), agentIn('northeurope'), [resultOf(key, Date.now(), outcome)]);
  const linkTo = (what: 'confirm' | 'unsubscribe') =>
    eventually(
      `a mail with a link to ${what}`,
      async () => {
        const rows = await app.sql<{ text: string }>(
          `SELECT content->>'text' AS text FROM outgoing_mail WHERE recipient = $1 ORDER BY created`,
          [VISITOR],
        );
        const links = rows.flatMap(({ text }) => new RegExp(`https?://\\S+/${what}\\?token=\\S+`).exec(text) ?? []);
        return links.at(-1);
      },
      30_000,
    );

  it('is walked by Tab to its end, forward and back', async () => {
    await page.goto(`${app.baseUrl}/status/acme`);
    await walkByTab(page, 'a status page');
  });

  it('is readable on screen, with a screen reader, in the dark theme, on a phone and on paper', async () => {
    const faults: string[] = [];
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    await page.goto(`${app.baseUrl}/status/acme`);
    expect(await page.title()).to.equal('Acme: All systems operational');
    expect(await page.getByRole('heading', { level: 2 }).first().textContent()).to.equal('All systems operational');
    expect(await page.getByRole('img', { name: /Last 24 hours: .*down/ }).count()).to.be.greaterThan(0);
    expect(await accessibilityFaults(page), 'light').to.deep.equal([]);
    await takePicture(page, '1-operational-light');
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await accessibilityFaults(page), 'dark').to.deep.equal([]);
    await takePicture(page, '2-operational-dark');
    await page.emulateMedia({ colorScheme: 'light' });
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    for (const width of [1_440, 768, 320]) {
      await page.setViewportSize({ width, height: 640 });
      expect(await page.evaluate(overflow), `nothing to scroll sideways at ${width} px`).to.equal(0);
      expect(await accessibilityFaults(page), `${width} px`).to.deep.equal([]);
    }
    await takePicture(page, '3-operational-phone');
    await page.setViewportSize({ width: 900, height: 900 });
    await page.emulateMedia({ media: 'print' });
    await takePicture(page, '4-operational-print');
    await page.emulateMedia({ media: 'screen' });
    await page.getByRole('link', { name: 'Database moves on Sunday' }).click();
    await page.getByText('Nothing is lost.').waitFor();
    expect(await accessibilityFaults(page), 'a post').to.deep.equal([]);
    expect(faults, 'the browser has nothing to complain about').to.deep.equal([]);
  });

  it('is readable without scripts', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const plain = await context.newPage();
    await plain.goto(`${app.baseUrl}/status/acme`);
    expect(await plain.getByText('Operational', { exact: true }).count()).to.equal(1);
    await context.close();
  });

  it('lets a visitor subscribe and confirm by the link in the mail', async () => {
    await page.goto(`${app.baseUrl}/status/acme`);
    await page.getByLabel('Email address').fill(VISITOR);
    await page.getByRole('button', { name: 'Subscribe' }).click();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).to.equal('Look into your mailbox');
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    await takePicture(page, '5-asked');
    await page.goto(await linkTo('confirm'));
    expect(await page.getByRole('heading', { level: 1 }).textContent()).to.equal('Confirm your subscription');
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    await page.getByRole('button', { name: 'Confirm the subscription' }).click();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).to.equal('Confirmed');
    await takePicture(page, '6-confirmed');
  });

  it('shows a new outage without a reload, and keeps unfolded parts and the scroll position', async () => {
    await page.goto(`${app.baseUrl}/status/acme`);
    await page.getByText('Day by day').click();
    await check(DOWN);
    await page.getByRole('heading', { name: 'Major outage' }).waitFor({ timeout: LIVE_MS });
    expect(await page.getByRole('status').textContent()).to.equal('Major outage');
    expect(await page.locator('details[open]').count()).to.equal(1);
    expect(await page.locator(':focus').textContent()).to.equal('Day by day');
    expect(await page.title()).to.equal('Acme: Major outage');
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    await takePicture(page, '7-outage');
  });

  it('lets a subscriber unsubscribe by the link in any mail', async () => {
    await create(world.api, `/api/v1/status-page/${pageId}/incidents`, { title: 'Payments fail', body: 'We look.' });
    for (const { name, run } of app.plane.periodicTasks) if (name.startsWith('notify_subscribers')) await run();
    await page.goto(await linkTo('unsubscribe'));
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    await page.getByRole('button', { name: 'Unsubscribe' }).click();
    await page.getByText('You get no more mail from this status page.').waitFor();
    await takePicture(page, '8-unsubscribed');
    expect(await app.sql('SELECT FROM status_page_subscriber')).to.have.length(0);
  });
});
