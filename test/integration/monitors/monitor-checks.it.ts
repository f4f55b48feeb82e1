import { dnsCheck } from '@watchpost/shared/checks/dns';
import { httpCheck } from '@watchpost/shared/checks/http';
import { sslCheck } from '@watchpost/shared/checks/ssl';
import { tcpUdpCheck } from '@watchpost/shared/checks/tcp-udp';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { Region } from '@watchpost/shared/region';
import { OWNERSHIP_SHARDS, shardOf } from '@watchpost/shared/ownership-shard';
import { expect } from 'chai';
import { schedulePhaseMs } from '@watchpost/shared/check';
import type { HttpTarget } from '@watchpost/shared/checks/http';
import { createSecretBox } from '@watchpost/control-plane/platform/db/secret-box';
import type { Actor } from '@watchpost/control-plane/platform/identity/caller';
import { monitorCheckSource } from '@watchpost/control-plane/capabilities/monitors/index';
import { createMonitor } from '@watchpost/control-plane/capabilities/monitors/create-monitor';
import { deleteMonitor } from '@watchpost/control-plane/capabilities/monitors/delete-monitor';
import { updateMonitor } from '@watchpost/control-plane/capabilities/monitors/update-monitor';
import type { MonitorChecks } from '@watchpost/control-plane/capabilities/monitors/checks/monitor-checks';
import { checkSourceStore } from '@watchpost/control-plane/capabilities/monitors/checks/check-source-store';
import { eventually, PATIENCE_MS } from '../../support/eventually.js';
import { databaseForEach } from '../../support/suite.js';
import { monitorDeps, NOON, schemas, seedActor, type TestMonitorDeps, URL_OF_SHOP } from './seed.js';

