import { HOUR_MS, MINUTE_MS } from '@watchpost/shared/time';
import { BROKEN, UP } from '../integration/results/seed.js';
import type { TestApp } from './app.js';
import { fileCheck, readScreenPaths } from './console.js';
import { create, seedMonitor } from './seed.js';

/** What is shown, by the path of the route. A new route with a parameter needs a row. */
export const SAMPLES: Record<string, readonly string[]> = {
  '/monitors/:id': ['shop', 'backup'],
  '/incidents/:id': ['incident'],
  '/incidents/:id/diagnosis': ['incident'],
  '/status-pages/:id': ['page'],
  '/maintenance/:id': ['window'],
  '/settings/:section': ['members', 'audit', 'plan'],
};

export interface ScreenSample {
  /** Of the route. */
  path: string;
  sample: string;
  /** For the title of a test. */
  name: string;
}

export function screenSamples(): ScreenSample[] {
  return readScreenPaths().flatMap((path) =>
    (path.includes(':') ? (SAMPLES[path] ?? []) : ['']).map((sample) => {
      return { path, sample, name: path.replace(/:\w+/, sample) || 'the overview' };
    }),
  );
}

/** A workspace with some of everything. @returns the ids of what an address names */
export async function seedSamples(app: TestApp): Promise<Record<string, string>> {
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
  const { body: schedules } = await api<{ id: string }[]>('GET', `/api/v1/teams/${team.id}/schedules`);
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
  const webhook = await create(api, '/api/v1/action-groups/webhook', { name: 'Hook', url: 'https://hook.example/' });
  await create(api, '/api/v1/service-group', { name: 'Shop', hostname: 'shop.example' });
  await create(api, `/api/v1/status-page/${page.id}/incidents`, { title: 'Slow answers', body: 'We look into it.' });
  return {
    team: team.id,
    schedule: schedules[0]!.id,
    channel: group.id,
    webhook: webhook.id,
    shop: shop.id,
    backup: backup.id,
    incident: incidents[0]!.id,
    page: page.id,
    window: window.id,
  };
}
