import { expect } from 'chai';
import { HOUR_MS, MINUTE_MS } from '@watchpost/shared/time';
import { BROKEN, UP } from '../../integration/results/seed.js';
import { accessibilityFaults, describeInBrowser } from '../../support/browser.js';
import {
  expectNoComplaints,
  fileCheck,
  readScreenPaths,
  still,
  settled,
  startConsole,
  type ConsoleStage,
  type Visit,
} from '../../support/console.js';
import { create, seedMonitor } from '../../support/seed.js';

const WIDTHS = [320, 768, 1_440] as const;
/** What a theme changes; all other rules have the same result in both. */
const RULES_OF_THEMES = ['color-contrast'];

/** What is shown, by the path of the route. A new route with a parameter needs a row. */
const SAMPLES: Record<string, readonly string[]> = {
  '/monitors/:id': ['shop', 'backup'],
  '/incidents/:id': ['incident'],
  '/status-pages/:id': ['page'],
  '/maintenance/:id': ['window'],
  '/settings/:section': ['members', 'audit', 'plan'],
};

/** By how much the document, or what scrolls the screen, is wider than the window. */
const OVERFLOW = `Math.max(0, ...[document.documentElement, document.body, document.querySelector('main')].map((box) => box.scrollWidth - innerWidth))`;

describeInBrowser('every screen of the console (Chromium)', () => {
  let stage: ConsoleStage;
  let visit: Visit;
  /** The ids of what an address names; a section of the settings is named by itself. */
  let ids: Record<string, string> = {};

  before(async () => {
    stage = await startConsole();
    await seed();
    visit = await stage.visit(stage.app.owner);
    await visit.page.emulateMedia({ reducedMotion: 'reduce' });
  });
  after(() => stage?.stop());

  /** A workspace with some of everything. */
  async function seed(): Promise<void> {
    const { app } = stage;
    const { api } = app;
    const shop = await seedMonitor(app, { tags: ['team:web', 'env:prod'], numberOfChecksBeforeAlert: 1 });
    const search = await seedMonitor(app, { name: 'Search', url: 'https://search.example/' });
    await seedMonitor(app, { name: 'A name that is much longer than any column of a list on a phone would be wide' });
    for (const { id } of [shop, search])
      for (const minutes of [5, 4, 3, 2]) await fileCheck(app, id, UP, { atMs: Date.now() - minutes * MINUTE_MS });
    const email = { name: 'On-call engineers', recipients: ['ops@example.test'] };
    const group = await create(api, '/api/v1/action-groups/email', email);
    await create(api, `/api/v1/action-groups/${group.id}/monitors/${shop.id}`);
    const team = await create(api, '/api/v1/teams', { name: 'Night watch' });
    await create(api, `/api/v1/teams/${team.id}/members`, { userId: app.owner.userId, teamRole: 'lead' });
    await create(
      api,
      `/api/v1/teams/${team.id}/schedule`,
      {
        rotation: 'daily',
        timezone: 'Europe/Berlin',
        handoffTime: '09:00',
        startDate: new Date(Date.now() - 24 * HOUR_MS).toISOString().slice(0, 10),
        participants: [app.owner.userId],
      },
      'PUT',
    );
    await fileCheck(app, shop.id, BROKEN);
    const { body: incidents } = await api<{ id: string }[]>('GET', '/api/v1/incident');
    await create(api, '/api/v1/api-keys', { name: 'Deployments', scopes: ['monitor.read'] });
    await app.member('Viewer');
    await create(api, `/api/v1/workspaces/${app.owner.workspaceId}/invitations`, {
      email: 'guest@example.test',
      role: 'Viewer',
    });
    const page = await create(api, '/api/v1/status-page', {
      name: 'Acme',
      slug: 'acme-status',
      isPublished: true,
      groups: [{ name: 'Public sites', systems: [{ name: 'Shop', monitorId: shop.id }] }],
    });
    const window = await create(api, '/api/v1/maintenance-windows', {
      name: 'Deploys',
      startsAt: 'now',
      duration: 'PT1H',
      recurrence: 'FREQ=MONTHLY;BYDAY=-1SU',
      scope: { monitorIds: [search.id] },
      statusPageIds: [page.id],
    });
    const backup = await create(api, '/api/v1/monitor', {
      name: 'Backup',
      monitorTypes: ['Heartbeat'],
      heartbeat: { cron: '30 2 * * *' },
      dependsOn: [shop.id],
    });
    ids = { shop: shop.id, backup: backup.id, incident: incidents[0]!.id, page: page.id, window: window.id };
  }

  /** Shows a theme, and waits until no colour is on its way to it. */
  async function look(colorScheme: 'light' | 'dark'): Promise<void> {
    await visit.page.emulateMedia({ colorScheme });
    await still(visit.page);
  }

  for (const path of readScreenPaths()) {
    for (const sample of path.includes(':') ? (SAMPLES[path] ?? []) : ['']) {
      const name = path.replace(/:\w+/, sample) || 'the overview';
      it(`${name} is readable in both themes, from a phone to a wide screen, for everybody`, async () => {
        const address = path.replace(/:\w+/, ids[sample] ?? sample);
        const { page } = visit;
        await visit.open(address);
        await page.waitForTimeout(300);
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 900 });
          await look('light');
          expect(await page.evaluate(OVERFLOW), `${address} at ${width} px`).to.equal(0);
          expect(await accessibilityFaults(page), `${address}, light, ${width} px`).to.deep.equal([]);
          await look('dark');
          const dark = await accessibilityFaults(page, RULES_OF_THEMES);
          expect(dark, `${address}, dark, ${width} px`).to.deep.equal([]);
        }
        expectNoComplaints(visit);
      });
    }
  }

  it('shows a sample of every route with a parameter', () => {
    expect(Object.keys(SAMPLES)).to.have.members(readScreenPaths().filter((path) => path.includes(':')));
  });

  it('has its heading in focus after a navigation, and a title of its own', async () => {
    const { page } = visit;
    await page.setViewportSize({ width: 1_440, height: 900 });
    await visit.open('/nowhere');
    const links = await page.getByRole('navigation', { name: 'Main' }).first().getByRole('link').all();
    const titles = new Set<string>();
    for (const link of links) {
      await link.click();
      const href = await link.getAttribute('href');
      await page.waitForURL(({ pathname }) => pathname === href);
      await settled(page);
      expect(await page.evaluate('document.activeElement.tagName'), page.url()).to.equal('H1');
      titles.add(await page.title());
    }
    expect(titles.size).to.equal(links.length);
    expectNoComplaints(visit);
  });
});
