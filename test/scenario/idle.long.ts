import pg from 'pg';
import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import { readEmbeddedUrl } from '@watchpost/control-plane/embedded/postgres/index';
import { eventually } from '../support/eventually.js';
import { countLoggedStatements } from '../support/logged-statements.js';
import { startProduct, type Product } from '../support/product.js';

/** Some 320, and 30 more in a minute in which hourly jobs are due. */
const MOST_PER_MINUTE = 380;
const WINDOW_MS = 60_000;

describe('An idle installation', function () {
  this.timeout(600_000);
  let product: Product;
  let client: pg.Client;
  before(async () => {
    product = await startProduct({ hasOwnDatabase: true, env: { START_HOME_AGENT: '1', LOG_LEVEL: 'warn' } });
    client = new pg.Client({ connectionString: (await readEmbeddedUrl(product.dataDir))! });
    client.on('error', () => {});
    await client.connect();
  });
  after(async () => {
    await client?.end();
    await product?.stop();
  });

  it('sends few statements to its database, and hardly any transaction', async () => {
    await eventually(
      'the home agent is connected',
      async () =>
        (await client.query(`SELECT FROM agent_visibility WHERE last_seen IS NOT NULL`)).rowCount! > 0 || undefined,
      240_000,
    );
    // The jobs of the start, and the assignment of the agent.
    await sleep(15_000);
    const counts = await countLoggedStatements(client, product.dataDir, WINDOW_MS);
    const most = [...counts].toSorted(([, a], [, b]) => b - a);
    const all = most.reduce((sum, [, count]) => sum + count, 0);
    const list = most.map(([text, count]) => `${Math.round(count)} ${text}`).join('\n');
    expect(all, list).to.be.below(MOST_PER_MINUTE);
    const signs = most.filter(([text]) => text.includes('fleet_process')).reduce((sum, [, count]) => sum + count, 0);
    // One in two seconds at most, although members are read then too, which requires one.
    expect(signs, list).to.be.within(1, 34);
    const begun = counts.get('START TRANSACTION') ?? 0;
    expect(begun, list).to.be.below(60);
  });
});
