import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createAgent, listAgents } from '@watchpost/control-plane/capabilities/fleet/index';
import { setPlan } from '@watchpost/control-plane/capabilities/plans/set-plan';
import { refreshDays, rollUpResults } from '@watchpost/control-plane/capabilities/figures/index';
import { homeAgentToken } from '@watchpost/control-plane/embedded/home-agent-token';
import { systemClock } from '@watchpost/shared/clock';
import { startReceiver } from '../demo/receiver.mjs';
import { MONITORS, SERVICE_GROUPS } from './monitors.mjs';
import { kindsOf } from './outcomes.mjs';
import { playDay } from './play-day.mjs';

const MINUTE_MS = 60_000;
/** The workspace is older than the day that the bars show. */
const START_MINUTE = 26 * 60;
const DEMO_EMAIL = 'demo@watchpost.example';
const REGIONS = [
  ['northeurope', 'home'],
  ['eastus2', 'virginia-1'],
  ['southeastasia', 'singapore-1'],
];
const PEOPLE = {
  maya: ['maya@acme.example', 'Maya Okafor', 'Admin'],
  jonas: ['jonas@acme.example', 'Jonas Lind', 'Editor'],
  priya: ['priya@acme.example', 'Priya Raman', 'Responder'],
  sam: ['sam@acme.example', 'Sam Ito', 'Responder'],
  tom: ['tom@acme.example', 'Tom Becker', 'Viewer'],
};
const EVERY_DAY = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
/**
 * Who answers for which service groups: by weeks, by nights, and instead of the first in a night from now. At any time
 * the teams have different people on call.
 */
const TEAMS = {
  Platform: {
    lead: 'maya',
    groups: ['Shop', 'Search', 'Images', 'API', 'Sign-in', 'Catalogue', 'Help desk'],
    weeks: ['jonas', 'maya'],
    nights: ['sam'],
    instead: { person: 'sam', inDays: 2, reason: 'At a concert' },
  },
  Payments: {
    lead: 'maya',
    groups: ['Checkout', 'Card payments', 'Orders', 'Webhooks'],
    weeks: ['maya', 'priya'],
    nights: [],
    instead: { person: 'priya', inDays: 4, reason: 'A day off' },
  },
};
const ROTATION_AGE_DAYS = 14;
const TOKENS = 'acme-agents.json';

/**
 * The tokens of the agents beside the home agent, by region; null where the workspace is not seeded.
 * @throws Error where a seeding was interrupted
 */
