import { Metadata, status } from '@grpc/grpc-js';
import { expect } from 'chai';
import type { CheckResult, ResultAck } from '@watchpost/shared/gen/watchpost/agent/v1/agent';
import { newId } from '@watchpost/shared/id';
import type { Database } from '@watchpost/control-plane/platform/db/database';
import { addAgent } from '@watchpost/control-plane/capabilities/fleet/agents/create-agent';
import { selectAgentsAt } from '@watchpost/control-plane/capabilities/fleet/agents/agent-store';
import { createMonitor } from '@watchpost/control-plane/capabilities/monitors/create-monitor';
import { monitorCheckSource } from '@watchpost/control-plane/capabilities/monitors/index';
import { ingestBatch } from '@watchpost/control-plane/capabilities/results/ingest/ingest-batch';
import type { Actor } from '@watchpost/control-plane/platform/identity/caller';
import { eventually, PATIENCE_MS } from '../../support/eventually.js';
import { ResultStream, wireResult } from '../fleet/agent-client.js';
import { FleetService } from '../fleet/fleet-service.js';
import { SecureService } from '../fleet/secure-service.js';
import { monitorDeps, schemas, seedActor, type TestMonitorDeps } from '../monitors/seed.js';
import { NOON, resultsDeps, type TestDeps } from '../results/seed.js';

const DOWN = { outcome: 2, phase: 'connect', reason: 'connection_refused', message: 'It refused.', statusCode: 0 };

