import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '@watchpost/shared/clock';
import { newId } from '@watchpost/shared/id';
import { regionCode, type Region } from '@watchpost/shared/region';
import { DAY_MS } from '@watchpost/shared/time';
import type { PlanName } from '@watchpost/control-plane/capabilities/plans/index';
import { agentIn, resultOf, resultsDeps, seedMonitors, UP } from '../../integration/results/seed.js';
import { startTestApp, type TestApp } from '../../support/app.js';
import { percentile } from '../../support/fairness-figure.js';
import { create, makeWorld, seedMonitor, type World } from '../../support/seed.js';
import { ingestBatch } from '@watchpost/control-plane/capabilities/results/ingest/ingest-batch';

const PAGES = 20;
const VISITORS = 24;
/** Pause between two rounds of the victim's requests, so that a fast machine does not exceed the rate limit. */
const ROUND_PAUSE_MS = 20;

export interface PageAttack {
  owners: number;
  plan: PlanName;
  /** The number of monitors of each owner. Each is in a separate group, and status pages show both. */
  monitors: number;
  regions: readonly Region[];
}

/** The response times of the service as the victim measures them, in ms. */
interface ServiceTimes {
  restP95: number;
  healthP95: number;
  pageP95: number;
  pageMost: number;
  /** The longest time for which the event loop was blocked. */
  loopMost: number;
}

export interface AttackedService {
  app: TestApp;
  /** Sends requests as the victim for `ms` milliseconds. */
  watch(ms: number): Promise<ServiceTimes>;
  /** Sends visitors to all status pages of the hostile owners until `callBack`. */
  sendVisitors(): { callBack(): Promise<{ answers: Record<string, number>; bytes: number }> };
  stop(): Promise<void>;
}

/** A service with hostile owners whose status pages show monitors that fail every other minute for a day. */
export async function startAttackedService(attack: PageAttack): Promise<AttackedService> {
  const app = await startTestApp({
    clock: systemClock,
    env: { TRUST_PROXY_CIDRS: '127.0.0.0/8', RATE_LIMIT_PER_MINUTE: '600' },
  });
  const slugs: string[] = [];
  for (let owner = 0; owner < attack.owners; owner++) slugs.push(...(await seedHostile(app, attack, owner)));
  await app.sql('ANALYZE');
  const victim = await makeWorld(app, 'Starter');
  await seedVictim(app, victim);
  let child: ChildProcess | undefined;
  return {
    app,
    watch: (ms) => watch(app, victim, ms),
    sendVisitors() {
      const visitors = fork(new URL('../../support/page-visitors.js', import.meta.url), {
        env: { ...process.env, NODE_OPTIONS: '' },
      });
      child = visitors;
      visitors.send({ baseUrl: app.baseUrl, slugs, visitors: VISITORS, pauseMs: 100 });
      return {
        async callBack() {
          visitors.send('leave');
          const [summary] = (await once(visitors, 'message')) as [{ answers: Record<string, number>; bytes: number }];
          return summary;
        },
      };
    },
    async stop() {
      child?.kill();
      await app.stop();
    },
  };
}

async function seedHostile(app: TestApp, attack: PageAttack, owner: number): Promise<string[]> {
  const world = await makeWorld(app, attack.plan);
  const seeds = await seedMonitors(app.db, world.workspaceId, attack.monitors, {
    regions: attack.regions,
    createdMs: Date.now() - 2 * DAY_MS,
  });
  const groupIds = seeds.map(() => newId(Date.now()));
  await app.sql(
    `INSERT INTO service_group (id, workspace_id, name, created, last_modified)
     SELECT id, $2, 'Group', now(), now() FROM unnest($1::uuid[]) AS id`,
    [groupIds, world.workspaceId],
  );
  await app.sql(
    `UPDATE monitor SET service_group_id = group_id
     FROM unnest($1::uuid[], $2::uuid[]) AS placed (monitor_id, group_id) WHERE monitor.id = monitor_id`,
    [seeds.map(({ id }) => id), groupIds],
  );
  await flap(
    app,
    seeds.map(({ key }) => key),
    ['northeurope', ...attack.regions],
  );
  const slugs = Array.from({ length: PAGES }, (_, page) => `hostile-${owner}-${page}`);
  const systems = [
    ...groupIds.map((serviceGroupId, index) => ({ name: `Group ${index}`, serviceGroupId })),
    ...seeds.map(({ id }, index) => ({ name: `System ${index}`, monitorId: id })),
  ].slice(0, 100);
  for (const slug of slugs)
    await create(world.api, '/api/v1/status-page', {
      name: slug,
      slug,
      isPublished: true,
      groups: [{ name: 'All', systems }],
    });
  return slugs;
}

/** Results of a day, one per minute, alternately up and down. */
async function flap(app: TestApp, keys: readonly number[], regions: readonly Region[]): Promise<void> {
  const now = Date.now();
  await app.plane.partitions.ensureFor([now - DAY_MS, now]);
  for (const region of regions)
    await app.sql(
      `INSERT INTO check_result (monitor_key, scheduled_at, total_us, dns_us, connect_us, tls_us, first_byte_us,
         transfer_us, agent_key, start_lag_ms, fresh_s, status_code, kind, region, outcome)
       SELECT key, $2::timestamptz - minute * interval '1 minute', 40000, 1500, 9000, 20000, 11000, 1000, 7, 2, 150, 200,
         1, $3::smallint, 1 + minute % 2
       FROM generate_series(1, 1440) AS minute, unnest($1::bigint[]) AS key`,
      [keys, new Date(now), regionCode(region)],
    );
}

async function seedVictim(app: TestApp, victim: World): Promise<void> {
  const deps = { ...resultsDeps(app.db), clock: systemClock };
  const systems = [];
  for (let index = 0; index < 5; index++) {
    const { id } = await seedMonitor(victim);
    const key = await app.value<number>('SELECT key FROM monitor WHERE id = $1', [id]);
    await ingestBatch(deps, agentIn('northeurope'), [resultOf(key, Date.now() - 1_000, UP)]);
    systems.push({ name: `Shop ${index}`, monitorId: id });
  }
  const groups = [{ name: 'All', systems }];
  await create(victim.api, '/api/v1/status-page', { name: 'Victim', slug: 'victim', isPublished: true, groups });
}

async function watch(app: TestApp, victim: World, ms: number): Promise<ServiceTimes> {
  const [rest, health, page]: number[][] = [[], [], []];
  const timed = async (into: number[], ask: () => Promise<unknown>): Promise<void> => {
    const startedMs = performance.now();
    await ask();
    into.push(performance.now() - startedMs);
  };
  const ok = async (path: string): Promise<void> => {
    const answer = await fetch(app.baseUrl + path, { headers: { 'x-forwarded-for': '203.0.113.9' } });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`);
  };
  const loop = monitorEventLoopDelay({ resolution: 5 });
  loop.enable();
  const untilMs = performance.now() + ms;
  while (performance.now() < untilMs) {
    await timed(rest!, () => create(victim.api, '/api/v1/monitor', undefined, 'GET'));
    await timed(health!, () => ok('/health/live'));
    if (rest!.length % 10 === 0) await timed(page!, () => ok('/api/v1/public/status-page/victim'));
    await sleep(ROUND_PAUSE_MS);
  }
  loop.disable();
  const round = (value: number) => Math.round(value * 10) / 10;
  return {
    restP95: round(percentile(rest!, 0.95)),
    healthP95: round(percentile(health!, 0.95)),
    pageP95: round(percentile(page!, 0.95)),
    pageMost: round(Math.max(...page!)),
    loopMost: round(loop.max / 1e6),
  };
}
