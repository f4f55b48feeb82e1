import { createHash } from 'node:crypto';
import { expect } from 'chai';
import type { Tx } from '@watchpost/control-plane/platform/db/database';
import { keptStatements } from '@watchpost/control-plane/platform/db/kept-statements';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';

describe('Statements that the server keeps', () => {
  let test: TestDatabase;

  before(async () => {
    // One connection: what is kept is kept on it.
    test = await createTestDatabase({ poolSize: 1 });
    await test.database.read((tx) => tx.query('CREATE TABLE kept (id integer PRIMARY KEY, note text)'));
  });
  after(() => test.drop());

  const transaction = <T>(work: (tx: Tx) => Promise<T>) => test.database.transaction(work);
  const countKept = async () => {
    const [row] = await test.database.read((tx) =>
      tx.query<{ count: number }>('SELECT count(*) AS count FROM pg_prepared_statements'),
    );
    return row!.count;
  };

  it('are parsed once, belong to the transaction, and return the rows of any other', async () => {
    const before = await countKept();
    const add = (tx: Tx, id: number) =>
      keptStatements(tx).query<{ id: number }>('INSERT INTO kept VALUES ($1, $2) RETURNING id', [id, `note ${id}`]);
    for (const id of [1, 2, 3]) expect(await transaction((tx) => add(tx, id))).to.deep.equal([{ id }]);
    const undone = transaction(async (tx) => {
      await add(tx, 4);
      throw new Error('undone');
    });
    expect(await undone.catch((error: Error) => error.message)).to.equal('undone');
    const find = () => transaction((tx) => keptStatements(tx).query('SELECT id FROM kept ORDER BY id'));
    expect(await find()).to.deep.equal([{ id: 1 }, { id: 2 }, { id: 3 }]);
    expect(await find()).to.have.length(3);
    expect(await countKept()).to.equal(before + 2);
  });

  it('have a name that depends only on their text, because processes may share a server behind a pooler', async () => {
    const texts = ['SELECT id FROM kept WHERE id = $1', 'SELECT id + 1 AS id FROM kept WHERE id = $1'];
    for (const text of texts) await transaction((tx) => keptStatements(tx).query(text, [1]));
    const kept = await test.database.read((tx) =>
      tx.query<{ name: string; statement: string }>(
        'SELECT name, statement FROM pg_prepared_statements WHERE statement = ANY ($1)',
        [texts],
      ),
    );
    expect(kept).to.have.length(2);
    for (const { name, statement } of kept)
      expect(name).to.equal(`kept_${createHash('sha256').update(statement).digest('base64url')}`);
  });

  it('are sent unprepared from then on when a migration changed their columns: the transaction is tried again', async () => {
    const all = () => transaction((tx) => keptStatements(tx).query('SELECT * FROM kept WHERE id = $1', [1]));
    expect(await all()).to.deep.equal([{ id: 1, note: 'note 1' }]);
    await transaction((tx) => tx.query('ALTER TABLE kept ADD COLUMN more integer'));
    expect(await all()).to.deep.equal([{ id: 1, note: 'note 1', more: null }]);
    expect(await all()).to.deep.equal([{ id: 1, note: 'note 1', more: null }]);
  });
});
