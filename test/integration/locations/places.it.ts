import { expect } from 'chai';
import { newId } from '@watchpost/shared/id';
import type { Outcome } from '@watchpost/shared/outcome';
import { regionOfCode } from '@watchpost/shared/region';
import { MINUTE_MS } from '@watchpost/shared/time';
import { faultOf } from '@watchpost/control-plane/platform/http/answering/on-error';
import type { Actor } from '@watchpost/control-plane/platform/identity/caller';
import { locationNamer } from '@watchpost/control-plane/capabilities/locations/index';
import { createMonitor } from '@watchpost/control-plane/capabilities/monitors/create-monitor';
import { updateMonitor } from '@watchpost/control-plane/capabilities/monitors/update-monitor';
import { monitorCheckSource, monitorsAtLocation } from '@watchpost/control-plane/capabilities/monitors/index';
import { ingestBatch, type ReportingAgent } from '@watchpost/control-plane/capabilities/results/ingest/ingest-batch';
import { ScheduledTimes } from '@watchpost/control-plane/capabilities/results/ingest/scheduled-times';
import { sweepSilence } from '@watchpost/control-plane/capabilities/verdicts/verdict/sweep-silence';
import { monitorDeps, schemas, seedActor, type TestMonitorDeps } from '../monitors/seed.js';
import { agentIn, DOWN, NOON, resultOf, resultsDeps, type TestDeps, UP } from '../results/seed.js';
import { databaseForEach } from '../../support/suite.js';

