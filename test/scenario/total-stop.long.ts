import { expect } from 'chai';
import pino from 'pino';
import { systemClock } from '@watchpost/shared/clock';
import type { Outcome } from '@watchpost/shared/outcome';
import { MINUTE_MS } from '@watchpost/shared/time';
import { ingestBatch } from '@watchpost/control-plane/capabilities/results/ingest/ingest-batch';
import { Partitions } from '@watchpost/control-plane/capabilities/results/partitions/partitions';
import { Database } from '@watchpost/control-plane/platform/db/database';
import { agentIn, BROKEN, resultOf, resultsDeps, UP } from '../integration/results/seed.js';
import { eventually } from '../support/eventually.js';
import { FleetWorld } from '../support/fleet/fleet-world.js';
import { needRedis } from '../support/redis.js';
import { create, seedHeartbeat, seedMonitor } from '../support/seed.js';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.js';

const HEARTBEATS = 20;
const STOPPED_MS = 10 * MINUTE_MS;

describe('Three control planes that all stop for ten minutes, with a window and an outage', function () {
  this.timeout(10 * MINUTE_MS);
  let world: FleetWorld;
  let receiver: WebhookReceiver;
  let db: Database;

  before(async function () {
    needRedis(this);
    [world, receiver] = await Promise.all([
      FleetWorld.start({ controlPlanes: 3, regions: [], agentsEach: 0 }),
      startWebhookReceiver(),
    ]);
    await world.admin('set-plan', '--user', await world.email(), '--plan', 'Enterprise');
    const logger = pino({ level: 'silent' });
    db = await Database.open({ url: world.postgres.url, poolSize: 2, entities: [], migrations: [], logger });
  });
  after(async () => {
    await db?.close();
    await Promise.all([world?.stop(), receiver?.stop()]);
  });

  /** Every stored moment becomes ten minutes older: the processes see the clock ten minutes later. */
  async function passTenMinutes(): Promise<void> {
    const columns = await world.sql<{ table: string; sets: string }>(
      `SELECT c.table_name AS table, string_agg(format('%I = %I - interval ''10 minutes''', column_name, column_name), ', ') AS sets
       FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
       WHERE c.table_schema = 'public' AND c.data_type = 'timestamp with time zone' AND t.table_type = 'BASE TABLE'
         AND c.table_name ~ '^(heartbeat|heartbeat_change|ping|ping_reception|monitor_state|series|maintenance_[a-z]+|incident|monitor)$'
       GROUP BY 1`,
    );
    for (const { table, sets } of columns) await world.sql(`UPDATE ${table} SET ${sets}`);
  }

  it('page nobody for what they could not receive, and report what was hidden or happened, each once', async () => {
    const { api } = world;
    const group = await create(api, '/api/v1/action-groups/webhook', { name: 'Hook', url: receiver.url });
    const attach = (id: string) => create(api, `/api/v1/action-groups/${group.id}/monitors/${id}`);
    const received = () =>
      receiver.calls.map(({ body }) => JSON.parse(body)).map(({ type, data }) => `${type} ${data.monitor.name}`);
    const get = async (id: string) => (await api('GET', `/api/v1/monitor/${id}`)).body;
    const ping = (path: string) => fetch(`http://127.0.0.1:${world.controlPlanes[0]!.port}${path}`, { method: 'POST' });

    const shop = await seedMonitor({ api }, { checkInterval: 'PT1M', numberOfChecksBeforeAlert: 1 });
    await attach(shop.id);
    const [row] = await world.sql<{ key: string }>('SELECT key FROM monitor WHERE id = $1', [shop.id]);
    const partitions = new Partitions({ db, clock: systemClock, retentionDays: 35 });
    const observe = (outcome: Outcome) => {
      const result = { ...resultOf(Number(row!.key), Date.now(), outcome), startedAtMs: Date.now() };
      const deps = { ...resultsDeps(db), clock: systemClock, partitions };
      return ingestBatch(deps, agentIn('northeurope'), [{ ...result, answer: 'verified' as const }]);
    };
    const jobs: { id: string; pingPath: string; expectedBy: string }[] = [];
    for (let count = 1; count <= HEARTBEATS; count++) {
      const job = await seedHeartbeat({ api }, { name: `Job ${count}`, heartbeat: { every: 'PT4M', grace: 'PT1M' } });
      await attach(job.id);
      expect((await ping(job.pingPath)).status).to.equal(200);
      jobs.push({ ...job, expectedBy: (await get(job.id)).heartbeat.expectedBy });
    }

    // An outage begins inside a window that is over before the processes are back.
    await observe(UP);
    await create(api, '/api/v1/maintenance-windows', {
      name: 'Deploy',
      startsAt: 'now',
      duration: 'PT5M',
      scope: { monitorIds: [shop.id] },
    });
    await eventually('the window covers the shop', async () => (await get(shop.id)).maintenance ?? undefined, 90_000);
    await observe(BROKEN);
    expect(await get(shop.id)).to.include({ healthStatus: 'unavailable', latestIncident: null });

    for (const { process } of world.controlPlanes) process.kill('SIGKILL');
    await Promise.all(world.controlPlanes.map(({ process }) => process.ended(60_000)));
    await passTenMinutes();
    await Promise.all(world.controlPlanes.map((plane) => plane.start()));

    const look = () => Promise.all(jobs.map(({ id }) => get(id)));
    await eventually(
      'no job is known to be well or ill, and its deadline is extended',
      async () => {
        for (const [index, { healthStatus, heartbeat, latestIncident }] of (await look()).entries()) {
          expect({ healthStatus, latestIncident }).to.deep.equal({ healthStatus: null, latestIncident: null });
          const before = Date.parse(jobs[index]!.expectedBy) - STOPPED_MS;
          expect(Date.parse(heartbeat.expectedBy) - before, 'the deadline is extended').to.be.at.least(STOPPED_MS);
        }
        return true;
      },
      90_000,
    );
    const changes = await world.sql<{ verdict: string }>(
      'SELECT DISTINCT ON (monitor_key) verdict FROM heartbeat_change ORDER BY monitor_key, at DESC',
    );
    expect(changes.map(({ verdict }) => verdict)).to.deep.equal(jobs.map(() => 'unknown'));

    // The agent delivers what it saw meanwhile; one job reports that it failed, another one success.
    await observe(BROKEN);
    expect((await ping(`${jobs[0]!.pingPath}/fail`)).status).to.equal(200);
    expect((await ping(jobs[1]!.pingPath)).status).to.equal(200);
    await eventually('two messages', () => (receiver.calls.length >= 2 ? true : undefined), 90_000);
    expect((await get(jobs[1]!.id)).healthStatus).to.equal('available');
    await observe(UP);
    expect((await ping(jobs[0]!.pingPath)).status).to.equal(200);
    await eventually('four messages', () => (receiver.calls.length >= 4 ? true : undefined), 90_000);
    await eventually(
      'nothing else is to be sent',
      async () => {
        const [left] = await world.sql<{ count: string }>(
          `SELECT (SELECT count(*) FROM alert_event WHERE NOT fanned_out) + (SELECT count(*) FROM delivery WHERE state = 'waiting')
             + (SELECT count(*) FROM monitor_state WHERE decide_at <= now() - interval '10 seconds') AS count`,
        );
        return Number(left!.count) === 0 ? true : undefined;
      },
      90_000,
    );
    expect(received()).to.have.members([
      'incident.opened Shop',
      'incident.resolved Shop',
      'incident.opened Job 1',
      'incident.resolved Job 1',
    ]);
    const { body: incidents } = await api('GET', `/api/v1/incident?monitorId=${shop.id}`);
    expect(incidents).to.have.length(1);
  });
});