export async function readAgentTokens(dataDir) {
  const text = await readFile(join(dataDir, TOKENS), 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  const tokens = text && JSON.parse(text);
  if (tokens && !tokens.isComplete)
    throw new Error(`A former start was interrupted and left half of the data: remove ${dataDir}, and start again.`);
  return tokens && tokens.byRegion;
}

/** Only the owner of the data may read them. */
async function writeAgentTokens(dataDir, tokens) {
  await writeFile(join(dataDir, TOKENS), JSON.stringify(tokens), { mode: 0o600 });
}

/**
 * Fills the workspace of the demo account: what Acme set up 26 hours before `endMs`, and the day until then with its
 * outages, by the verbs that people and agents use.
 * @param options.placeOf the settings by which a monitor's site is found
 * @param options.chainOf the certificates that a host presents; default: made up
 * @param options.webhookUrl where webhooks go after that day
 */
export async function seedAcme(place, { endMs, placeOf, chainOf, webhookUrl }) {
  const { api, clock, db } = place;
  const at = (minute) => endMs - minute * MINUTE_MS;
  const receiver = await startReceiver(() => {});
  try {
    clock.set(at(START_MINUTE));
    await setPlan({ db, clock, planListeners: [] }, { user: DEMO_EMAIL, plan: 'Enterprise', limits: {} });
    await writeAgentTokens(place.dataDir, { isComplete: false });
    const { agents, byRegion } = await makeAgents(place);
    const people = await invitePeople(place);
    const groupIds = await makeGroups(api);
    await makeTeams(api, people, groupIds, at);
    const channels = await makeChannels(api, receiver.url);
    const [workspace] = await api('GET', '/api/v1/workspaces');
    await api('PATCH', `/api/v1/workspaces/${workspace.id}`, {
      name: 'Acme',
      settings: { defaultActionGroupIds: [channels.email] },
    });
    const monitors = await makeMonitors(place, { groupIds, placeOf, chainOf, channels });
    const page = await makePage(api, { groupIds, monitors });
    const actions = actionsOf({ api, people, page, receiver, at });
    await playDay(place, { agents, monitors, startMinute: START_MINUTE, endMs, actions });
    // The receiver ends here: later webhooks go to another one.
    const webhook = { url: webhookUrl };
    await api('PUT', `/api/v1/action-groups/webhook/${channels.webhook}`, webhook);
    // As the jobs do it every minute.
    while ((await rollUpResults({ db, clock })) > 0);
    await refreshDays({ db, clock, logger: place.logger, retentionDays: place.config.retentionRawDays });
    await writeAgentTokens(place.dataDir, { isComplete: true, byRegion });
  } finally {
    receiver.stop();
  }
}

async function makeAgents({ db, clock, dataDir }) {
  await homeAgentToken({ db, clock, dataDir });
  const byRegion = {};
  for (const [region, name] of REGIONS.slice(1))
    byRegion[region] = (await createAgent({ db, clock }, { region, name })).token;
  const agents = await listAgents({ db, clock: systemClock });
  return {
    byRegion,
    agents: REGIONS.map(([region, name]) => {
      const { id, key } = agents.find((agent) => agent.region === region && agent.name === name);
      return { region, agent: { agentId: id, agentKey: key, region } };
    }),
  };
}

async function invitePeople({ api, apiOf }) {
  const [workspace] = await api('GET', '/api/v1/workspaces');
  const people = {};
  for (const [key, [email, name, role]] of Object.entries(PEOPLE)) {
    const own = apiOf(email, name);
    const { id } = await own('GET', '/api/v1/user');
    const { link } = await api('POST', `/api/v1/workspaces/${workspace.id}/invitations`, { email, role });
    await own('POST', '/api/v1/invitations/accept', { token: new URL(link).searchParams.get('token') });
    people[key] = { id, api: (method, path, body) => own(method, path, body, { 'x-workspace-id': workspace.id }) };
  }
  await api('POST', `/api/v1/workspaces/${workspace.id}/invitations`, { email: 'lena@acme.example', role: 'Editor' });
  return people;
}

async function makeGroups(api) {
  const ids = new Map();
  for (const name of Object.keys(SERVICE_GROUPS))
    ids.set(name, (await api('POST', '/api/v1/service-group', { name })).id);
  return ids;
}

async function makeTeams(api, people, groupIds, at) {
  for (const [name, { lead, groups, weeks, nights, instead }] of Object.entries(TEAMS)) {
    const { id } = await api('POST', '/api/v1/teams', { name });
    for (const member of [...weeks, ...nights])
      await api('POST', `/api/v1/teams/${id}/members`, {
        userId: people[member].id,
        teamRole: member === lead ? 'lead' : 'member',
      });
    // A rotation that has begun: nobody is off call on the days before its first Monday.
    const startDate = isoDay(at(0), -ROTATION_AGE_DAYS, 0).slice(0, 10);
    const layer = (of, members, fields) => ({
      name: of,
      startDate,
      participants: members.map((member) => people[member].id),
      ...fields,
    });
    await api('POST', `/api/v1/teams/${id}/schedules`, {
      name,
      timezone: 'Europe/Dublin',
      layers: [
        layer('Weeks', weeks, { rotation: { unit: 'week', handoffDay: 'monday' } }),
        ...(nights.length === 0
          ? []
          : [
              layer('Nights', nights, {
                rotation: { unit: 'day', handoffTime: '22:00' },
                restrictions: [{ days: EVERY_DAY, start: '22:00', end: '06:00' }],
              }),
            ]),
      ],
    });
    for (const group of groups) await api('PUT', `/api/v1/teams/${id}/service-groups/${groupIds.get(group)}`);
    await api('POST', `/api/v1/teams/${id}/schedule/overrides`, {
      userId: people[instead.person].id,
      start: isoDay(at(0), instead.inDays, 18),
      end: isoDay(at(0), instead.inDays + 1, 9),
      reason: instead.reason,
    });
  }
}

/** An hour of a day after that of `ms`, UTC. */
function isoDay(ms, days, hour) {
  const date = new Date(ms);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + days, hour)).toISOString();
}

async function makeChannels(api, webhookUrl) {
  const make = async (type, body) => (await api('POST', `/api/v1/action-groups/${type}`, body)).id;
  const email = await make('email', { name: 'Operations', recipients: ['operations@acme.example'] });
  const webhook = await make('webhook', { name: 'Incident bot', url: webhookUrl });
  const slack = await make('slack', {
    name: '#incidents',
    webhookUrl: 'https://hooks.slack.com/services/T000/B000/XXXXXXXXXXXXXXXXXXXXXXXX',
  });
  // Nothing leaves the machine.
  await api('PUT', `/api/v1/action-groups/slack/${slack}`, { isEnabled: false });
  return { email, webhook };
}

