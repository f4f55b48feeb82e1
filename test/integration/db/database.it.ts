import { expect } from 'chai';
import type pg from 'pg';
import type { Tx } from '@watchpost/control-plane/platform/db/database';
import { databaseErrorOf, UNIQUE_VIOLATION } from '@watchpost/control-plane/platform/db/database-error';
import { keptStatements } from '@watchpost/control-plane/platform/db/kept-statements';
import { createTestDatabase } from '../../support/database.js';
import { databaseForSuite } from '../../support/suite.js';

describe('The statements of a transaction', () => {
  const test = databaseForSuite({ poolSize: 1 });

  before(() => test.database.read((tx) => tx.query('CREATE TABLE thing (id integer PRIMARY KEY, name text)')));
  beforeEach(() => test.database.read((tx) => tx.query("TRUNCATE thing; INSERT INTO thing VALUES (1, 'a'), (2, 'b')")));

  for (const [kind, of] of [
    ['statement', (tx: Tx) => tx],
    ['kept statement', keptStatements],
  ] as const) {
    const run = <T>(work: (tx: Tx) => Promise<T>) => test.database.transaction((tx) => work(of(tx)));

    it(`a ${kind} returns its rows, those of RETURNING included`, async () => {
      expect(await run((tx) => tx.query('SELECT name FROM thing WHERE id = $1', [1]))).to.deep.equal([{ name: 'a' }]);
      const rows = [{ id: 1 }, { id: 2 }];
      expect(await run((tx) => tx.query('UPDATE thing SET name = NULL RETURNING id'))).to.deep.equal(rows);
      expect(await run((tx) => tx.query('UPDATE thing SET name = NULL'))).to.deep.equal([]);
      const add = 'INSERT INTO thing SELECT $1 RETURNING id, name';
      expect(await run((tx) => tx.query(add, [3]))).to.deep.equal([{ id: 3, name: null }]);
      const remove =
        'WITH most AS (SELECT max(id) AS id FROM thing) DELETE FROM thing USING most WHERE thing.id = most.id';
      expect(await run((tx) => tx.query(`${remove} RETURNING thing.id`))).to.deep.equal([{ id: 3 }]);
    });

    it(`a ${kind} that is executed returns the number of rows that it changed`, async () => {
      expect(await run((tx) => tx.execute('UPDATE thing SET name = $1', ['c']))).to.equal(2);
      expect(await run((tx) => tx.execute("INSERT INTO thing VALUES (2, 'x') ON CONFLICT DO NOTHING"))).to.equal(0);
      expect(await run((tx) => tx.execute('DELETE FROM thing WHERE id = $1', [1]))).to.equal(1);
    });

    it(`a ${kind} fails with the code and the constraint that the server states`, async () => {
      const error = await run((tx) => tx.execute('INSERT INTO thing VALUES (1)')).catch((raised: unknown) => raised);
      const { code, constraint } = databaseErrorOf(error)!;
      expect({ code, constraint }).to.deep.equal({ code: UNIQUE_VIOLATION, constraint: 'thing_pkey' });
    });
  }

  it('are never compiled by the server, which would take longer than running them', async () => {
    expect(await test.database.read((tx) => tx.query('SHOW jit'))).to.deep.equal([{ jit: 'off' }]);
  });
});

describe('A transaction that starts with its work', () => {
  const test = databaseForSuite({ poolSize: 2 });

  before(() => test.database.read((tx) => tx.query('CREATE TABLE thing (id integer PRIMARY KEY)')));
  beforeEach(() => test.database.read((tx) => tx.query('TRUNCATE thing')));

  const run = <T>(work: (tx: Tx) => Promise<T>) =>
    test.database.transaction((tx) => work(keptStatements(tx)), { startsWithWork: true });
  const add = (tx: Tx, id: number) => tx.execute('INSERT INTO thing SELECT $1::integer', [id]);
  const stored = async () =>
    (await test.database.read((tx) => tx.query<{ id: number }>('SELECT id FROM thing ORDER BY id'))).map(
      ({ id }) => id,
    );

  it('shows nothing of it to others before it commits', async () => {
    await run(async (tx) => {
      await Promise.all([add(tx, 1), add(tx, 2)]);
      expect(await stored()).to.deep.equal([]);
    });
    expect(await stored()).to.deep.equal([1, 2]);
  });

  it('stores nothing where the work or any of its statements fails, and goes on to use the connection', async () => {
    const failures = [
      run(async (tx) => {
        await add(tx, 1);
        throw new Error('the work failed');
      }),
      run((tx) => Promise.all([add(tx, 1), add(tx, 1), add(tx, 2)])),
      run((tx) => Promise.all([tx.query('SELECT 1 / 0'), add(tx, 1)])),
    ];
    const reasons = await Promise.all(failures.map((one) => one.catch(({ message }: Error) => message)));
    expect(reasons[0]).to.equal('the work failed');
    expect(reasons[1]).to.match(/duplicate key/);
    expect(reasons[2]).to.match(/division by zero/);
    expect(await stored()).to.deep.equal([]);
    await run((tx) => add(tx, 3));
    expect(await stored()).to.deep.equal([3]);
  });

  it('sends its start and the statements that wait for no answer in one packet', async () => {
    let packets = 0;
    const counted = async (client: pg.Client): Promise<void> => {
      const { stream } = client.connection as unknown as {
        stream: { _writev(...args: unknown[]): unknown; _write(...args: unknown[]): unknown };
      };
      for (const method of ['_write', '_writev'] as const) {
        const send = stream[method].bind(stream);
        stream[method] = (...args) => {
          packets++;
          return send(...args);
        };
      }
    };
    const single = await createTestDatabase({ poolSize: 1 });
    try {
      await single.database.read(({ client }) => counted(client as pg.Client));
      await single.database.transaction(
        async (tx) => {
          const kept = keptStatements(tx);
          await Promise.all([kept.query('SELECT $1::integer', [1]), kept.query('SELECT $1::text', ['a'])]);
          expect(packets).to.equal(1);
        },
        { startsWithWork: true },
      );
      expect(packets, 'with the commit').to.equal(2);
    } finally {
      await single.drop();
    }
  });
});
