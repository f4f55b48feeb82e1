import { expect } from 'chai';
import pg from 'pg';
import { startTestApp, type TestApp } from '../../support/app.js';
import type { Json } from '../../support/product.js';
import { makeWorld, type World } from '../../support/seed.js';

/** Rows of these are locked by the transactions that store the pings and results of all owners. */
const SHARED = ['series', 'monitor_state', 'heartbeat'];
const MONITORS = 150;

describe('The rows that the transactions of all owners need', () => {
  let app: TestApp;
  let world: World;
  let lock: pg.Client;
  before(async () => {
    app = await startTestApp();
    lock = new pg.Client({ connectionString: app.databaseUrl });
    await lock.connect();
  });
  after(async () => {
    await lock?.end();
    await app?.stop();
  });
  beforeEach(async () => {
    world = await makeWorld(app, 'Enterprise');
  });

  const documentOf = (more: (index: number) => object, from = 0) => ({
    apiVersion: 'watchpost/v1',
    project: 'shop',
    serviceGroups: { shop: { name: 'Shop' } },
    monitors: {
      ...Object.fromEntries(
        Array.from({ length: MONITORS }, (_, index) => [
          `m${index + from}`,
          { name: `M${index}`, url: `https://m${index}.example/`, ...more(index) },
        ]),
      ),
      job: { name: 'Job', monitorTypes: ['Heartbeat'], heartbeat: { every: 'PT1H' }, ...more(0) },
    },
    maintenanceWindows: {
      now: {
        name: 'Now',
        startsAt: new Date(app.clock.now()).toISOString().slice(0, 16),
        duration: 'PT2H',
        checks: 'pause',
        scope: { monitors: [`m${from + 1}`] },
      },
    },
  });
  async function send(verb: 'plan' | 'apply', document: object): Promise<Json> {
    const { status, body } = await world.api('POST', `/api/v1/config/${verb}`, {
      document,
      prune: true,
      ...(verb === 'apply' ? { maxDelete: 1_000 } : {}),
    });
    expect(status, JSON.stringify(body).slice(0, 500)).to.equal(200);
    return body;
  }

  it('are not touched by a plan, whatever it would change', async () => {
    await send(
      'apply',
      documentOf(() => ({})),
    );
    for (const document of [
      documentOf((index) => ({ checkTimeout: 'PT9S', monitoringStatus: index % 2 === 0 ? 'disabled' : 'enabled' })),
      documentOf(() => ({}), 1_000),
    ]) {
      await lock.query('BEGIN');
      await lock.query(`LOCK TABLE ${SHARED.join(', ')}, incident IN EXCLUSIVE MODE`);
      try {
        const { summary } = await send('plan', document);
        expect(summary.update + summary.create).to.be.at.least(MONITORS);
      } finally {
        await lock.query('ROLLBACK');
      }
    }
  });

  it('are locked last by an apply, and for a number of statements that does not grow with the document', async () => {
    for (const document of [
      documentOf(() => ({})),
      documentOf((index) => ({ checkTimeout: 'PT9S', monitoringStatus: index % 2 === 0 ? 'disabled' : 'enabled' })),
      documentOf(() => ({}), 1_000),
    ]) {
      const statements = await statementsOf(() => send('apply', document));
      const locking = new RegExp(`(INTO|UPDATE|FROM) (${SHARED.join('|')})\\b`);
      const first = statements.findIndex(
        (text) => locking.test(text) && (/FOR UPDATE/.test(text) || !/^\s*SELECT/.test(text)),
      );
      expect(first).to.be.greaterThan(0);
      expect(statements.length - first, statements.slice(first).join('\n').slice(0, 2_000)).to.be.below(60);
    }
    const { body: monitors } = await world.api('GET', '/api/v1/monitor?pageSize=200');
    expect(monitors).to.have.length(MONITORS + 1);
  });
});

/** What this process sends to the database meanwhile. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const prototype = pg.Client.prototype as { query(...args: unknown[]): unknown };
  const original = prototype.query;
  const texts: string[] = [];
  prototype.query = function noted(this: unknown, ...args: unknown[]) {
    const [first] = args as [string | { text: string }];
    texts.push(typeof first === 'string' ? first : first.text);
    return original.apply(this, args);
  };
  try {
    await work();
  } finally {
    prototype.query = original;
  }
  return texts;
}
