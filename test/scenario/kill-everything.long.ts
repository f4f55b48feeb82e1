import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import pg from 'pg';
import { readEmbeddedUrl } from '@watchpost/control-plane/embedded/postgres/index';
import { schedulePhaseMs, SETTLE_MS } from '@watchpost/shared/check';
import { CATCH_UP_MS } from '@watchpost/agent/schedule/decide-scheduled-time';
import { eventually } from '../support/eventually.js';
import type { ManagedProcess } from '../support/managed-process.js';
import { startProduct, type Product } from '../support/product.js';
import { after as later, answer } from '../support/target-behaviours.js';
import { startTarget, type Target } from '../support/target-server.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';

const MONITORS = 240;
const INTERVAL_MS = 60_000;
const CUT_MS = 60_000;
/** Slow enough that a kill interrupts running checks: about 240 / 60 s × 0.5 s = 2 run at any moment. */
const ANSWER_AFTER_MS = 500;

interface Stored {
  key: number;
  id: string;
  scheduledMs: number;
  outcome: number;
}

describe('the product under SIGKILL', function () {
  this.timeout(25 * 60_000);
  let product: Product;
  let target: Target;
  let cable: TcpProxy;
  let agent: ManagedProcess;
  let token: string;
  const monitors: { id: string; path: string }[] = [];

  before(async () => {
    [product, target] = await Promise.all([
      startProduct({ hasOwnDatabase: true }),
      startTarget({ behaviour: later(ANSWER_AFTER_MS, answer({ body: 'ok' })) }),
    ]);
    cable = await startTcpProxy(product.grpcPort);
    ({ token } = await product.createAgent('northeurope', 'home'));
    agent = product.startAgent({ name: 'home', token, grpcPort: cable.port });
    await product.api('GET', '/api/v1/user');
    await product.admin(
      'set-plan',
      '--user',
      'user-1@example.test',
      '--plan',
      'Enterprise',
      '--limit',
      'monitors=1000',
    );
  });
  after(async () => {
    await product?.stop();
    await cable?.stop();
    await target?.close();
  });

  const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

  async function createMonitors(from: number, to: number): Promise<void> {
    for (let index = from; index < to; index++) {
      const path = `/m/${index}`;
      const created = await eventually(
        `monitor ${index} is made`,
        async () => {
          const answered = await product.api(
            'POST',
            '/api/v1/monitor',
            { url: target.url + path, checkInterval: 'PT1M', numberOfChecksBeforeAlert: 1 },
            { 'idempotency-key': `monitor-${index}` },
          );
          // It was committed and only its answer was lost, so that it is not created again.
          if (answered.status === 409 && answered.body.message.includes('its answer was lost'))
            return findMonitor(path);
          if (answered.status !== 201) throw new Error(`${answered.status} ${JSON.stringify(answered.body)}`);
          return answered;
        },
        120_000,
      );
      monitors.push({ id: created.body.id, path });
    }
  }

  async function findMonitor(path: string) {
    for (let page = 1; ; page++) {
      const { body } = await product.api('GET', `/api/v1/monitor?pageSize=200&page=${page}`);
      const found = body.find(({ url }: { url: string }) => url === target.url + path);
      if (found) return { body: found };
      if (body.length === 0) throw new Error(`the monitor of ${path} is not there`);
    }
  }

  async function stored(): Promise<Stored[]> {
    const client = new pg.Client({ connectionString: (await readEmbeddedUrl(product.dataDir))! });
    await client.connect();
    try {
      const { rows } = await client.query<Stored>(
        `SELECT monitor.key::int AS key, monitor.id, (extract(epoch FROM scheduled_at) * 1000)::float8 AS "scheduledMs", outcome
         FROM check_result JOIN monitor ON monitor.key = check_result.monitor_key`,
      );
      return rows;
    } finally {
      await client.end();
    }
  }

  async function killPostgres(): Promise<void> {
    const pid = Number((await readFile(join(product.dataDir, 'postgres/data/postmaster.pid'), 'utf8')).split('\n')[0]);
    process.kill(pid, 'SIGKILL');
  }

  it('loses no result and counts none twice when each process is killed and the stream is cut for a minute', async () => {
    await createMonitors(0, MONITORS - 40);
    await eventually(
      'every monitor has its first result',
      async () => new Set((await stored()).map((row) => row.id)).size >= MONITORS - 40 || undefined,
      240_000,
      500,
    );

    const killedMs = Date.now();
    agent.kill('SIGKILL');
    await agent.ended(60_000);
    const seen = target.requests.length;
    agent = product.startAgent({ name: 'home', token, grpcPort: cable.port });
    const back = await eventually('the agent checks again', () => target.requests[seen], 240_000);
    // What was due while there was no agent, and longer ago than it catches up with, is not run.
    const isExcused = (slot: number) => slot >= killedMs - ANSWER_AFTER_MS && slot < back.at - CATCH_UP_MS;
    await sleep(12_000);

    product.controlPlane.kill('SIGKILL');
    await product.controlPlane.ended(60_000);
    await product.startControlPlane();
    await sleep(8_000);

    // Writes continue while the database is killed. Everything that was answered with 201 must exist afterwards.
    const writing = createMonitors(MONITORS - 40, MONITORS);
    await sleep(200);
    await killPostgres();
    await writing;
    await sleep(12_000);

    cable.cut();
    await sleep(CUT_MS);
    cable.restore();

    const untilMs = Date.now() + 5_000;
    await sleep(10_000);
    const list = await listMonitors();
    expect(list.map((monitor) => monitor.id)).to.include.members(
      monitors.map((monitor) => monitor.id),
      'every acknowledged write',
    );

    const compare = async () => {
      const rows = await stored();
      let due = 0;
      const missed: string[] = [];
      for (const monitor of list) {
        const { key } = rows.find((row) => row.id === monitor.id)!;
        const have = rows.filter((row) => row.id === monitor.id).map((row) => row.scheduledMs);
        expect(new Set(have).size, 'one row for each scheduled time').to.equal(have.length);
        const slots = dueTimes(key, Date.parse(monitor.created), untilMs);
        due += slots.length;
        missed.push(
          ...slots
            .filter((slot) => !have.includes(slot) && !isExcused(slot))
            .map((slot) => `${monitor.name}@${new Date(slot).toISOString()}`),
        );
        for (const slot of have) {
          expect(
            slots.includes(slot) || slot > untilMs,
            `${new Date(slot).toISOString()} is a due time of monitor ${key}`,
          ).to.equal(true);
        }
      }
      return { rows, due, missed };
    };
    const isWhole = async () => ((await compare()).missed.length === 0 ? true : undefined);
    await eventually('what was spooled while the stream was cut has arrived', isWhole, 180_000, 1_000).catch(() => {});
    const { rows, due, missed } = await compare();
    console.log(
      `      ${rows.length} results for ${due} due times, ${target.requests.length} requests seen by the target, ${missed.length} missed`,
    );
    expect(missed, 'scheduled times without a result').to.deep.equal([]);

    const conclusive = rows.filter((row) => row.outcome !== 3);
    expect(
      conclusive.every((row) => row.outcome === 1),
      'no result is down',
    ).to.equal(true);
    expect(target.requests.length, 'no result without a request').to.be.at.least(conclusive.length);
    expect((await product.api('GET', '/api/v1/incident')).body, 'no incident was opened').to.deep.equal([]);
  });

  it('opens one incident per monitor for an outage that began while the control plane was down', async () => {
    const broken = monitors.slice(0, 5);
    for (const { path } of broken) target.route(path, answer({ status: 500, body: 'broken' }));
    await sleep(INTERVAL_MS / 2);
    product.controlPlane.kill('SIGKILL');
    await product.controlPlane.ended(60_000);
    await product.startControlPlane();
    const open = await eventually(
      'each monitor has its incident',
      async () => {
        const incidents = (await product.api('GET', '/api/v1/incident?isClosed=false')).body;
        return incidents.length >= broken.length ? incidents : undefined;
      },
      INTERVAL_MS + 180_000,
      500,
    );
    expect(new Set(open.map((incident: { monitorId: string }) => incident.monitorId)).size).to.equal(broken.length);
    expect(open).to.have.length(broken.length);
  });

  async function listMonitors(): Promise<{ id: string; name: string; created: string }[]> {
    const all = [];
    for (let page = 1; ; page++) {
      const { body } = await product.api('GET', `/api/v1/monitor?pageSize=200&page=${page}`);
      all.push(...body);
      if (body.length < 200) return all;
    }
  }
});

/** The definition of the schedule, repeated independently: docs/decisions/0004-scheduled-times-are-computed.md. */
function dueTimes(key: number, changedMs: number, untilMs: number): number[] {
  const phase = schedulePhaseMs({ monitorKey: key, kind: 'http' }, 'northeurope', INTERVAL_MS);
  const slots = [changedMs];
  const first = phase + Math.ceil((changedMs + SETTLE_MS - phase) / INTERVAL_MS) * INTERVAL_MS;
  for (let slot = first; slot <= untilMs; slot += INTERVAL_MS) slots.push(slot);
  return slots;
}
