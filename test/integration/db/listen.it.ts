import { expect } from 'chai';
import pino from 'pino';
import { listen } from '@watchpost/control-plane/platform/db/listen';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { eventually, PATIENCE_MS } from '../../support/eventually.js';

describe('A listener', () => {
  let test: TestDatabase;
  let heard = 0;
  let listener: ReturnType<typeof listen>;
  before(async () => {
    test = await createTestDatabase();
    const logger = pino({ level: 'silent' });
    listener = listen({ hosts: test.database.hosts, channel: 'news', logger, onNotify: () => heard++ });
    await hears(1);
  });
  after(async () => {
    await listener.stop();
    await test.drop();
  });

  const sql = <Row extends object>(text: string) => test.sql<Row>(text);
  const connections = async () =>
    (
      await sql(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'watchpost listener'`,
      )
    ).length;
  const hears = (count: number) => eventually(`call ${count}`, () => heard >= count || undefined, PATIENCE_MS, 10);

  it('is called at its start and for each notification', async () => {
    await sql(`NOTIFY news`);
    await hears(2);
    expect(heard).to.equal(2);
  });

  it('connects again when its connection is lost, and is called then, because it may have missed some', async () => {
    await sql(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'watchpost listener'`,
    );
    await hears(3);
    expect(await connections()).to.equal(1);
    await sql(`NOTIFY news`);
    await hears(4);
  });

  it('has no connection after its stop', async () => {
    await listener.stop();
    await eventually('it is gone', async () => (await connections()) === 0 || undefined, PATIENCE_MS, 10);
    await sql(`NOTIFY news`);
    expect(heard).to.equal(4);
  });
});
