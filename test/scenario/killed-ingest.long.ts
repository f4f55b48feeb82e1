import { expect } from 'chai';
import pg from 'pg';
import { readEmbeddedUrl } from '@watchpost/control-plane/embedded/postgres/index';
import { MINUTE_MS } from '@watchpost/shared/time';
import { eventually } from '../support/eventually.js';
import { type Product, startProduct } from '../support/product.js';
import { answer } from '../support/target-behaviours.js';
import { startTarget, type Target } from '../support/target-server.js';

const MONITORS = 10;
/** Tables that a transaction of results writes: while one cannot be written, results are half stored. */
const TABLES = ['series', 'check_finding'];

describe('a control plane that is killed while it stores results with steps', function () {
  this.timeout(20 * 60_000);
  let product: Product;
  let target: Target;
  let client: pg.Client;

  before(async () => {
    [product, target] = await Promise.all([
      startProduct({ hasOwnDatabase: true }),
      startTarget({ behaviour: answer({ body: 'ok' }) }),
    ]);
    const { token } = await product.createAgent('northeurope', 'home');
    await product.api('GET', '/api/v1/user');
    await product.admin('set-plan', '--user', 'user-1@example.test', '--plan', 'Enterprise');
    product.startAgent({ name: 'home', token });
    client = new pg.Client({ connectionString: (await readEmbeddedUrl(product.dataDir))! });
    await client.connect();
  });
  after(async () => {
    await client?.end();
    await product?.stop();
    await target?.close();
  });

  const stored = async () =>
    (
      await client.query<{ id: string; scheduledMs: number }>(
        `SELECT monitor.id, (extract(epoch FROM scheduled_at) * 1000)::float8 AS "scheduledMs"
         FROM check_result JOIN monitor ON monitor.key = check_result.monitor_key ORDER BY id, scheduled_at`,
      )
    ).rows;
  const everyoneSince = (fromMs: number) =>
    eventually(
      'a result of each monitor',
      async () => {
        const since = (await stored()).filter(({ scheduledMs }) => scheduledMs >= fromMs);
        return new Set(since.map(({ id }) => id)).size === MONITORS || undefined;
      },
      300_000,
      500,
    );

  it('has each result once, with its steps, after it is started again', async () => {
    const ids: string[] = [];
    for (let index = 0; index < MONITORS; index++) {
      const steps = [{ name: 'order', url: `${target.url}/step/${index}`, method: 'POST' }];
      const body = { url: `${target.url}/own/${index}`, checkInterval: 'PT1M', http: { steps } };
      const created = await product.api('POST', '/api/v1/monitor', body);
      expect(created.status, JSON.stringify(created.body)).to.equal(201);
      ids.push(created.body.id);
    }
    await everyoneSince(0);
    for (const table of TABLES) {
      await client.query('BEGIN');
      await client.query(`LOCK TABLE ${table} IN SHARE MODE`);
      await eventually(
        `results wait for ${table}`,
        async () =>
          (await client.query(`SELECT FROM pg_locks WHERE relation = '${table}'::regclass AND NOT granted`)).rowCount! >
            0 || undefined,
        240_000,
        50,
      );
      product.controlPlane.kill('SIGKILL');
      await product.controlPlane.ended(60_000);
      await client.query('ROLLBACK');
      await product.startControlPlane();
      await everyoneSince(Date.now());
    }

    const rows = await stored();
    for (const id of ids) {
      const times = rows.filter((row) => row.id === id).map(({ scheduledMs }) => scheduledMs);
      // The first is when the monitor was created.
      const regular = times.slice(1);
      const expected = regular.map((_, index) => regular[0]! + index * MINUTE_MS);
      expect(regular, 'each scheduled time once').to.deep.equal(expected);
      const { body } = await product.api('GET', `/api/v1/monitor/${id}`);
      expect(
        body.latestTestResult.steps.map(({ name, wasAvailable }: { name: string; wasAvailable: boolean }) => [
          name,
          wasAvailable,
        ]),
      ).to.deep.equal([['order', true]]);
    }
    const runs = target.requests.filter(({ path }) => path.startsWith('/step/')).length;
    expect(runs, 'no run was repeated').to.be.within(rows.length, rows.length + MONITORS);
    expect((await product.api('GET', '/api/v1/incident')).body).to.deep.equal([]);
  });
});
