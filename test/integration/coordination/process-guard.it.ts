import { expect } from 'chai';
import { pino } from 'pino';
import { holdProcessPlace, type ProcessGuard } from '@watchpost/control-plane/platform/coordination/process-guard';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { eventually, PATIENCE_MS } from '../../support/eventually.js';

describe('the place of a control-plane process on its database', function () {
  let test: TestDatabase;
  const guards: ProcessGuard[] = [];
  beforeEach(async () => {
    test = await createTestDatabase();
  });
  afterEach(async () => {
    for (const guard of guards.splice(0)) await guard.release();
    await test.drop();
  });

  async function hold(
    onUsurped: (error: Error) => void = () => undefined,
    waitMs = 30_000,
    place: 'alone' | 'shared' = 'alone',
  ): Promise<ProcessGuard> {
    const guard = await holdProcessPlace({
      hosts: test.database.hosts,
      place,
      schemaVersion: 1,
      logger: pino({ level: 'silent' }),
      onUsurped,
      waitMs,
    });
    guards.push(guard);
    return guard;
  }

  const refusal = (place: 'alone' | 'shared' = 'alone') =>
    hold(undefined, 100, place).then(
      () => undefined,
      (error: Error) => error,
    );

  it('refuses a second process, and names the first one and what to do', async () => {
    await hold();
    const error = await refusal();
    expect(error?.message).to.match(
      /Another control-plane process runs on this database: .*PostgreSQL backend \d+.*There can be one only/,
    );
  });

  it('lets any number of processes in that have Redis, and none without', async () => {
    await hold(undefined, 100, 'shared');
    await hold(undefined, 100, 'shared');
    expect((await refusal())?.message).to.match(/It has Redis and this one has not: set REDIS_URL/);
  });

  it('gives the lead of the installation to one of them, and to another when that one is gone', async () => {
    const [first, second] = [await hold(undefined, 100, 'shared'), await hold(undefined, 100, 'shared')];
    expect([await first.leads(), await second.leads(), await first.leads()]).to.deep.equal([true, false, true]);
    await first.release();
    expect([await first.leads(), await second.leads()]).to.deep.equal([false, true]);
    // A process that loses its connection has lost the lead with it, and takes it again when it is back.
    await test.database.read((tx) =>
      tx.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name LIKE 'watchpost guard %' AND datname = current_database()`),
    );
    const third = await hold(undefined, 1_000, 'shared');
    await eventually(
      'one of them leads again',
      async () => [await second.leads(), await third.leads()].includes(true) || undefined,
    );
  });

  it('refuses one with Redis beside one without', async () => {
    await hold();
    expect((await refusal('shared'))?.message).to.match(/It has no Redis .* start it again with the same REDIS_URL/);
  });

  it('lets the next one in when the first has ended', async () => {
    const first = await hold();
    await first.release();
    await hold();
  });

  it('waits for one that is just going', async () => {
    const first = await hold();
    const second = hold();
    await new Promise((resolve) => setTimeout(resolve, 300));
    await first.release();
    await second;
  });

  it('takes the lock up again where its connection was lost', async () => {
    await hold();
    const before = await backend();
    await test.database.read((tx) => tx.query('SELECT pg_terminate_backend($1)', [before]));
    await eventually(
      'another connection with the lock',
      async () => {
        const now = await backend();
        return now !== undefined && now !== before ? now : undefined;
      },
      PATIENCE_MS,
      20,
    );
    expect(await refusal()).to.be.instanceOf(Error);
  });

  it('notifies a process that lost its place to another', async () => {
    const usurped = new Promise<Error>((resolve) => void hold(resolve, 200));
    const before = await eventually('the lock', backend, PATIENCE_MS, 20);
    await test.database.read(async (tx) => {
      // Takes the lock in the moment in which the first one loses it.
      const waiting = tx.query(
        `SELECT pg_advisory_lock((classid::bigint << 32) | objid::bigint) FROM pg_locks WHERE locktype = 'advisory' AND pid = $1`,
        [before],
      );
      await eventually(
        'the one who waits',
        async () => {
          const rows = await test.database.read((other) =>
            // Of this database: on the same server other suites wait for locks of their own.
            other.query(
              `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
                 AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
            ),
          );
          return rows.length > 0 ? true : undefined;
        },
        PATIENCE_MS,
        20,
      );
      await test.database.read((other) => other.query('SELECT pg_terminate_backend($1)', [before]));
      await waiting;
      expect((await usurped).message).to.contain('Another control-plane process');
      await tx.query('SELECT pg_advisory_unlock_all()');
    });
  });

  async function backend(): Promise<number | undefined> {
    const rows = await test.database.read((tx) =>
      tx.query<{ pid: number }>(
        `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      ),
    );
    return rows[0]?.pid;
  }
});
