const NAME = 'Demo shop';
const SLUG = 'demo-shop';
const BACKUP = 'Hourly backup';
const PATCHING = 'Patches of the databases';
const DAY_MS = 86_400_000;
/** The calendar shows past days, too. */
const ROTATION_AGE_MS = 14 * DAY_MS;

/**
 * The set-up of a team for its site: notifications, on call, a status page, a heartbeat and a maintenance window. Created once; a later demo on the same
 * data points it at the site of its own run.
 */
export async function seed({ api, site, webhookUrl }) {
  const { id: userId } = await api('GET', '/api/v1/user');

  const serviceGroupId = await named(api, '/api/v1/service-group', NAME, { name: NAME });
  const url = `http://shop.demo.example:${site.port}/`;
  const monitor = { url, serviceGroupId, checkInterval: 'PT1M', numberOfChecksBeforeAlert: 1 };
  const monitorId = await named(api, '/api/v1/monitor', NAME, { name: NAME, ...monitor });
  await api('PUT', `/api/v1/monitor/${monitorId}`, monitor);

  for (const [name, own] of Object.entries(othersOf(site))) {
    const id = await named(api, '/api/v1/monitor', name, { name, numberOfChecksBeforeAlert: 1, ...own });
    await api('PUT', `/api/v1/monitor/${id}`, { url: own.url });
  }

  const groups = await api('GET', '/api/v1/action-groups');
  const channels = { webhook: { url: webhookUrl }, email: { recipients: ['operators@demo.example'] } };
  for (const [type, settings] of Object.entries(channels)) {
    const known = groups.find((group) => group.type === type && group.name === NAME);
    const group = known
      ? await api('PUT', `/api/v1/action-groups/${type}/${known.id}`, settings)
      : await api('POST', `/api/v1/action-groups/${type}`, { name: NAME, ...settings });
    await api('POST', `/api/v1/action-groups/${group.id}/monitors/${monitorId}`);
  }

  const teamId = await named(api, '/api/v1/teams', NAME, { name: NAME });
  const { members } = await api('GET', `/api/v1/teams/${teamId}`);
  if (!members.some((member) => member.userId === userId)) {
    await api('POST', `/api/v1/teams/${teamId}/members`, { userId, teamRole: 'lead' });
  }
  await api('PUT', `/api/v1/teams/${teamId}/schedule`, {
    rotation: 'daily',
    timezone: 'UTC',
    handoffTime: '00:00',
    startDate: new Date(Date.now() - ROTATION_AGE_MS).toISOString().slice(0, 10),
    participants: [userId],
  });
  await api('PUT', `/api/v1/teams/${teamId}/service-groups/${serviceGroupId}`);

  const pages = await api('GET', '/api/v1/status-page');
  if (!pages.some(({ slug }) => slug === SLUG)) {
    await api('POST', '/api/v1/status-page', {
      name: NAME,
      slug: SLUG,
      description: 'A shop that breaks on schedule.',
      isPublished: true,
      showIncidentHistory: true,
      groups: [{ name: 'Websites', systems: [{ name: 'Shop', serviceGroupId }] }],
    });
  }
  const backup = { name: BACKUP, monitorTypes: ['Heartbeat'], heartbeat: { every: 'PT1H' }, tags: ['team:data'] };
  const { heartbeat } = await api('GET', `/api/v1/monitor/${await named(api, '/api/v1/monitor', BACKUP, backup)}`);
  await named(api, '/api/v1/maintenance-windows', PATCHING, {
    name: PATCHING,
    startsAt: `${new Date(Date.now() + DAY_MS).toISOString().slice(0, 10)}T04:00`,
    timezone: 'UTC',
    duration: 'PT1H',
    recurrence: 'FREQ=WEEKLY',
    scope: { tags: ['team:data'] },
  });
  return { monitorId, slug: SLUG, pingUrl: heartbeat.pingUrl };
}

/** Monitors without a past, by their names. */
function othersOf({ securePort, udpPort }) {
  const everywhere = { enabledRegions: ['eastus2', 'southeastasia'], checkInterval: 'PT1M' };
  const certificate = { monitorTypes: ['SslCertificate'], checkInterval: 'PT30M' };
  return {
    'Certificate of the VPN': { url: `https://vpn.acme.example:${securePort}/`, ...certificate, tags: ['team:it'] },
    'Certificate of the blog': { url: `https://blog.acme.example:${securePort}/`, ...certificate, tags: ['team:web'] },
    'Names of Acme': {
      url: 'acme.example',
      monitorTypes: ['Dns'],
      dns: { expectedRecords: { MX: { match: 'exact', values: ['10 mail.acme.example'] } } },
      ...everywhere,
      tags: ['team:it'],
    },
    'Warehouse beacons': {
      url: `udp://beacons.acme.example:${udpPort}`,
      monitorTypes: ['TcpUdp'],
      tcpUdp: { send: 'ping', expect: 'pong' },
      ...everywhere,
      tags: ['team:data'],
    },
  };
}

/** @returns the id of the resource with this name in a list; creates it if there is none */
async function named(api, path, name, body) {
  const known = (await api('GET', path)).find((one) => one.name === name);
  return (known ?? (await api('POST', path, body))).id;
}
