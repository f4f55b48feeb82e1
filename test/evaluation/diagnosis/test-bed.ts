import { expect } from 'chai';
import { pino } from 'pino';
import { ManualClock } from '@watchpost/shared/clock';
import type { Lookup } from '@watchpost/shared/names/system-names';
import type { CheckResult } from '@watchpost/shared/outcome';
import type { Region } from '@watchpost/shared/region';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '@watchpost/shared/time';
import type { Visibility } from '@watchpost/shared/wire/messages';
import type { ProbesOptions } from '@watchpost/agent/probes/index';
import { runnerInTest } from '@watchpost/agent/runner/runner-in-test';
import { monitorCheckSource } from '@watchpost/control-plane/capabilities/monitors/index';
import { ingestBatch } from '@watchpost/control-plane/capabilities/results/ingest/ingest-batch';
import { RpcClient } from '../../integration/mcp/rpc-client.js';
import { testProbes } from '../../integration/probes/probe-check.js';
import { agentIn, resultsDeps } from '../../integration/results/seed.js';
import { startTestApp, type TestApp } from '../../support/app.js';
import { createAuthority, type TestAuthority } from '../../support/certificates.js';
import { type NameServer, records, startNameServer } from '../../support/name-server.js';
import { type RdapServer, startRdapServer } from '../../support/rdap-server.js';
import { create, makeWorld, type World } from '../../support/seed.js';
import { SignedZone } from '../../support/signed-zone.js';
import { startTarget, type Target, type TargetOptions } from '../../support/target-server.js';
import type { CallTool } from './reader.js';

const REGIONS = ['northeurope', 'eastus2', 'japaneast'] as const;
/** Failures that are no answers of the site are held for a while. */
const HOLD_MS = 12 * SECOND_MS;
/** So many checks after something broke, each monitor has its incident. */
const MOST_MINUTES = 8;
/** What happened to one case is not recent for the next one. */
const APART_MS = 30 * MINUTE_MS;

export interface Watched {
  id: string;
  key: number;
}

/** A control plane, and the probes of an agent in each of three regions, in this process and with one clock that is moved. */
export interface TestBed {
  readonly app: TestApp;
  readonly rdap: RdapServer;
  readonly authority: TestAuthority;
  /** An authority of the same trust, with an intermediate that has expired. */
  readonly lapsed: TestAuthority;
  /** The root zone whose key the agents trust. */
  readonly rootZone: SignedZone;
  readonly names: NameServer;
  /** A new workspace with nothing in it. */
  scene(): Promise<Scene>;
  stop(): Promise<void>;
}

/** The addresses of a name, or the code of the error of its lookup. */
type Resolution = readonly string[] | 'ENOTFOUND' | 'ESERVFAIL';

/** The probes of one region, with names that a case sets. */
class AgentPlace {
  readonly addresses = new Map<string, Resolution>();
  visibility: Visibility = 'unknown';
  readonly agent;
  readonly runner;