describe('the checks that the fleet gets of monitors', () => {
  const test = databaseForEach();
  let deps: TestMonitorDeps;
  let actor: Actor;

  beforeEach(async () => {
    deps = monitorDeps(test.database);
    actor = await seedActor(test.database, { plan: 'Pro' });
  });

  async function create(body: object = {}): Promise<{ id: string; key: number }> {
    const { monitor } = await createMonitor(deps, actor, schemas.create.parse({ url: URL_OF_SHOP, ...body }));
    return { id: monitor.id, key: deps.changes.at(-1)!.monitorKey };
  }
  const update = (id: string, body: object) => updateMonitor(deps, actor, id, schemas.update.parse(body));
  const checksOf = (key: number) => test.database.read((tx) => monitorCheckSource(deps).of(tx, key));
  const changed = (since: number, limit = 1_000) =>
    test.database.read((tx) => monitorCheckSource(deps).changed(tx, since, limit));
  const inShards = (shards: readonly number[], region: Region = 'northeurope') =>
    test.database.read((tx) => monitorCheckSource(deps).inShards(tx, region, shards));
  const all = () => inShards(Array.from({ length: OWNERSHIP_SHARDS }, (_, shard) => shard));
  const regionsOf = (checks: MonitorChecks | undefined) => checks?.places.map(({ region }) => region);

  it('is one HTTP check for availability and latency together, in the home region and those enabled, with its secrets', async () => {
    const { key } = await create({
      monitorTypes: ['HttpAvailability', 'Latency'],
      enabledRegions: ['japaneast'],
      checkInterval: 'PT1M',
      checkTimeout: 'PT10S',
      http: {
        method: 'POST',
        body: '{}',
        headers: { Authorization: 'Bearer 1', Accept: 'a' },
        expectedStatusCodes: ['200-299', 404],
        keyword: 'ok',
        followRedirects: false,
      },
    });
    const checks = await checksOf(key);
    expect(regionsOf(checks)).to.deep.equal(['northeurope', 'japaneast']);
    const [spec, ...others] = checks.places[1]!.checks;
    expect(others).to.deep.equal([]);
    const target = spec!.target as HttpTarget;
    expect([spec!.ownerKey, spec!.siteKey].join(' ')).to.match(/^[\w-]{11} [\w-]{11}$/);
    expect({
      ...spec,
      ownerKey: undefined,
      siteKey: undefined,
      target: { ...target, headers: target.headers.toSorted((a, b) => a.name.localeCompare(b.name)) },
    }).to.deep.equal({
      ownerKey: undefined,
      siteKey: undefined,
      key: { monitorKey: key, kind: 'http' },
      intervalMs: 60_000,
      timeoutMs: 10_000,
      changedAtMs: NOON,
      phaseMs: schedulePhaseMs({ monitorKey: key, kind: 'http' }, 'japaneast', 60_000),
      target: httpCheck.target.parse({
        url: URL_OF_SHOP,
        method: 'POST',
        body: '{}',
        headers: [
          { name: 'Accept', value: 'a' },
          { name: 'Authorization', value: 'Bearer 1' },
        ],
        expectedStatus: [
          { from: 200, to: 299 },
          { from: 404, to: 404 },
        ],
        followRedirects: false,
        keyword: { text: 'ok', mode: 'present' },
      }),
    });
  });

  it('have each kind that the types need, each with its own scheduled time and target', async () => {
    actor = await seedActor(test.database, { plan: 'Enterprise' });
    const web = await create({
      url: 'https://Shop.example:8443/x',
      monitorTypes: ['Latency', 'SslCertificate', 'Dns'],
      checkInterval: 'PT5M',
      ssl: { incidentDays: 3 },
      dns: {
        recordTypes: ['A'],
        expectedRecords: { MX: { match: 'exact', values: ['10 mx.example'] } },
        resolvers: ['127.0.0.1:5353'],
        checkPropagation: false,
      },
    });
    const [{ checks }] = (await checksOf(web.key)).places as [MonitorChecks['places'][number]];
    expect(checks.map(({ key }) => key)).to.deep.equal(
      (['http', 'ssl', 'dns'] as const).map((kind) => ({ monitorKey: web.key, kind })),
    );
    for (const { key, phaseMs, intervalMs } of checks) {
      expect(intervalMs).to.equal(300_000);
      expect(phaseMs).to.equal(schedulePhaseMs(key, 'northeurope', 300_000));
    }
    expect(checks[1]!.target).to.deep.equal(
      sslCheck.target.parse({ host: 'shop.example', port: 8_443, incidentDays: 3 }),
    );
    expect(checks[2]!.target).to.deep.equal(
      dnsCheck.target.parse({
        hostname: 'shop.example',
        recordTypes: ['A', 'MX'],
        expectedRecords: [{ type: 'MX', match: 'exact', values: ['10 mx.example'] }],
        resolvers: ['127.0.0.1:5353'],
        checkPropagation: false,
      }),
    );
    const name = await create({ url: 'Bücher.example', monitorTypes: ['Dns'] });
    expect((await checksOf(name.key)).places[0]!.checks[0]!.target).to.include({ hostname: 'xn--bcher-kva.example' });
    const service = await create({
      url: 'udp://[2606:4700:4700::1111]:53',
      monitorTypes: ['TcpUdp'],
      tcpUdp: { send: 'hex:00 01', expect: 'x' },
    });
    const specs = (await checksOf(service.key)).places[0]!.checks;
    expect(specs.map(({ target }) => target)).to.deep.equal([
      tcpUdpCheck.target.parse({
        protocol: 'udp',
        host: '2606:4700:4700::1111',
        port: 53,
        send: 'hex:00 01',
        expect: 'x',
      }),
    ]);
  });

  it('is nothing where a monitor is paused, disabled, deleted or was never there', async () => {
    const { id, key } = await create();
    for (const monitoringStatus of ['paused', 'disabled']) {
      await update(id, { monitoringStatus });
      expect((await checksOf(key)).places).to.deep.equal([]);
    }
    expect((await all()).monitors).to.deep.equal([]);
    await update(id, { monitoringStatus: 'enabled' });
    expect(regionsOf(await checksOf(key))).to.deep.equal(['northeurope']);
    await deleteMonitor(deps, actor, id);
    expect((await checksOf(key)).places).to.deep.equal([]);
    expect(await checksOf(999_999)).to.deep.equal({ monitorKey: 999_999, revision: 0, places: [] });
  });

  it('leaves out what a smaller plan does not cover, and the change of a plan is a change of its monitors', async () => {
    const { key } = await create({
      monitorTypes: ['HttpAvailability', 'Latency'],
      enabledRegions: ['eastus2', 'japaneast', 'westus3'],
      checkTimeout: 'PT10S',
    });
    const only = await create({ monitorTypes: ['Latency'] });
    const { horizon } = await changed(0);
    await test.sql(`UPDATE user_account SET plan = 'Starter' WHERE id = $1`, [actor.workspace.ownerId]);
    const { monitors } = await changed(horizon);
    expect(monitors.map(({ monitorKey }) => monitorKey)).to.have.members([key, only.key]);
    const restricted = monitors.find(({ monitorKey }) => monitorKey === key)!;
    expect(regionsOf(restricted)).to.deep.equal(['northeurope']);
    expect(restricted.places[0]!.checks[0]!.timeoutMs).to.equal(30_000);
    expect(regionsOf(monitors.find(({ monitorKey }) => monitorKey === only.key))).to.deep.equal([]);
  });

  it('hears of a new owner and of a deleted workspace too', async () => {
    const { key } = await create({ enabledRegions: ['eastus2'] });
    const before = await checksOf(key);
    const heir = await seedActor(test.database, { plan: 'Starter' });
    let { horizon } = await changed(0);
    await test.sql('UPDATE workspace SET owner_id = $2 WHERE id = $1', [
      actor.workspace.workspaceId,
      heir.workspace.ownerId,
    ]);
    const transferred = await changed(horizon);
    expect(transferred.monitors.map(regionsOf)).to.deep.equal([['northeurope']]);
    const keysOf = ({ places }: MonitorChecks) => {
      const { ownerKey, siteKey } = places[0]!.checks[0]!;
      return { ownerKey, siteKey };
    };
    expect(keysOf(transferred.monitors[0]!).siteKey).to.equal(keysOf(before).siteKey);
    expect(keysOf(transferred.monitors[0]!).ownerKey, 'agents hear of it').not.to.equal(keysOf(before).ownerKey);
    ({ horizon } = transferred);
    await test.sql('DELETE FROM workspace WHERE id = $1', [actor.workspace.workspaceId]);
    expect((await changed(horizon)).monitors).to.deep.include({
      monitorKey: key,
      revision: (await checksOf(key)).revision,
      places: [],
    });
  });

  it('does not check at all what it cannot check as configured', async () => {
    const { key } = await create({ http: { headers: { Cookie: 'a=1' } } });
    const plain = await create();
    const mixed = await create({ monitorTypes: ['HttpAvailability', 'Dns'], http: { headers: { Cookie: 'a=1' } } });
    deps.secretBox = createSecretBox(randomBytes(32));
    const { monitors } = await all();
    const kinds = monitors.map(({ makeChecks }) => makeChecks().map((check) => check.key.kind));
    expect(monitors.map(({ monitorKey }, index) => [monitorKey, kinds[index]])).to.deep.equal([
      [key, []],
      [plain.key, ['http']],
      [mixed.key, ['dns']],
    ]);
  });

  it('comes by ownership shard and region, with the horizon to go on from', async () => {
    const [home, both, paused] = [await create(), await create({ enabledRegions: ['japaneast'] }), await create()];
    await update(paused.id, { monitoringStatus: 'paused' });
    const keysOf = async (monitors: readonly { key: number }[], region: Region) => {
      const answer = await inShards(
        monitors.map(({ key }) => shardOf(key)),
        region,
      );
      for (const { monitorKey, makeChecks } of answer.monitors) {
        const [check, ...others] = makeChecks();
        expect(others).to.deep.equal([]);
        expect(check!.phaseMs).to.equal(schedulePhaseMs({ monitorKey, kind: 'http' }, region, check!.intervalMs));
      }
      return answer.monitors.map(({ monitorKey }) => monitorKey);
    };
    expect(await keysOf([home, both, paused], 'northeurope')).to.deep.equal([home.key, both.key]);
    expect(await keysOf([home, both, paused], 'japaneast')).to.deep.equal([both.key]);
    expect(await keysOf([home], 'northeurope')).to.deep.equal([home.key]);
    expect(await keysOf([], 'northeurope')).to.deep.equal([]);
    const kept = await test.database.read((tx) => monitorCheckSource(deps).keysInShards(tx, [shardOf(paused.key)]));
    expect(kept).to.deep.equal([paused.key]);
    const { horizon } = await all();
    const { key } = await create();
    // whatever else runs on this server may hold the horizon back: then changes come once more
    expect((await changed(horizon)).monitors.map(({ monitorKey }) => monitorKey)).to.include(key);
  });

  it('never misses a change, in whatever order transactions commit', async () => {
    const early = await create();
    const late = await create();
    let { horizon } = await changed(0);
    const client = new pg.Client({ connectionString: test.url });
    await client.connect();
    try {
      // the older transaction writes first and commits last
      await client.query('BEGIN');
      await client.query(`UPDATE monitor SET name = 'older' WHERE key = $1`, [early.key]);
      await update(late.id, { name: 'newer' });
      const between = await changed(horizon);
      expect(between.monitors.map(({ monitorKey }) => monitorKey)).to.include(late.key);
      await client.query('COMMIT');
      const after = await changed(between.horizon);
      expect(after.monitors.map(({ monitorKey }) => monitorKey)).to.include(early.key);
      ({ horizon } = after);
    } finally {
      await client.end();
    }
    // other databases of the same server hold the horizon back too, while their transactions run
    await eventually(
      'nothing more to hear',
      async () => {
        const more = await changed(horizon);
        ({ horizon } = more);
        return more.monitors.length === 0 || undefined;
      },
      PATIENCE_MS,
      20,
    );
  });

  it('goes on past the limit, also while a long transaction holds the horizon back', async () => {
    const keys: number[] = [];
    for (let count = 0; count < 7; count++) keys.push((await create()).key);
    const seen = async (limit: number) => {
      const found = new Set<number>();
      for (let since = 0, rounds = 0; rounds < 20; rounds++) {
        const { monitors, horizon } = await changed(since, limit);
        for (const { monitorKey } of monitors) found.add(monitorKey);
        if (monitors.length < limit) return found;
        since = horizon;
      }
      return found;
    };
    expect([...(await seen(3))]).to.have.members(keys);
    const { horizon } = await changed(0);
    const client = new pg.Client({ connectionString: test.url });
    await client.connect();
    try {
      await client.query('BEGIN');
      await client.query('SELECT pg_current_xact_id()');
      // all of them in one transaction, younger than the one that goes on
      await test.sql(`UPDATE monitor SET name = 'touched'`);
      const { monitors } = await changed(horizon, 3);
      expect(monitors).to.have.length(7);
      expect((await changed((await changed(horizon, 3)).horizon, 3)).monitors).to.have.length(7);
    } finally {
      await client.end();
    }
  });

  it('leaves out what did not change since the database was restored into a new server, and finds the rest by index', async () => {
    const monitors = [await create(), await create(), await create()];
    await test.database.transaction(async (tx) => {
      await tx.query("SELECT set_config('session_replication_role', 'replica', true)");
      await tx.query('UPDATE monitor SET revision = revision + 1e12');
    });
    for (const limit of [1_000, 2]) expect((await changed(0, limit)).monitors).to.deep.equal([]);
    await update(monitors[1]!.id, { name: 'Shop' });
    for (const limit of [1_000, 1])
      expect((await changed(0, limit)).monitors.map(({ monitorKey }) => monitorKey)).to.deep.equal([monitors[1]!.key]);
    const plans: string[] = [];
    await test.database.transaction(async (tx) => {
      await tx.query('SET LOCAL enable_seqscan = off');
      const explaining = {
        ...tx,
        query: async <Row extends object>(sql: string, params?: readonly unknown[]) => {
          const lines = await tx.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`, params);
          plans.push(lines.map((line) => line['QUERY PLAN']).join('\n'));
          return tx.query<Row>(sql, params);
        },
      };
      for (const limit of [1_000, null]) await checkSourceStore.changed(explaining, 0, limit);
    });
    for (const plan of plans)
      expect(plan).to.match(
        /monitor_revision_idx.*\n *Index Cond: \(.*revision >= .* AND .*revision < .*pg_snapshot_xmax/,
      );
  });
});
