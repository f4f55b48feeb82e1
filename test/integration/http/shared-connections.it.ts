import { expect } from 'chai';
import pg from 'pg';
import { eventually, PATIENCE_MS } from '../../support/eventually.js';
import { startTestApp, type TestApp, type TestUser } from '../../support/app.js';
import { seedMonitor } from '../../support/seed.js';

/** More than the pool of tests has connections. */
const REQUESTS = 40;

describe('requests of tenants that share the connections of a process', () => {
  let app: TestApp;
  let other: TestUser;
  let lock: pg.Client;

  before(async () => {
    app = await startTestApp();
    other = await app.user('other');
    lock = new pg.Client({ connectionString: app.databaseUrl });
    await lock.connect();
  });
  after(async () => {
    await lock.end();
    await app.stop();
  });

  it('are answered at once while those of another tenant wait for a lock', async () => {
    const { id } = await seedMonitor(app);
    await lock.query('BEGIN');
    await lock.query('SELECT 1 FROM monitor WHERE id = $1 FOR UPDATE', [id]);
    const changes = Array.from({ length: REQUESTS }, (_, index) =>
      app.api('PUT', `/api/v1/monitor/${id}`, { name: `Shop ${index}` }),
    );
    const waiting = async () => {
      const count = await app.value<number>(
        `SELECT count(*) AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return count > 0 ? count : undefined;
    };
    const blocked = await eventually('changes wait for the lock', waiting, PATIENCE_MS, 20);
    const answers = [];
    for (let index = 0; index < 20; index++) answers.push(await other.api('GET', '/api/v1/monitor'));
    const created = await other.api('POST', '/api/v1/service-group', { name: 'Mine' });
    const health = await app.anonymous('GET', '/health/ready');
    expect(await waiting(), 'and they wait still').to.be.at.least(blocked);
    await lock.query('ROLLBACK');
    const changed = await Promise.all(changes);
    expect(answers.map(({ status }) => status)).to.deep.equal(Array.from({ length: 20 }, () => 200));
    expect([created.status, health.status]).to.deep.equal([201, 200]);
    expect(new Set(changed.map(({ status }) => status))).to.deep.equal(new Set([200]));
  });
});