  constructor(region: Region, clock: ManualClock, trust: Partial<ProbesOptions>) {
    this.agent = agentIn(region);
    const isResolverAlive = () => Promise.resolve(true);
    const probes = testProbes({ ...trust, isResolverAlive, lookup: (...asked) => this.#lookUp(...asked) });
    this.runner = runnerInTest((spec, signal) => probes.run(spec, signal), {
      clock,
      references: { look: () => Promise.resolve(this.visibility), mark: () => 0 },
    });
  }

  #lookUp(...[name, done, family]: Parameters<Lookup>): void {
    const found = this.addresses.get(name) ?? 'ENOTFOUND';
    if (typeof found === 'string') return done(Object.assign(new Error(found), { code: found }), []);
    const isWanted = (address: string) => family === undefined || address.includes(':') === (family === 'ipv6');
    done(null, found.filter(isWanted));
  }
}

export async function startTestBed(): Promise<TestBed> {
  const clock = new ManualClock(Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS);
  const [rdap, authority, lapsed, names] = await Promise.all([
    startRdapServer(['test']),
    createAuthority(),
    createAuthority('Lapsed', { notAfter: new Date(clock.now() - MINUTE_MS) }),
    startNameServer({ behaviour: records([]) }),
  ]);
  const rootZone = new SignedZone('.', { fromMs: clock.now() - 40 * DAY_MS, toMs: clock.now() + 40 * DAY_MS });
  const anchor = rootZone.digest(2);
  const app = await startTestApp({
    clock,
    env: { DOMAIN_RDAP_BOOTSTRAP_URL: rdap.bootstrapUrl, WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' },
  });
  const extraCertificates = [authority.rootPem, lapsed.rootPem];
  const trust = { now: () => clock.now(), extraCertificates, rootAnchors: [{ ...anchor, tag: anchor.keyTag }] };
  const places = new Map<string, AgentPlace>(
    REGIONS.map((region) => [region, new AgentPlace(region, clock, { ...trust, dnsPort: names.port })]),
  );
  const checks = monitorCheckSource({ secretBox: app.secretBox, logger: pino({ level: 'silent' }) });
  const deps = { ...resultsDeps(app.db), clock, partitions: app.plane.partitions, secretBox: app.secretBox };
  // A recheck reaches the same probes; how a control plane asks an agent has tests of its own.
  app.plane.fleet.runNow = ({ region, check }) => places.get(region)!.runner.run(check, clock.now());

  const runDue = async () => {
    for (const { name, run } of app.plane.periodicTasks)
      if (name === 'sweep_silence' || name === 'follow_maintenance') await run();
  };

  async function scene(): Promise<Scene> {
    clock.advance(APART_MS);
    await app.plane.partitions.makeAhead();
    for (const place of places.values()) {
      place.addresses.clear();
      place.visibility = 'unknown';
    }
    const world = await makeWorld(app);
    const watched: Watched[] = [];
    const closing: (() => unknown)[] = [];
    const serve = async (options: TargetOptions): Promise<Target> => {
      const target = await startTarget(options);
      closing.push(() => target.close());
      return target;
    };
    const checkAll = async (): Promise<CheckResult[]> => {
      const atMs = clock.now();
      const due = await Promise.all(watched.map(({ key }) => app.db.read((tx) => checks.of(tx, key))));
      const runs = due.flatMap(({ places: at }) =>
        at.flatMap(({ region, checks: specs }) => specs.map((spec) => ({ region, spec }))),
      );
      const made = await Promise.all(
        runs.map(async ({ region, spec }) => ({ region, result: await places.get(region)!.runner.run(spec, atMs) })),
      );
      for (const [region, { agent }] of places) {
        const results = made.filter((one) => one.region === region).map(({ result }) => result);
        if (results.length > 0) await ingestBatch(deps, agent, results);
      }
      return made.map(({ result }) => result);
    };
    const minute = async (): Promise<CheckResult[]> => {
      clock.advance(MINUTE_MS - HOLD_MS);
      const results = await checkAll();
      clock.advance(HOLD_MS);
      await app.sql('UPDATE ping_reception SET received_until = $1', [new Date(clock.now())]);
      await app.plane.receptionTask.run();
      await runDue();
      return results;
    };
    const incidentsOf = async ({ id }: Watched): Promise<string[]> =>
      (await world.api('GET', `/api/v1/incident?monitorId=${id}&isClosed=false`)).body.map(
        (one: { id: string }) => one.id,
      );
    return {
      world,
      host: `shop-${world.workspaceId.slice(-6)}.example`,
      clock,
      serve,
      closing,
      resolve(name, to, ...regions) {
        for (const region of regions.length > 0 ? regions : REGIONS) places.get(region)!.addresses.set(name, to);
      },
      see(visibility, region) {
        places.get(region)!.visibility = visibility;
      },
      async monitor(settings) {
        const body = {
          name: 'Shop',
          checkInterval: 'PT1M',
          checkTimeout: 'PT5S',
          numberOfChecksBeforeAlert: 1,
          enabledRegions: REGIONS.slice(1),
          ...settings,
        };
        const { id } = await create(world.api, '/api/v1/monitor', body);
        const key = await app.value<number>('SELECT key FROM monitor WHERE id = $1', [id]);
        watched.push({ id, key });
        return watched.at(-1)!;
      },
      async healthy(minutes = 2) {
        for (let passed = 0; passed < minutes; passed++)
          for (const { outcome } of await minute()) expect(outcome.kind, JSON.stringify(outcome)).to.equal('up');
        for (const one of watched) expect(await incidentsOf(one), 'incidents while all is well').to.deep.equal([]);
      },
      async minutes(count) {
        for (let passed = 0; passed < count; passed++) await minute();
      },
      async incidentOf(monitor) {
        const outcomes: string[] = [];
        for (let passed = 0; passed < MOST_MINUTES; passed++) {
          const [open] = await incidentsOf(monitor);
          if (open) return open;
          const results = await minute();
          outcomes.push(...results.map(({ outcome }) => JSON.stringify(outcome)));
        }
        throw new Error(`no incident opened: ${outcomes.slice(-6).join(' ')}`);
      },
      async caller() {
        const token = await app.token(world.owner.sub);
        const client = new RpcClient(app.baseUrl, { token, headers: { 'x-workspace-id': world.workspaceId } });
        await client.initialize('2025-11-25');
        const call: CallTool = async (name, args) => {
          const { result, error } = await client.tool(name, args);
          if (error || result.isError) throw new Error(`${name} answered ${JSON.stringify(error ?? result)}`);
          return result.structuredContent;
        };
        return call;
      },
      async end() {
        for (const { id } of watched) await world.api('DELETE', `/api/v1/monitor/${id}`);
        await Promise.all(closing.map((close) => close()));
      },
    };
  }

  return {
    app,
    rdap,
    authority,
    lapsed,
    rootZone,
    names,
    scene,
    async stop() {
      await app.stop();
      await Promise.all([rdap.close(), names.close()]);
    },
  };
}

/** A workspace that a case fills and then breaks. */
export interface Scene {
  readonly world: World;
  /** A name of its own. */
  readonly host: string;
  readonly clock: ManualClock;
  /** A server that ends with the scene. */
  serve(options: TargetOptions): Promise<Target>;
  /** The things that end with the scene. */
  readonly closing: (() => unknown)[];
  /** Sets what a name resolves to for the agents of these regions; by default of all. */
  resolve(name: string, to: Resolution, ...regions: Region[]): void;
  /** Sets whether the agent of a region reaches the targets by which it knows that it has a network. */
  see(visibility: Visibility, region: Region): void;
  /** Checked each minute from three regions; the first failed check alerts. */
  monitor(settings: object): Promise<Watched>;
  /** Lets minutes pass in which every check succeeds. */
  healthy(minutes?: number): Promise<void>;
  minutes(count: number): Promise<void>;
  /** Lets minutes pass until the monitor has an open incident. @returns its id */
  incidentOf(monitor: Watched): Promise<string>;
  caller(): Promise<CallTool>;
  end(): Promise<void>;
}
