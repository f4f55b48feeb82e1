import { expect } from 'chai';
import pino from 'pino';
import { EntitySchema } from 'typeorm';
import { Database } from '@watchpost/control-plane/platform/db/database';
import { describeDrift } from '@watchpost/control-plane/platform/db/describe-drift';
import { migrate } from '@watchpost/control-plane/platform/db/migrate';
import { migrations } from '@watchpost/control-plane/platform/db/migrations/index';
import { createBlankDatabase, createTestDatabase, type TestDatabase } from '../../support/database.js';

const logger = pino({ level: 'silent' });

describe('migrations', () => {
  it('make exactly the tables that the entities describe', async () => {
    const { database, drop } = await createTestDatabase();
    try {
      expect(await describeDrift(database)).to.deep.equal([]);
    } finally {
      await drop();
    }
  });

  it('that lack what an entity has are told', async () => {
    const wish = new EntitySchema({
      name: 'wish',
      tableName: 'incident_note',
      columns: { id: { type: 'uuid', primary: true }, mood: { type: 'text' } },
    });
    const { url, drop } = await createTestDatabase();
    const database = await Database.open({ url, poolSize: 2, entities: [wish], migrations, logger });
    try {
      expect((await describeDrift(database)).join('\n')).to.contain('"mood"');
    } finally {
      await database.close();
      await drop();
    }
  });

  it('are applied once, however many processes start together', async () => {
    const blank = await createBlankDatabase();
    const open = () => Database.open({ url: blank.url, poolSize: 2, entities: [], migrations, logger });
    const processes = await Promise.all([open(), open(), open()]);
    try {
      const applied = await Promise.all(processes.map((database) => migrate(database, logger)));
      expect(applied.flat()).to.have.members(migrations.map((migration) => migration.name));
      expect(await migrate(processes[0], logger)).to.deep.equal([]);
    } finally {
      await Promise.all(processes.map((database) => database.close()));
      await blank.drop();
    }
  });
});

describe('test databases', () => {
  it('are made side by side and see nothing of each other', async () => {
    const made: TestDatabase[] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    try {
      const [one, other] = made as [TestDatabase, TestDatabase];
      await one.database.transaction((tx) => tx.query('CREATE TABLE mine (id int)'));
      const [row] = await other.database.read((tx) =>
        tx.query<{ found: string | null }>(`SELECT to_regclass('mine') AS found`),
      );
      expect(row).to.deep.equal({ found: null });
    } finally {
      await Promise.all(made.map((database) => database.drop()));
    }
  });
});
