import { expect } from 'chai';
import type { Tx } from '@watchpost/control-plane/platform/db/database';
import { databaseErrorOf, UNIQUE_VIOLATION } from '@watchpost/control-plane/platform/db/database-error';
import { keptStatements } from '@watchpost/control-plane/platform/db/kept-statements';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';

describe('The statements of a transaction', () => {
  let test: TestDatabase;

  before(async () => {
    test = await createTestDatabase({ poolSize: 1 });
    await test.database.read((tx) => tx.query('CREATE TABLE thing (id integer PRIMARY KEY, name text)'));
  });
  beforeEach(() => test.database.read((tx) => tx.query("TRUNCATE thing; INSERT INTO thing VALUES (1, 'a'), (2, 'b')")));
  after(() => test.drop());

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
