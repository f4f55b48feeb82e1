import { setTimeout as sleep } from 'node:timers/promises';
import { HOME_REGION } from '@watchpost/shared/region';
import { MINUTE_MS } from '@watchpost/shared/time';
import type pg from 'pg';
import { AgentHome } from '../support/agent-process.js';
import { eventually } from '../support/eventually.js';
import { startProduct, type Product } from '../support/product.js';
import type { Defer } from './bench.js';
import { printDurableSettings } from './durable-settings.js';
import { databaseOf, loadMonitors, openWorkspace } from './load-monitors.js';
import { cpuMs, treeCpuMs } from './process-usage.js';

/** CPU time of one check in one minute, ms. */
export interface MinuteCost {
  agent: number;
  controlPlane: number;
  postgres: number;
  total: number;
}

/** Shorter intervals at first, so that all code is optimised: see `warm-up.ts`. */
const WARM_UP = { faster: 5, ms: 10_000 };
/** Paused monitors have no fresh results, and are not waited for. */
const STALE = `SELECT FROM series JOIN monitor ON monitor.key = series.monitor_key
  WHERE stale AND monitoring_status = 'enabled' LIMIT 1`;
/** Time for the last results of a minute to arrive. */
const STORED_WITHIN_MS = 2_000;
/** A minute with fewer of its checks than this was disturbed. */
const LEAST_SHARE = 0.98;

/** The whole product as real processes, with an agent that runs checks of one minute at a steady pace. */
export class ProductLoad {
  private constructor(
    readonly product: Product,
    private readonly client: pg.Client,
    private readonly home: AgentHome,
    private readonly agent: ReturnType<AgentHome['start']>,
    private readonly workspaceId: string,
  ) {}

  /** @param trust the environment by which the agent trusts the target */
  static async start(
    defer: Defer,
    trust: Readonly<Record<string, string>>,
    env: Readonly<Record<string, string>> = {},
  ): Promise<ProductLoad> {
    const product = await startProduct({ hasOwnDatabase: true, env: { LOG_LEVEL: 'info', ...env } });
    defer(() => product.stop());
    const client = await databaseOf(product, defer);
    await printDurableSettings(client);
    const workspaceId = await openWorkspace(product, client);
    const { token } = await product.createAgent(HOME_REGION, 'bench');
    const home = new AgentHome({
      CONTROL_PLANE_URL: `http://127.0.0.1:${product.grpcPort}`,
      AGENT_TOKEN: token,
      LOG_LEVEL: 'info',
      ...trust,
    });
    defer(() => home.dispose());
    const agent = home.start();
    await eventually(
      'the agent connects',
      () => (agent.output().includes('connected to the control plane') ? true : undefined),
      20_000,
    );
    return new ProductLoad(product, client, home, agent, workspaceId);
  }

  /** Adds monitors of these sites, so that this many checks run each second. */
  async load(sites: readonly string[], perSecond: number): Promise<void> {
    await loadMonitors(this.client, this.workspaceId, perSecond * 60, sites);
    await this.untilScheduled(perSecond * 60);
  }

  /** Gives monitors other sites, and pauses those beyond this rate. 0 pauses all. */
  async change(sites: readonly string[], perSecond: number): Promise<void> {
    await this.client.query(
      `WITH kept AS (SELECT key, row_number() OVER (ORDER BY key) AS number FROM monitor)
       UPDATE monitor SET url = ($1::text[])[1 + number % cardinality($1::text[])],
         monitoring_status = CASE WHEN number <= $2 THEN 'enabled' ELSE 'paused' END
       FROM kept WHERE kept.key = monitor.key`,
      [sites, perSecond * 60],
    );
    await this.untilScheduled(perSecond * 60);
  }

  /**
   * Warms up and waits for the steady state: after the shortened intervals, each check has run once with its own interval,
   * and no result is stale any more. Ends at a whole minute.
   */
  async settle(): Promise<void> {
    await this.client.query('UPDATE monitor SET check_interval_ms = check_interval_ms / $1', [WARM_UP.faster]);
    await sleep(WARM_UP.ms);
    await this.client.query('UPDATE monitor SET check_interval_ms = check_interval_ms * $1', [WARM_UP.faster]);
    await sleep(MINUTE_MS + 5_000);
    await eventually(
      'no result is stale',
      async () => (await this.client.query(STALE)).rowCount === 0 || undefined,
      2 * MINUTE_MS,
      1_000,
    );
    await sleep(MINUTE_MS - (Date.now() % MINUTE_MS));
  }

  /** Measures one minute. @throws when a check fails or too few ran */
  async minute(perSecond: number): Promise<MinuteCost> {
    const now = () => ({ agent: cpuMs(this.agent.pid), product: treeCpuMs(this.product.controlPlane.pid) });
    const [before, fromMs] = [now(), Date.now()];
    await sleep(MINUTE_MS);
    const [after, toMs] = [now(), Date.now()];
    await sleep(STORED_WITHIN_MS);
    const { rows } = await this.client.query<{ checks: number; failed: number }>(
      `SELECT count(*)::integer AS checks, count(*) FILTER (WHERE outcome <> 1)::integer AS failed
       FROM check_result WHERE scheduled_at >= $1 AND scheduled_at < $2`,
      [new Date(fromMs), new Date(toMs)],
    );
    const { checks, failed } = rows[0]!;
    if (failed > 0) throw new Error(`${failed} of ${checks} checks failed`);
    if (checks < perSecond * 60 * LEAST_SHARE) throw new Error(`only ${checks} checks ran in a minute`);
    const of = (name: string): number => (after.product.get(name) ?? 0) - (before.product.get(name) ?? 0);
    const cost = {
      agent: (after.agent - before.agent) / checks,
      controlPlane: of('node') / checks,
      postgres: of('postgres') / checks,
    };
    return { ...cost, total: cost.agent + cost.controlPlane + cost.postgres };
  }

  private async untilScheduled(count: number): Promise<void> {
    const line = new RegExp(`^watchpost_checks_scheduled ${count}$`, 'm');
    await eventually(
      `the agent has ${count} checks`,
      async () => line.test(await (await this.home.ask(this.agent, '/metrics')).text()) || undefined,
      30_000,
    );
  }
}