describe('A hostile agent of a private location', () => {
  let plain: FleetService;
  let secure: SecureService;
  let db: Database;
  let deps: TestMonitorDeps;
  let results: TestDeps;

  beforeEach(async () => {
    plain = await FleetService.start({
      checks: (own) => monitorCheckSource(monitorDeps(own)),
      ingest: async (found, agent) => void (await ingestBatch(results, agent, found)),
    });
    db = plain.test.database;
    deps = monitorDeps(db);
    results = resultsDeps(db);
    results.clock.set(NOON + 1_000);
    secure = await SecureService.start({ after: plain });
  });
  afterEach(() => secure?.stop());

  /** A workspace with a location, an agent of it, and monitors that it and the regions check. */
  async function seed(name: string) {
    const actor = await seedActor(db, { plan: 'Enterprise' });
    const { workspaceId } = actor.workspace;
    const id = newId(NOON);
    const made = await db.transaction(async (tx) => {
      await tx.query(
        `INSERT INTO private_location (id, workspace_id, code, name, slug, allow_cidrs, deny_cidrs, labels, reachability,
           notify_action_group_ids, created, last_modified)
         VALUES ($1, $2, 100, $3, 'office', '{10.0.0.0/8}', '{}', '{}', 'voting', '{}', now(), now())`,
        [id, workspaceId, name],
      );
      return (await addAgent(tx, { name: `${name}-1`, region: id, workspaceId }, NOON))!;
    });
    const at = { privateLocations: ['office'], homeRegion: false };
    return {
      ...made,
      locationId: id,
      inside: await monitor(actor, { url: `http://10.0.0.5/${name}`, ...at }),
      outside: await monitor(actor, { url: `https://${name}.example/` }),
    };
  }
  async function monitor(actor: Actor, body: object): Promise<number> {
    await createMonitor(deps, actor, schemas.create.parse({ ...body, numberOfChecksBeforeAlert: 1 }));
    return deps.changes.at(-1)!.monitorKey;
  }
  const of = (key: number, change: Partial<CheckResult> = {}): CheckResult => ({
    ...wireResult(key),
    scheduledAtMs: BigInt(NOON),
    startedAtMs: BigInt(NOON + 3),
    ...DOWN,
    ...change,
  });
  const held = async (token: string) => (await secure.enroll(token.split('.')[0]!)).held;
  /** Everything that is stored of monitors and their results. */
  const stored = (keys: readonly number[]) =>
    db.read((tx) =>
      tx.query(
        `SELECT (SELECT count(*) FROM series WHERE monitor_key = ANY ($1)) AS series,
           (SELECT count(*) FROM incident WHERE monitor_key = ANY ($1)) AS incidents,
           (SELECT count(*) FROM check_result WHERE monitor_key = ANY ($1)) AS results`,
        [keys],
      ),
    );
  const NOTHING = [{ series: 0, incidents: 0, results: 0 }];

  it('has results of its own place stored, and all others refused and counted, without an effect on anybody', async () => {
    const [own, victim] = [await seed('attacker'), await seed('victim')];
    const stream = new ResultStream(secure.client(await held(own.token)).streamResults(new Metadata()));
    const refused: string[] = [];
    stream.call.on('data', (ack: ResultAck) =>
      refused.push(...ack.refused.map(({ sequence, reason }) => `${sequence} ${reason}`)),
    );
    const forged = [
      of(victim.inside),
      of(victim.outside),
      of(9_999_999),
      of(Number.MAX_SAFE_INTEGER),
      // Of its workspace, and checked elsewhere.
      of(own.outside),
      of(own.inside, { key: { monitorKey: BigInt(own.inside), kind: 2 } }),
      of(own.inside),
      // A time at which nothing was scheduled.
      of(own.inside, { scheduledAtMs: BigInt(NOON + 1) }),
    ];
    stream.send(1, forged.length, (result) => Object.assign(result, forged[Number(result.key!.monitorKey) - 1]));
    await stream.acknowledged(forged.length);
    expect(refused.toSorted()).to.deep.equal([
      '1 foreign_monitor',
      '2 foreign_monitor',
      '3 foreign_monitor',
      '4 foreign_monitor',
      '8 not_due',
    ]);
    const counted = await plain.registry.getSingleMetric('watchpost_results_refused_total')!.get();
    expect(counted.values.map(({ value, labels }) => [labels['region'], labels['reason'], value])).to.deep.equal([
      ['private', 'foreign_monitor', 4],
      ['private', 'not_due', 1],
    ]);
    const dropped = await results.metrics.dropped.get();
    expect(dropped.values.map(({ value, labels }) => [labels['reason'], value])).to.have.deep.members([
      ['foreign_region', 1],
      ['foreign_kind', 1],
    ]);
    expect(await stored([victim.inside, victim.outside, own.outside])).to.deep.equal(NOTHING);
    expect(await stored([own.inside])).to.deep.equal([{ series: 1, incidents: 1, results: 1 }]);
  });

  it('is given the checks and the names of its own workspace only, whatever epoch it claims', async () => {
    const [own, victim] = [await seed('attacker'), await seed('victim')];
    const theirs = plain.client(victim.token).connect();
    await theirs.has(1);
    const agent = plain.client(own.token);
    for (const assignmentEpoch of ['', theirs.epoch, `${victim.locationId}:1`, 'northeurope', 'x'.repeat(200)]) {
      agent.connect({ assignmentEpoch, lastRevision: theirs.revision, capabilities: ['http', 'ssl', 'dns', 'ping'] });
      await agent.has(1);
      expect([...agent.checks.keys()]).to.deep.equal([own.inside]);
    }
    const [welcome] = agent.of('welcome');
    expect(welcome?.$case === 'welcome' && welcome.value.egress?.allowCidrs).to.deep.equal(['10.0.0.0/8']);
    const everything = JSON.stringify(agent.updates, (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    expect(everything).not.to.match(/victim/);
    expect(everything).not.to.contain(victim.locationId);
    expect([...theirs.checks.keys()]).to.deep.equal([victim.inside]);
    expect(theirs.status).to.equal(undefined);
  });

  it('answers no run of another agent, and a spool beyond all measure harms only its own figure', async () => {
    const [own, victim] = [await seed('attacker'), await seed('victim')];
    const [theirs, agent] = [plain.client(victim.token).connect(), plain.client(own.token).connect()];
    await theirs.has(1);
    await agent.has(1);
    const { places } = await db.read((tx) => monitorCheckSource(deps).of(tx, victim.inside));
    const [{ place, checks }] = places as [(typeof places)[0]];
    const run = { region: place, check: checks[0]!, timeoutMs: 20_000, purpose: 'secondOpinion' as const };
    const answer = plain.fleet.runNow(run);
    const asked = await eventually('the run', () => theirs.of('runNow')[0], PATIENCE_MS, 5);
    if (asked.$case !== 'runNow') throw new Error('not a run');
    const { requestId } = asked.value;
    agent.send({ $case: 'runResult', value: { requestId, result: { ...of(victim.inside) }, refusal: '' } });
    agent.send({
      $case: 'heartbeat',
      value: { spoolDepth: 4_294_967_295, checks: 4_294_967_295, lagP99Us: 4_294_967_295, visibility: 2 },
    });
    await eventually(
      'its heartbeat',
      async () => (await db.read((tx) => selectAgentsAt(tx, own.locationId))).find(({ spoolDepth }) => spoolDepth > 0),
      PATIENCE_MS,
      20,
    );
    const result = { ...wireResult(victim.inside), scheduledAtMs: BigInt(NOON) };
    theirs.send({ $case: 'runResult', value: { requestId, result, refusal: '' } });
    expect((await answer).outcome.kind, 'the answer of the agent that was asked').to.equal('up');
    expect(agent.of('runNow'), 'a second opinion stays in the location').to.deep.equal([]);
    const [known] = await db.read((tx) => selectAgentsAt(tx, victim.locationId));
    expect(known).to.include({ spoolDepth: 0 });
    expect(agent.status).to.equal(undefined);
  });

  it('has no certificate for another agent, and loses its own streams and token alone when it is revoked', async () => {
    const [own, victim] = [await seed('attacker'), await seed('victim')];
    const theirs = await held(victim.token);
    const mine = await held(own.token);
    // A token in the metadata does not make another agent of a certificate.
    const metadata = new Metadata();
    metadata.set('authorization', `Bearer ${victim.token}`);
    const stream = new ResultStream(secure.client(mine).streamResults(metadata));
    stream.send(1, 1, (result) => Object.assign(result, of(victim.inside)));
    await eventually('an end or an answer', () => stream.acks.at(-1) ?? stream.status, PATIENCE_MS, 5);
    expect(await stored([victim.inside])).to.deep.equal(NOTHING);
    await db.transaction((tx) => tx.query(`UPDATE agent SET status = 'revoked' WHERE id = $1`, [own.agentId]));
    plain.bus.publish('agent-changed', { agentId: own.agentId });
    expect(await secure.pull(secure.client(mine))).to.include({ code: status.PERMISSION_DENIED });
    expect(await secure.pull(secure.client(theirs))).to.deep.equal({ welcome: victim.agentId });
  });
});
