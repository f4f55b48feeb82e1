import { expect } from 'chai';
import { status } from '@grpc/grpc-js';
import { Visibility } from '@watchpost/shared/gen/watchpost/agent/v1/agent';
import { eventually, PATIENCE_MS } from '../../support/eventually.js';
import { FleetService } from './fleet-service.js';

describe('the assignment of an agent', function () {
  let service: FleetService;
  beforeEach(async () => {
    service = await FleetService.start();
  });
  afterEach(() => service.stop());

  it('starts with a welcome and a snapshot in chunks of bounded size', async () => {
    await service.checks.add(1_234);
    await service.checks.add(10, ['eastus2']);
    const agent = (await service.agent('vm-1')).connect();
    await agent.has(1_234);
    const [welcome] = agent.of('welcome');
    expect(welcome).to.have.nested.property('value.agentId', agent.agentId);
    expect(welcome).to.have.nested.property('value.region', 'northeurope');
    const chunks = agent
      .of('snapshot')
      .map(({ value }) => value as { index: number; last: boolean; checks: unknown[] });
    expect(chunks.map(({ index }) => index)).to.deep.equal([0, 1, 2]);
    expect(chunks.map(({ last }) => last)).to.deep.equal([false, false, true]);
    expect(Math.max(...chunks.map(({ checks }) => checks.length))).to.be.at.most(500);
  });

  it('is updated by deltas after a monitor is created, changed or removed', async () => {
    const agent = (await service.agent('vm-1')).connect();
    await agent.has(0);
    await eventually('the first snapshot', () => agent.of('snapshot')[0], PATIENCE_MS, 5);
    const [key] = await service.checks.add(1);
    await agent.has(1);
    await service.checks.change(key!, { intervalMs: 120_000 });
    await eventually(
      'the new interval',
      () => (agent.checks.get(key!)?.intervalMs === 120_000 ? true : undefined),
      PATIENCE_MS,
      5,
    );
    await service.checks.change(key!, { regions: ['eastus2'] });
    await agent.has(0);
    expect(agent.of('snapshot')).to.have.length(1);
  });

  it('is resumed with a delta when the agent reconnects', async () => {
    const [kept, gone] = await service.checks.add(2);
    const agent = (await service.agent('vm-1')).connect();
    await agent.has(2);
    agent.disconnect();
    await service.checks.change(gone!, { regions: [] });
    const [added] = await service.checks.add(1);
    const again = service.client(agent.token);
    for (const [key, check] of agent.checks) again.checks.set(key, check);
    again.connect({ lastRevision: agent.revision, assignmentEpoch: agent.epoch });
    await eventually('the delta', () => again.of('delta')[0], PATIENCE_MS, 5);
    expect([...again.checks.keys()]).to.have.members([kept, added]);
    expect(again.of('snapshot')).to.have.length(0);
  });

  it('is sent anew to an agent that was away for longer than a deletion is kept', async () => {
    const [, gone] = await service.checks.add(2);
    const agent = (await service.agent('vm-1')).connect();
    await agent.has(2);
    agent.disconnect();
    const reconnect = () =>
      service.client(agent.token).connect({ lastRevision: agent.revision, assignmentEpoch: agent.epoch });
    await service.checks.change(gone!, { regions: [] });
    const again = reconnect();
    await eventually('the delta', () => again.of('delta')[0], PATIENCE_MS, 5);
    again.disconnect();
    await service.checks.purge(gone!);
    const late = reconnect();
    await eventually('the snapshot', () => late.of('snapshot')[0], PATIENCE_MS, 5);
    expect(late.checks.size).to.equal(1);
  });

  it('contains changes alone, also in a database of thousands of monitors that was restored into a new server', async () => {
    const [key] = await service.checks.add(2_100);
    await service.checks.restore();
    const agent = (await service.agent('vm-1')).connect();
    await agent.has(2_100);
    await service.checks.change(key!, { intervalMs: 120_000 });
    await eventually('the change', () => agent.of('delta')[0], PATIENCE_MS, 5);
    agent.disconnect();
    const again = service.client(agent.token);
    again.connect({ lastRevision: agent.revision, assignmentEpoch: agent.epoch });
    await eventually('the delta', () => again.of('delta')[0], PATIENCE_MS, 5);
    expect(again.of('snapshot')).to.have.length(0);
    const sent = [...agent.of('delta'), ...again.of('delta')]
      .flatMap(({ value }) => (value as { upserts: { key: { monitorKey: bigint } }[] }).upserts)
      .map(({ key: { monitorKey } }) => Number(monitorKey));
    expect(new Set(sent)).to.deep.equal(new Set([key]));
  });

  it('never contains outdated checks after a reconnection, also during a long transaction', async () => {
    await service.stop();
    service = await FleetService.start({ times: { changePollMs: 60_000 } });
    const { database } = service.test;
    await database.transaction(async (tx) => {
      await tx.query('SELECT pg_current_xact_id()');
      const [kept, gone] = await service.checks.add(2);
      const agent = (await service.agent('vm-1')).connect();
      await agent.has(2);
      // The changes are read by now, and shared with sessions that read from the same revision.
      await eventually('the changes', () => agent.of('delta')[0], PATIENCE_MS, 5);
      agent.disconnect();
      await database.transaction((other) =>
        other.query(
          `UPDATE fleet_test_monitor SET regions = '{}', revision = pg_current_xact_id()::text::bigint WHERE key = $1`,
          [gone],
        ),
      );
      const again = service.client(agent.token);
      for (const [key, check] of agent.checks) again.checks.set(key, check);
      again.connect({ lastRevision: agent.revision, assignmentEpoch: agent.epoch });
      await eventually('the delta', () => again.of('delta')[0], PATIENCE_MS, 5);
      const [added] = await service.checks.add(1);
      await eventually('what is new', () => again.checks.has(added!) || undefined, PATIENCE_MS, 5);
      expect([...again.checks.keys()]).to.have.members([kept, added]);
      const sent = again
        .of('delta')
        .flatMap(({ value }) => (value as { upserts: { key: { monitorKey: bigint } }[] }).upserts);
      expect(sent.map(({ key }) => Number(key.monitorKey))).to.not.include(gone);
    });
  });

  it("is sent as a snapshot if the agent's epoch or revision is unknown", async () => {
    await service.checks.add(3);
    const agent = (await service.agent('vm-1')).connect({ lastRevision: 5n, assignmentEpoch: 'of another database' });
    await agent.has(3);
    agent.connect({ lastRevision: 1n << 52n });
    await eventually('the second snapshot', () => agent.of('snapshot')[1], PATIENCE_MS, 5);
  });

  it('is updated also if the message about a change is lost', async () => {
    await service.stop();
    service = await FleetService.start({ times: { changePollMs: 100 } });
    const agent = (await service.agent('vm-1')).connect();
    await eventually('the first snapshot', () => agent.of('snapshot')[0], PATIENCE_MS, 5);
    await service.test.sql(`INSERT INTO fleet_test_monitor (regions) VALUES ('{northeurope}')`);
    await agent.has(1);
  });

  it('contains thousands of changes at once, without another snapshot', async () => {
    const agent = (await service.agent('vm-1')).connect();
    await eventually('the first snapshot', () => agent.of('snapshot')[0], PATIENCE_MS, 5);
    for (let transaction = 0; transaction < 5; transaction++) {
      await service.test.sql(
        `INSERT INTO fleet_test_monitor (regions) SELECT '{northeurope}' FROM generate_series(1, 900)`,
      );
    }
    service.bus.publish('monitor-changed', { monitorKey: 1 });
    await agent.has(4_500);
    expect(agent.of('snapshot')).to.have.length(1);
  });

  it('contains the changes of a long transaction that commits after later ones', async () => {
    const agent = (await service.agent('vm-1')).connect();
    await eventually('the first snapshot', () => agent.of('snapshot')[0], PATIENCE_MS, 5);
    const { database } = service.test;
    await database.transaction(async (tx) => {
      await tx.query(`INSERT INTO fleet_test_monitor (regions) VALUES ('{northeurope}')`);
      await service.checks.add(5);
      await agent.has(5);
    });
    service.bus.publish('monitor-changed', { monitorKey: 1 });
    await agent.has(6);
  });

  it('has one stream: a newer stream ends the older one with a reason', async () => {
    await service.checks.add(2);
    const agent = (await service.agent('vm-1')).connect();
    await agent.has(2);
    const newer = service.client(agent.token).connect();
    await newer.has(2);
    expect((await agent.ended()).code).to.equal(status.ABORTED);
    await service.checks.add(1);
    await newer.has(3);
  });

  it('ends with a request to reconnect when the control plane stops', async () => {
    const agent = (await service.agent('vm-1')).connect();
    await agent.has(0);
    await eventually('the first snapshot', () => agent.of('snapshot')[0], PATIENCE_MS, 5);
    // Nothing is cut off before the deadline of this test.
    await service.halt(600_000);
    expect(agent.of('drain')).to.have.length(1);
    expect((await agent.ended()).code).to.equal(status.UNAVAILABLE);
  });

  it("is accompanied by the agent's version, heartbeat and time of contact in the database", async () => {
    const agent = (await service.agent('vm-1')).connect();
    agent.send({
      $case: 'heartbeat',
      value: { checks: 17, spoolDepth: 3, lagP99Us: 4_200, visibility: Visibility.VISIBILITY_BLIND },
    });
    const row = await eventually(
      'the heartbeat in the database',
      async () => {
        const [found] = await service.test.sql(
          'SELECT version, checks, spool_depth, lag_p99_us, last_seen, visibility FROM agent',
        );
        return found!.checks === 17 && found!.version !== null ? found : undefined;
      },
      PATIENCE_MS,
      20,
    );
    expect(row).to.include({ version: '1.2.3', spool_depth: 3, lag_p99_us: 4_200, visibility: 'blind' });
    expect(Math.abs(Date.now() - (row.last_seen as Date).getTime())).to.be.below(60_000);
  });
});
