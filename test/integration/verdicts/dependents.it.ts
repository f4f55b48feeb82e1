import { expect } from 'chai';
import { MINUTE_MS, SECOND_MS } from '@watchpost/shared/time';
import type { Outcome } from '@watchpost/shared/outcome';
import { ingestBatch } from '@watchpost/control-plane/capabilities/results/ingest/ingest-batch';
import type { Json } from '../../support/product.js';
import { create, makeWorld, seedHeartbeat, seedMonitor, type World } from '../../support/seed.js';
import { appForSuite } from '../../support/suite.js';
import { agentIn, BROKEN, NOON, resultOf, resultsDeps, UP } from '../results/seed.js';

const AT_ONCE = { checkInterval: 'PT1M', numberOfChecksBeforeAlert: 1 };

/** An answer of the site itself, for which no incident is held. */
const verified = ({ kind }: Outcome) => (kind === 'down' ? ({ answer: 'verified' } as const) : {});

describe('The failure of a monitor that depends on another', () => {
  const app = appForSuite();
  let world: World;
  let keys: Map<string, number>;
  let ids: Map<string, string>;

  beforeEach(async () => {
    app.clock.set(NOON);
    world = await makeWorld(app);
    keys = new Map();
    ids = new Map();
  });

  const know = async (name: string, id: string) => {
    const key = await app.value<number>('SELECT key FROM monitor WHERE id = $1', [id]);
    keys.set(name, key);
    ids.set(name, id);
  };
  const monitor = async (name: string, ...dependsOn: string[]) => {
    const causes = dependsOn.map((cause) => ids.get(cause)!);
    await know(name, (await seedMonitor(world, { name, ...AT_ONCE, dependsOn: causes })).id);
  };
  const look = () => app.plane.periodicTasks.find(({ name }) => name === 'sweep_silence')!.run();
  /** Moves the clock to so many seconds after noon, with the results of these checks, which are of then. */
  const at = async (seconds: number, results: Record<string, Outcome> = {}) => {
    app.clock.set(NOON + seconds * SECOND_MS);
    for (const [name, outcome] of Object.entries(results))
      await ingestBatch({ ...resultsDeps(app.db), clock: app.clock }, agentIn('northeurope'), [
        { ...resultOf(keys.get(name)!, app.clock.now(), outcome), startedAtMs: app.clock.now(), ...verified(outcome) },
      ]);
    await look();
  };
  const incidentsOf = async (name: string): Promise<Json[]> =>
    (await world.api('GET', `/api/v1/incident?monitorId=${ids.get(name)}`)).body;
  const only = async (name: string): Promise<Json> => {
    const incidents = await incidentsOf(name);
    expect(incidents, `the incidents of ${name}`).to.have.length(1);
    return (await world.api('GET', `/api/v1/incident/${incidents[0]!.id}`)).body;
  };
  /** The events that were published, by monitor: each notifies the groups and people of it. */
  const published = async (name: string) =>
    await app.column<string>('SELECT type FROM alert_event WHERE monitor_key = $1 ORDER BY seq', [keys.get(name)]);

  it('is attached to the open incident of the cause, with its evidence, and notifies nobody', async () => {
    await monitor('Host');
    await monitor('Shop', 'Host');
    await at(0, { Host: UP, Shop: UP });
    await at(60, { Host: BROKEN });
    await at(62, { Shop: BROKEN });
    expect(await incidentsOf('Shop')).to.deep.equal([]);
    expect(await published('Shop')).to.deep.equal([]);
    const { body: shop } = await world.api('GET', `/api/v1/monitor/${ids.get('Shop')}`);
    expect(shop).to.deep.include({ healthStatus: 'unavailable', latestIncident: null });
    const host = await only('Host');
    expect(host.dependentCount).to.equal(1);
    expect(host.timeline.at(-1)).to.deep.include({ type: 'dependent_failed', actor: null });
    expect(host.timeline.at(-1).detail).to.deep.include({ monitorId: ids.get('Shop'), monitorName: 'Shop' });
    const { body: preview } = await world.api('GET', `/api/v1/monitor/${ids.get('Shop')}/alert-preview`);
    expect(preview).to.deep.include({
      willAnyoneHear: false,
      causes: [{ monitorId: ids.get('Host'), name: 'Host', incidentId: host.id }],
    });
    expect(preview.reasons[0]).to.include('Nobody would be notified while "Host" is down');
    const { body: evidence } = await world.api('GET', `/api/v1/incident/${host.id}/evidence`);
    expect(evidence.dependents[0]).to.include({ name: 'Shop', ended: null });
    expect(evidence.timeline.at(-1).sentence).to.equal('Shop, which depends on it, failed.');
    const { body: link } = await world.api('POST', `/api/v1/incident/${host.id}/evidence-links`);
    const document = await (await fetch(new URL(new URL(link.url).pathname, app.baseUrl))).text();
    expect(document).to.include('Failed because of it').and.include('A monitor that depends on this one failed too.');
    const [dependent] = host.dependents;
    expect(dependent).to.deep.include({
      monitorId: ids.get('Shop'),
      severity: 'down',
      failureReason: BROKEN.kind === 'down' ? BROKEN.message : '',
      ended: null,
      ownIncidentId: null,
    });
    expect(dependent.context.failures[0]).to.deep.include({ region: 'northeurope', reason: 'unexpected_status' });

    // Recovered, and failed again, it is on the timeline once.
    await at(120, { Shop: UP });
    expect((await only('Host')).dependents[0].ended).to.equal(new Date(NOON + 120 * SECOND_MS).toISOString());
    await at(180, { Shop: BROKEN });
    const again = await only('Host');
    expect(again.dependents.map(({ ended }: Json) => ended)).to.deep.equal([null]);
    expect(again.timeline.filter(({ type }: Json) => type === 'dependent_failed')).to.have.length(1);
    // Uptime counts it as down.
    const { body: uptime } = await world.api(
      'GET',
      `/api/v1/monitor/${ids.get('Shop')}/availability?startDate=${new Date(NOON).toISOString()}&endDate=${new Date(NOON + 4 * MINUTE_MS).toISOString()}`,
    );
    expect(uptime.uptimePercentage).to.be.below(100);
  });

  it('becomes an incident of its own a minute after the cause recovered, if it still fails', async () => {
    await monitor('Host');
    await monitor('Shop', 'Host');
    await monitor('Blog', 'Host');
    await at(0, { Host: BROKEN });
    await at(2, { Shop: BROKEN, Blog: BROKEN });
    await at(60, { Host: UP, Shop: BROKEN });
    await at(90, { Blog: UP });
    await at(119, { Shop: BROKEN });
    expect(await incidentsOf('Shop')).to.deep.equal([]);
    await at(121);
    const own = await only('Shop');
    const host = await only('Host');
    expect(own).to.deep.include({ started: new Date(NOON + 121 * SECOND_MS).toISOString(), isClosed: false });
    expect(own.context.failingSince).to.equal(new Date(NOON + 2 * SECOND_MS).toISOString());
    expect(own.timeline[0].detail.causeIncidentId).to.equal(host.id);
    expect(await published('Shop')).to.deep.equal(['incident.opened']);
    expect(await published('Blog')).to.deep.equal([]);
    const byName = Object.fromEntries(host.dependents.map((one: Json) => [one.monitorName, one]));
    expect(byName.Shop).to.deep.include({ ended: own.started, ownIncidentId: own.id });
    expect(byName.Blog).to.deep.include({ ended: new Date(NOON + 90 * SECOND_MS).toISOString(), ownIncidentId: null });
  });

  it('waits for a cause that was not checked since, at most 90 s, and not for one that works', async () => {
    await monitor('Host');
    await monitor('Shop', 'Host');
    await at(0, { Host: UP, Shop: UP });
    // Both die; the check of the dependent comes first.
    await at(30, { Shop: BROKEN });
    expect(await incidentsOf('Shop')).to.deep.equal([]);
    await at(60, { Host: BROKEN });
    await at(66);
    expect(await incidentsOf('Shop')).to.deep.equal([]);
    expect((await only('Host')).dependents).to.have.length(1);

    await monitor('Router');
    await monitor('Site', 'Router');
    await at(100, { Router: UP, Site: UP });
    await at(110, { Site: BROKEN });
    await at(160, { Router: UP });
    expect((await only('Site')).started).to.equal(new Date(NOON + 110 * SECOND_MS).toISOString());

    await monitor('Slow');
    await monitor('Page', 'Slow');
    await at(200, { Slow: UP, Page: UP });
    await at(230, { Page: BROKEN });
    await at(290, { Page: BROKEN });
    await at(319);
    expect(await incidentsOf('Page')).to.deep.equal([]);
    await at(320);
    expect((await only('Page')).started).to.equal(new Date(NOON + 230 * SECOND_MS).toISOString());
  });

  it('of a chain is attached to the incident at its end', async () => {
    await monitor('Host');
    await monitor('DB', 'Host');
    await monitor('API', 'DB');
    await at(0, { Host: UP, DB: UP, API: UP });
    await at(60, { API: BROKEN });
    await at(61, { DB: BROKEN });
    await at(62, { Host: BROKEN });
    for (const seconds of [68, 75, 82]) await at(seconds);
    expect((await only('Host')).dependents.map(({ monitorName }: Json) => monitorName)).to.have.members(['DB', 'API']);
    expect([await incidentsOf('DB'), await incidentsOf('API')]).to.deep.equal([[], []]);
    // The middle recovers, the end still fails: it is one of its own a minute later.
    await at(120, { Host: BROKEN, DB: UP, API: BROKEN });
    await at(150);
    expect(await incidentsOf('API')).to.deep.equal([]);
    await at(215);
    expect(await incidentsOf('API')).to.have.length(1);
  });

  it('is its own where the cause is paused, deleted, in maintenance or its incident is closed by a person', async () => {
    for (const name of ['Paused', 'Deleted', 'Closed']) {
      await monitor(name);
      await monitor(`behind ${name}`, name);
    }
    await at(0, { Paused: BROKEN, Deleted: BROKEN, Closed: BROKEN });
    await at(2, { 'behind Paused': BROKEN, 'behind Deleted': BROKEN, 'behind Closed': BROKEN });
    const { id } = await only('Closed');
    app.clock.set(NOON + 60 * SECOND_MS);
    await create(world.api, `/api/v1/monitor/${ids.get('Paused')}`, { monitoringStatus: 'paused' }, 'PUT');
    expect((await world.api('DELETE', `/api/v1/monitor/${ids.get('Deleted')}`)).status).to.equal(204);
    await create(world.api, `/api/v1/incident/${id}`, { status: 'Resolved' }, 'PATCH');
    await at(90, { 'behind Paused': BROKEN, 'behind Deleted': BROKEN, 'behind Closed': BROKEN });
    for (const name of ['Paused', 'Deleted', 'Closed']) expect(await incidentsOf(`behind ${name}`)).to.deep.equal([]);
    await at(121);
    for (const name of ['Paused', 'Deleted', 'Closed']) expect(await incidentsOf(`behind ${name}`)).to.have.length(1);

    await monitor('Patched');
    await monitor('Service', 'Patched');
    await at(130, { Patched: UP, Service: UP });
    await create(world.api, '/api/v1/maintenance-windows', {
      name: 'Patches',
      startsAt: 'now',
      duration: 'PT30M',
      scope: { monitorIds: [ids.get('Patched')] },
    });
    await app.plane.periodicTasks.find(({ name }) => name === 'follow_maintenance')!.run();
    await at(140, { Patched: BROKEN });
    await at(141, { Service: BROKEN });
    expect(await incidentsOf('Patched')).to.deep.equal([]);
    expect(await incidentsOf('Service')).to.have.length(1);
  });

  it('ends when it is paused, and of another workspace nothing is known', async () => {
    await monitor('Host');
    await monitor('Shop', 'Host');
    await at(0, { Host: BROKEN });
    await at(2, { Shop: BROKEN });
    const host = await only('Host');
    await create(world.api, `/api/v1/monitor/${ids.get('Shop')}`, { monitoringStatus: 'paused' }, 'PUT');
    expect((await only('Host')).dependents[0].ended).to.equal(new Date(app.clock.now()).toISOString());
    const other = await makeWorld(app);
    expect((await other.api('GET', `/api/v1/incident/${host.id}`)).status).to.equal(404);
  });

  it('of a job is attached too, with what the job reported', async () => {
    await monitor('Host');
    const { id, pingPath } = await seedHeartbeat(world, { dependsOn: [ids.get('Host')] });
    await know('Backup', id);
    const ping = (path: string, body?: string) =>
      fetch(new URL(path, app.baseUrl), { method: 'POST', ...(body ? { body } : {}) });
    await at(0, { Host: BROKEN });
    await ping(pingPath);
    app.clock.advance(SECOND_MS);
    await ping(`${pingPath}/3`, 'no route to host');
    expect(await incidentsOf('Backup')).to.deep.equal([]);
    const [dependent] = (await only('Host')).dependents;
    expect(dependent).to.deep.include({ incidentType: 'Heartbeat', failureReason: 'The job ended with exit code 3.' });
    expect(dependent.context.heartbeat).to.deep.include({ exitCode: 3, body: 'no route to host' });
    await at(60, { Host: UP });
    await at(121);
    expect((await only('Backup')).timeline[0].detail).to.have.property('causeIncidentId');
    expect(await published('Backup')).to.deep.equal(['incident.opened']);
  });
});