describe('A monitor with private locations', () => {
  const test = databaseForEach();
  let deps: TestMonitorDeps;
  let results: TestDeps;
  let actor: Actor;

  beforeEach(async () => {
    deps = monitorDeps(test.database);
    results = resultsDeps(test.database);
    actor = await seedActor(test.database, { plan: 'Enterprise' });
  });

  async function locate(
    slug: string,
    of: { code?: number; reachability?: string; allow?: string[]; who?: Actor } = {},
  ) {
    const id = newId(NOON);
    const { workspaceId } = (of.who ?? actor).workspace;
    await test.sql(
      `INSERT INTO private_location (id, workspace_id, code, name, slug, allow_cidrs, deny_cidrs, labels, reachability,
           notify_action_group_ids, created, last_modified)
         VALUES ($1, $2, $3, 'Office', $4, $5, '{}', '{}', $6, '{}', now(), now())`,
      [id, workspaceId, of.code ?? 100, slug, of.allow ?? ['10.0.0.0/8'], of.reachability ?? 'advisory'],
    );
    return { id, workspaceId, code: of.code ?? 100 };
  }
  async function create(body: object, who = actor) {
    const { monitor } = await createMonitor(deps, who, schemas.create.parse(body));
    return { ...monitor, key: deps.changes.at(-1)!.monitorKey };
  }
  const faultsOf = (work: Promise<unknown>) =>
    work.then(
      () => [],
      (error: unknown) => faultOf(error).details.map(({ path, message }) => `${path} ${message}`),
    );
  const agentAt = ({ id, workspaceId, code }: { id: string; workspaceId: string; code: number }): ReportingAgent => ({
    agentId: newId(NOON),
    agentKey: 7,
    region: regionOfCode(code),
    location: { id, workspaceId },
  });
  const observe = (key: number, minute: number, outcome: Outcome, agent: ReportingAgent) => {
    results.clock.set(NOON + minute * MINUTE_MS + 500);
    return ingestBatch(results, agent, [resultOf(key, NOON + minute * MINUTE_MS, outcome)]);
  };
  const one = <Value>(sql: string, key: number) => test.database.read((tx) => tx.value<Value>(sql, [key]));
  const verdictOf = (key: number) => one<string>('SELECT verdict FROM monitor_state WHERE monitor_key = $1', key);
  const incidentsOf = (key: number) => one<number>('SELECT count(*) FROM incident WHERE monitor_key = $1', key);

  it('may have a URL that every place which runs it allows, and each fault names the place', async () => {
    await locate('office');
    await locate('lab', { code: 101, allow: ['192.168.0.0/16'] });
    const url = 'http://10.0.0.5/';
    const named = (privateLocations: string[], homeRegion = false) => ({ url, privateLocations, homeRegion });
    expect((await create(named(['office']))).privateLocations).to.deep.equal(['office']);
    expect(await faultsOf(create(named(['office', 'lab', 'nowhere'])))).to.deep.equal([
      'privateLocations must not name nowhere, which is no private location here',
      'url must lie in the ranges that private:lab allows: 10.0.0.5 is outside the ranges of its private location',
    ]);
    const [refused, ...others] = await faultsOf(create(named(['office'], true)));
    expect(refused).to.match(/^url .*10\.0\.0\.5.*northeurope checks it too$/);
    expect(others).to.deep.equal([]);
    const shop = await create({ url: 'https://shop.example/' });
    const change = (body: object) => faultsOf(updateMonitor(deps, actor, shop.id, schemas.update.parse(body)));
    expect(await change({ homeRegion: false })).to.deep.equal(['homeRegion must be true without a private location']);
    expect((await change({ url }))[0]).to.contain('10.0.0.5 is a private address');
    expect(await change({ homeRegion: false, privateLocations: ['office'], url })).to.deep.equal([]);
  });

  it('may name other hosts only inside the ranges of each place, as new or changed settings', async () => {
    await locate('office');
    await locate('lab', { code: 101, allow: ['192.168.0.0/16'] });
    const url = 'https://shop.internal/';
    const tokenUrl = (address: string) => ({
      type: 'oauth2ClientCredentials',
      tokenUrl: `https://${address}/token`,
      clientId: 'a',
      clientSecret: 'b',
    });
    const named = (address: string) => ({
      http: {
        connectTo: `${address}:443`,
        auth: tokenUrl(address),
        variables: { id: '1' },
        steps: [{ name: 'one', url: `http://${address}/{{id}}`, auth: tokenUrl(address) }],
      },
      dns: { resolvers: [`${address}:53`] },
    });
    const paths = [
      'url',
      'http.connectTo',
      'http.auth.tokenUrl',
      'http.steps.0.url',
      'http.steps.0.auth.tokenUrl',
      'dns.resolvers.0',
    ];
    const places = { privateLocations: ['office'], homeRegion: false };
    const inside = await create({ url, ...places, ...named('10.0.0.5') });
    const both = { url: 'https://10.0.0.5/', ...named('10.0.0.5'), homeRegion: false };
    const faults = await faultsOf(create({ ...both, privateLocations: ['office', 'lab'] }));
    expect(faults.map((fault) => fault.split(' ')[0])).to.deep.equal(paths);
    for (const fault of faults) expect(fault).to.contain('private:lab').and.contain('10.0.0.5');
    const regional = schemas.create.safeParse({ ...both, homeRegion: true });
    expect(regional.error!.issues.map(({ path }) => path.join('.'))).to.deep.equal(paths);
    const change = (body: object) => faultsOf(updateMonitor(deps, actor, inside.id, schemas.update.parse(body)));
    const outside = { connectTo: '192.168.0.1:443', auth: null };
    expect(await change({ http: outside, dns: { resolvers: ['10.0.0.9'] } })).to.deep.equal([
      'http.connectTo must lie in the ranges that private:office allows: 192.168.0.1 is outside the ranges of its private location',
    ]);
    expect((await change({ homeRegion: true })).map((fault) => fault.split(' ')[0])).to.deep.equal(paths.slice(1));
    await test.sql(`UPDATE private_location SET allow_cidrs = '{172.16.0.0/12}'`);
    const kept = { connectTo: '10.0.0.5:443', keyword: 'ok' };
    expect(await change({ http: kept }), 'what is stored stays valid').to.deep.equal([]);
    const [fault] = await change({ http: { ...kept, auth: null, connectTo: '10.0.0.6:443' } });
    expect(fault).to.contain('http.connectTo').and.contain('10.0.0.6');
  });

  it('is checked by the agents of its locations, and by those of the home region only where `homeRegion` is true', async () => {
    const office = await locate('office');
    const { key } = await create({ url: 'http://10.0.0.5/', privateLocations: ['office'], homeRegion: false });
    const source = monitorCheckSource(deps);
    const { places } = await test.database.read((tx) => source.of(tx, key));
    expect(places.map(({ place, region }) => [place, region])).to.deep.equal([[office.id, 'private:#100']]);
    const inShard = (place: string) => test.database.read((tx) => source.inShards(tx, place, [key]));
    expect((await inShard(office.id)).monitors.map(({ makeChecks }) => makeChecks().length)).to.deep.equal([1]);
    expect((await inShard('northeurope')).monitors).to.deep.equal([]);
  });

  it('has the same checks at a location as in a region, with all of their settings', async () => {
    await locate('office');
    const { key } = await create({
      url: 'https://shop.example/',
      monitorTypes: ['HttpAvailability', 'SslCertificate', 'Latency'],
      privateLocations: ['office'],
      http: {
        headers: { 'X-Probe': '1' },
        assertions: [{ source: 'header', property: 'X-Ok', comparison: 'equals', target: '1', severity: 'down' }],
        variables: { id: '1' },
        steps: [
          {
            name: 'one',
            url: 'https://shop.example/{{id}}',
            assertions: [{ source: 'status', comparison: 'equals', target: 204, severity: 'down' }],
          },
        ],
      },
    });
    const { places } = await test.database.read((tx) => monitorCheckSource(deps).of(tx, key));
    const [home, office] = places.map(({ checks }) => checks.map(({ phaseMs: _, ...check }) => check));
    expect(office).to.deep.equal(home);
    expect(JSON.stringify(office)).to.contain('X-Ok').and.to.contain('204');
  });

  it('has results stored that took no time, and goes on after failures', async () => {
    const office = await locate('office');
    const { key } = await create({
      url: 'tcp://10.0.0.5:5432',
      monitorTypes: ['TcpUdp'],
      privateLocations: ['office'],
      homeRegion: false,
    });
    const none = { dnsUs: 0, connectUs: 0, tlsUs: 0, firstByteUs: 0, transferUs: 0 };
    const outcomes = [UP, DOWN, DOWN, DOWN, UP];
    for (const [minute, outcome] of outcomes.entries()) {
      const atMs = NOON + minute * MINUTE_MS;
      results.clock.set(atMs + 500);
      const result = { ...resultOf(key, atMs, outcome, 'tcpUdp'), startedAtMs: atMs, totalUs: 0, timings: none };
      expect(await ingestBatch(results, agentAt(office), [result])).to.include({ stored: 1, dropped: 0 });
    }
    expect(await one('SELECT count(*) FROM check_result WHERE monitor_key = $1', key)).to.equal(outcomes.length);
    expect(await verdictOf(key)).to.equal('available');
    expect(await one('SELECT ended IS NOT NULL FROM incident WHERE monitor_key = $1', key)).to.equal(true);
  });

  it('takes results of its own locations, and none of an agent of another workspace with the same code', async () => {
    const office = await locate('office');
    const { key } = await create({ url: 'http://10.0.0.5/', privateLocations: ['office'], homeRegion: false });
    expect(await observe(key, 0, UP, agentAt(office))).to.include({ stored: 1, dropped: 0 });
    expect(await observe(key, 1, UP, agentAt({ ...office, code: 101 }))).to.include({ stored: 0, dropped: 1 });
    expect(await observe(key, 2, UP, agentIn('northeurope'))).to.include({ stored: 0, dropped: 1 });
    const stranger = await seedActor(test.database, { plan: 'Enterprise' });
    const theirs = await locate('office', { who: stranger });
    const times = new ScheduledTimes({ ...results });
    const forged = [resultOf(key, NOON + 3 * MINUTE_MS, UP), resultOf(key, NOON + 4 * MINUTE_MS, UP)];
    expect(await times.findRefused(agentAt(theirs), forged)).to.deep.equal([
      { index: 0, reason: 'foreign_monitor' },
      { index: 1, reason: 'foreign_monitor' },
    ]);
  });

  it('is partial at most where an advisory location fails, and has an incident where a voting one does', async () => {
    const office = await locate('office');
    const home = agentIn('northeurope');
    for (const reachability of ['advisory', 'voting']) {
      await test.sql('UPDATE private_location SET reachability = $1', [reachability]);
      const body = { url: 'https://shop.example/', privateLocations: ['office'], numberOfChecksBeforeAlert: 1 };
      const { key } = await create(body);
      await test.sql(`UPDATE workspace SET incident_quorum = 'any' WHERE id = $1`, [office.workspaceId]);
      await observe(key, 1, UP, home);
      await observe(key, 2, DOWN, agentAt(office));
      expect(await verdictOf(key), reachability).to.equal('partial');
      expect(await incidentsOf(key), reachability).to.equal(reachability === 'voting' ? 1 : 0);
      await observe(key, 3, UP, agentAt(office));
      expect(await verdictOf(key)).to.equal('available');
    }
  });

  it('that only locations check is decided by them alone, and recovers only after it was down', async () => {
    const office = await locate('office');
    const { key } = await create({
      url: 'tcp://10.0.0.5:5432',
      monitorTypes: ['TcpUdp'],
      privateLocations: ['office'],
      homeRegion: false,
      numberOfChecksBeforeAlert: 1,
    });
    const tcp = (minute: number, outcome: Outcome) => {
      results.clock.set(NOON + minute * MINUTE_MS + 500);
      return ingestBatch(results, agentAt(office), [resultOf(key, NOON + minute * MINUTE_MS, outcome, 'tcpUdp')]);
    };
    await tcp(1, UP);
    expect(await verdictOf(key)).to.equal('available');
    await tcp(2, DOWN);
    expect(await verdictOf(key)).to.equal('unavailable');
    expect(await one('SELECT regions FROM incident WHERE monitor_key = $1', key)).to.deep.equal(['private:#100']);
    await tcp(3, UP);
    expect(await one('SELECT ended IS NOT NULL FROM incident WHERE monitor_key = $1', key)).to.equal(true);
    expect(
      await test.database.read((tx) =>
        tx.column<string>(
          `SELECT event.type FROM incident_event event JOIN incident ON incident.id = event.incident_id
           WHERE incident.monitor_key = $1 AND event.type IN ('region_failed', 'region_recovered') ORDER BY event.at`,
          [key],
        ),
      ),
    ).to.deep.equal(['region_failed', 'region_recovered']);
  });

  it('is unknown while its only location is silent, without an incident', async () => {
    const office = await locate('office');
    const { key } = await create({ url: 'http://10.0.0.5/', privateLocations: ['office'], homeRegion: false });
    await observe(key, 1, UP, agentAt(office));
    expect(await verdictOf(key)).to.equal('available');
    results.clock.set(NOON + 60 * MINUTE_MS);
    await sweepSilence(results);
    expect(await verdictOf(key)).to.equal('unknown');
    expect(await incidentsOf(key)).to.equal(0);
  });

  it('is taken out of a location, and is paused where nothing else checks it', async () => {
    const office = await locate('office');
    const inside = await create({ url: 'http://10.0.0.5/', privateLocations: ['office'], homeRegion: false });
    const shop = await create({ url: 'https://shop.example/', privateLocations: ['office'] });
    const used = await test.database.read((tx) => monitorsAtLocation.list(tx, office.workspaceId, 'office'));
    expect(used.map(({ id }) => id)).to.have.members([inside.id, shop.id]);
    const ids = used.map(({ id }) => id);
    await test.database.transaction((tx) => monitorsAtLocation.takeOut(deps, tx, actor, 'office', ids));
    const columns = 'home_region, private_locations, monitoring_status';
    const stateOf = (key: number) =>
      test.database.read((tx) => tx.one(`SELECT ${columns} FROM monitor WHERE key = $1`, [key]));
    expect(await stateOf(inside.key)).to.deep.equal({
      home_region: true,
      private_locations: [],
      monitoring_status: 'paused',
    });
    expect(await stateOf(shop.key)).to.include({ home_region: true, monitoring_status: 'enabled' });
  });

  it('is shown with the slug of today, and without any name to outsiders', async () => {
    const office = await locate('office');
    const name = locationNamer(deps);
    const text = JSON.stringify({
      region: 'private:#100',
      regions: ['northeurope', 'private:#100', 'private:#101'],
      context: { places: { 'private:#100': 'A private location', eastus2: 'Virginia' } },
      name: 'private:#100',
      failureReason: 'It contains "region":"private:#100".',
    });
    const own = { name: 'private:#100', failureReason: 'It contains "region":"private:#100".' };
    await test.sql(`UPDATE private_location SET slug = 'hq'`);
    expect(JSON.parse(await name(office.workspaceId, text))).to.deep.equal({
      region: 'private:hq',
      regionName: 'Office',
      regions: ['northeurope', 'private:hq', 'private:location'],
      context: { places: { 'private:hq': 'Office', eastus2: 'Virginia' } },
      ...own,
    });
    for (const outsider of [newId(NOON), null])
      expect(JSON.parse(await name(outsider, text))).to.deep.equal({
        region: 'private:location',
        regions: ['northeurope', 'private:location', 'private:location'],
        context: { places: { 'private:location': 'A private location', eastus2: 'Virginia' } },
        ...own,
      });
  });
});
