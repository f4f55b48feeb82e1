import { HOUR_MS, MINUTE_MS } from '@watchpost/shared/time';
import { BROKEN, UP } from '../integration/results/seed.js';
import type { TestApp } from './app.js';
import { fileCheck, readScreenPaths, readSettingsSections } from './console.js';
import { create, seedMonitor } from './seed.js';

/** What is shown, by the path of the route. A new route with a parameter needs a row. */
export const SAMPLES: Readonly<Record<string, readonly string[]>> = {
  '/monitors/:id': ['shop', 'backup'],
  '/incidents/:id': ['incident'],
  '/incidents/:id/diagnosis': ['incident'],
  '/status-pages/:id': ['page'],
  '/maintenance/:id': ['window'],
  '/settings/:section': readSettingsSections(),
};

/**
 * Views that have an address of their own but are no route; `:name` is replaced by the id of a sample. A new tab needs a row: of
 * tabs that choose among the rows of one list, one for all.
 */
const VIEWS: Readonly<Record<string, string>> = {
  'the overview by tags': '?by=team',
  'a new heartbeat': '/monitors/new?type=heartbeat',
  'a monitor in a range of its own': '/monitors/:shop?range=custom',
  'the failed results of a monitor': '/monitors/:shop?outcome=down',
  'a monitor from one region': '/monitors/:shop?region=northeurope',
  'all incidents': '/incidents?show=all',
  'the teams': '/on-call?tab=teams',
  'a team': '/on-call?tab=teams&team=:team',
  'a schedule': '/on-call?tab=teams&team=:team&schedule=:schedule',
  'an escalation policy': '/on-call?tab=teams&team=:team&policy=new',
  'a channel': '/alerts?channel=:channel',
  'a webhook': '/alerts?channel=:webhook',
  'the gallery of channels': '/alerts?channel=new',
  'a new channel': '/alerts?channel=new&type=mattermost',
  'the deliveries': '/alerts?tab=deliveries',
  'the coverage': '/alerts?tab=coverage',
  'the posts of a status page': '/status-pages/:page?tab=posts',
  'the share tab of a status page': '/status-pages/:page?tab=share',
  'finished maintenance': '/maintenance?state=finished',
  'the calendar of maintenance': '/maintenance?state=calendar',
  'the scheduled reports': '/reports?show=scheduled',
  'a report': '/reports?monitor=:shop',
  'the deleted service groups': '/settings/service-groups?show=deleted',
  'the API keys of everybody': '/settings/api-keys?of=everybody',
};

/** A screen with one of its samples, or a view of it. */
export interface ScreenSample {
  /** For the title of a test. */
  name: string;
  addressOf(ids: Readonly<Record<string, string>>): string;
}

/** Every screen, once for each of its samples, and every view. */
export function screenSamples(): ScreenSample[] {
  const routes = readScreenPaths().flatMap((path) =>
    (path.includes(':') ? (SAMPLES[path] ?? []) : ['']).map((sample) => {
      const name = path.replace(/:\w+/, sample) || 'the overview';
      return {
        name,
        addressOf: (ids: Readonly<Record<string, string>>) => path.replace(/:\w+/, ids[sample] ?? sample),
      };
    }),
  );
  const views = Object.entries(VIEWS).map(([name, view]) => {
    const addressOf: ScreenSample['addressOf'] = (ids) =>
      view.replaceAll(/:(\w+)/g, (_, sample: string) => ids[sample]!);
    return { name, addressOf };
  });
  return [...routes, ...views];
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