async function makeMonitors({ api, db }, { groupIds, placeOf, chainOf, channels }) {
  const made = [];
  for (const monitor of MONITORS) {
    const { id } = await api('POST', '/api/v1/monitor', {
      name: monitor.name,
      ...placeOf(monitor),
      monitorTypes: monitor.types,
      checkInterval: `PT${monitor.minutes}M`,
      numberOfChecksBeforeAlert: 1,
      enabledRegions: monitor.regions.slice(1),
      serviceGroupId: monitor.group && groupIds.get(monitor.group),
      tags: monitor.tags,
    });
    if (monitor.tags.includes('tier:1')) await api('POST', `/api/v1/action-groups/${channels.webhook}/monitors/${id}`);
    const chain = chainOf?.(monitor.address.split('/')[0]);
    made.push({ ...monitor, id, chain });
  }
  const rows = await db.read((tx) =>
    tx.query('SELECT id, key FROM monitor WHERE id = ANY ($1)', [made.map(({ id }) => id)]),
  );
  const keys = new Map(rows.map(({ id, key }) => [id, key]));
  const monitors = made.map((monitor) => ({ ...monitor, key: keys.get(monitor.id), kinds: kindsOf(monitor) }));
  for (const { id } of monitors.filter(({ name }) => name === 'Old intranet'))
    await api('PUT', `/api/v1/monitor/${id}`, { monitoringStatus: 'paused' });
  return monitors.filter(({ name }) => name !== 'Old intranet');
}

async function makePage(api, { groupIds, monitors }) {
  const idOf = (name) => monitors.find((monitor) => monitor.name === name).id;
  const page = await api('POST', '/api/v1/status-page', {
    name: 'Acme',
    slug: 'acme',
    description: 'The shop, its payments and the API.',
    isPublished: true,
    showIncidentHistory: true,
    groups: [
      {
        name: 'Shop',
        systems: [
          { name: 'Website', monitorId: idOf('Shop front page') },
          { name: 'Search', monitorId: idOf('Product search') },
          { name: 'Product images', monitorId: idOf('Product images') },
          { name: 'Gift cards', monitorId: idOf('Gift cards') },
        ],
      },
      {
        name: 'Payments',
        systems: [
          { name: 'Checkout', monitorId: idOf('Checkout') },
          { name: 'Card payments', monitorId: idOf('Card payments') },
        ],
      },
      { name: 'Developers', systems: [{ name: 'API', serviceGroupId: groupIds.get('API') }] },
    ],
  });
  const systems = new Map(page.groups.flatMap((group) => group.systems.map(({ id, name }) => [name, id])));
  return { id: page.id, systems };
}

/** What people do during the day, minutes before its end. */
function actionsOf({ api, people, page, receiver, at }) {
  const { jonas, priya } = people;
  const incidentOf = async (name) =>
    (await api('GET', '/api/v1/incident')).find(({ monitorName }) => monitorName === name).id;
  const acknowledge = async (person, name) =>
    person.api('PATCH', `/api/v1/incident/${await incidentOf(name)}`, { acknowledged: true, status: 'Investigating' });
  const note = async (person, name, text) =>
    person.api('POST', `/api/v1/incident/${await incidentOf(name)}/notes`, { note: text });
  const posts = `/api/v1/status-page/${page.id}/incidents`;
  const post = async (body) => {
    const { id } = await jonas.api('POST', posts, body);
    return (patch) => jonas.api('PATCH', `${posts}/${id}`, patch);
  };
  let checkoutPost;
  return [
    [303, () => acknowledge(jonas, 'Help desk')],
    [275, () => note(jonas, 'Help desk', 'A disk is full. The provider moves the files and restarts it.')],
    [215, () => receiver.break()],
    [205, () => acknowledge(priya, 'Checkout')],
    [204, () => acknowledge(priya, 'Card payments')],
    [
      202,
      async () => {
        checkoutPost = await post({
          title: 'Payments are not possible',
          body: 'Orders cannot be paid at the moment. Baskets are kept. We are working on it.',
          status: 'identified',
          systemIds: [page.systems.get('Checkout'), page.systems.get('Card payments')],
        });
      },
    ],
    [
      194,
      () =>
        note(
          priya,
          'Checkout',
          'All instances of release **2026.46.2** fail their health check: the connection to the fraud scoring times out.',
        ),
    ],
    [189, () => receiver.repair()],
    [
      180,
      () =>
        note(
          priya,
          'Checkout',
          'Rolled back to `2026.46.1`.\n\n- [x] Checkout answers again\n- [ ] Look for orders that were charged twice',
        ),
    ],
    [165, () => checkoutPost({ body: 'We rolled back a faulty release. Payments work again.', status: 'resolved' })],
    [
      120,
      () =>
        post({
          kind: 'maintenance',
          title: 'Move of the orders database',
          body: 'Orders are read-only for about ten minutes.',
          systemIds: [page.systems.get('API')],
          scheduledStart: isoDay(at(0), 3, 4),
          scheduledEnd: isoDay(at(0), 3, 5),
        }),
    ],
    [
      8,
      () =>
        post({
          title: 'Search shows errors',
          body: 'Searching for products fails. Browsing by category works. We are looking into it.',
          systemIds: [page.systems.get('Search')],
        }),
    ],
  ];
}
