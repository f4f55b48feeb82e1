import { readdir } from 'node:fs/promises';
import { expect } from 'chai';
import pino from 'pino';
import { entities } from '@watchpost/control-plane/app/schema';
import { Database } from '@watchpost/control-plane/platform/db/database';
import { readTables, type CatalogPart } from '@watchpost/control-plane/platform/db/read-catalog';
import { readDifference } from '@watchpost/control-plane/platform/db/read-difference';
import { createBlankDatabase, createTestDatabase } from '../../support/database.js';
import { databaseForSuite } from '../../support/suite.js';

/** Tables that no entity describes. SQL beside their stores is all that reads and writes them. */
const TABLES_WITHOUT_ENTITY: Readonly<Record<string, string>> = {
  check_result: 'partitioned results',
  check_failure: 'partitioned results',
  check_answer: 'partitioned results',
  packed_result: 'partitioned results',
  late_result: 'queue of the packer',
  packing_progress: 'cursor of the packer',
  check_detail: 'partitioned results',
  check_rollup: 'rollups of results',
  check_rollup_day: 'rollups of results',
  monitor_day: 'figures of rollups',
  workspace_day: 'figures of rollups',
  dirty_bucket: 'queue of dirty buckets',
  rollup_progress: 'cursor of the rollups',
  purged_revision: 'newest revision of a purged monitor',
  series: 'state that results update',
  monitor_state: 'state that results update',
  last_answer: 'state that results update',
  check_finding: 'state that results update',
  notified_change: 'state that results update',
  heartbeat: 'state that pings update',
  heartbeat_change: 'history that pings write',
  ping: 'pings',
  ping_reception: 'until when pings could be received',
  ping_outage: 'when no ping could be received',
  alert_event: 'queue of delivery',
  delivery: 'queue of delivery',
  delivery_lane: 'queue of delivery',
  outgoing_mail: 'queue of delivery',
  workspace_event: 'events for streams, which triggers write',
  event_stream_lease: 'leases of open streams',
  schema_version: 'written by migrations that contract',
  local_mail: 'mailbox of an installation without a mail server',
};

/** What is changed in a table, and the statement of the migration that undoes it; null: TypeORM does not find it. */
const DIFFERENCES: readonly (readonly [kind: string, table: string, sql: string, statement: RegExp | null])[] = [
  ['a column that is missing', 'team', 'DROP description', /^ALTER TABLE "team" ADD "description" text$/],
  ['a column that is too many', 'team', 'ADD mood text', /^ALTER TABLE "team" DROP COLUMN "mood"$/],
  [
    'another type',
    'agent',
    'ALTER checks TYPE bigint',
    /^ALTER TABLE "agent" ADD "checks" integer NOT NULL DEFAULT '0'$/,
  ],
  [
    'another precision',
    'status_page_post_update',
    'ALTER created TYPE timestamptz(6)',
    /^ALTER TABLE "status_page_post_update" ALTER COLUMN "created" TYPE TIMESTAMP\(3\) WITH TIME ZONE$/,
  ],
  ['another nullability', 'team', 'ALTER name DROP NOT NULL', /^ALTER TABLE "team" ALTER COLUMN "name" SET NOT NULL$/],
  [
    'another default',
    'agent',
    "ALTER status SET DEFAULT 'new'",
    /^ALTER TABLE "agent" ALTER COLUMN "status" SET DEFAULT 'active'$/,
  ],
  ['a column that is an identity no longer', 'agent', 'ALTER key DROP IDENTITY', null],
  [
    'another primary key',
    'report_sent',
    'DROP CONSTRAINT report_sent_pkey, ADD CONSTRAINT report_sent_pkey PRIMARY KEY (workspace_id, starts)',
    /^ALTER TABLE "report_sent" ADD CONSTRAINT "report_sent_pkey" PRIMARY KEY \("workspace_id", "kind", "starts"\)$/,
  ],
  [
    'a unique constraint that is missing',
    'agent',
    'DROP CONSTRAINT agent_token_key',
    /^ALTER TABLE "agent" ADD CONSTRAINT \S+ UNIQUE \("token_hash"\)$/,
  ],
  [
    'another check',
    'team_member',
    `DROP CONSTRAINT team_member_role_check,
       ADD CONSTRAINT team_member_role_check CHECK (team_role IN ('lead', 'guest'))`,
    null,
  ],
  [
    'another action of a foreign key',
    'team',
    `DROP CONSTRAINT team_workspace_fk,
       ADD CONSTRAINT team_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace (id)`,
    /^ALTER TABLE "team" ADD CONSTRAINT "team_workspace_fk" .* ON DELETE CASCADE/,
  ],
];
/** The same, of other statements than ALTER TABLE. */
const OTHER_DIFFERENCES: typeof DIFFERENCES = [
  [
    'a table that is missing',
    'acknowledge_link',
    'DROP TABLE acknowledge_link',
    /^CREATE TABLE "acknowledge_link" \("hash" bytea NOT NULL, /,
  ],
  ['an index that is missing', 'team', 'DROP INDEX team_workspace_idx', /^CREATE INDEX "team_workspace_idx" ON "team"/],
  [
    'another condition of an index',
    'monitor',
    `DROP INDEX monitor_tombstone_idx;
     CREATE INDEX monitor_tombstone_idx ON monitor (deleted_at) WHERE deleted_at IS NOT NULL AND key > 0`,
    null,
  ],
  [
    'an index that is unique no longer',
    'workspace',
    `DROP INDEX workspace_personal_key; CREATE INDEX workspace_personal_key ON workspace (owner_id) WHERE is_personal`,
    /^CREATE UNIQUE INDEX "workspace_personal_key" ON "workspace"/,
  ],
];

/** TypeORM writes numbers as text, and PostgreSQL keeps the cast where the column is not an integer. */
const QUOTED_NUMBER = /'(-?\d+)'::(?:smallint|bigint)/g;

/** The parts by name; the direction of index columns is left out, because entities cannot express it. */
function partsOf(parts: readonly CatalogPart[], named: readonly (string | undefined)[]): Record<string, string> {
  return Object.fromEntries(
    parts
      .filter(({ name }) => !named.includes(name))
      .map(({ name, definition }) => [name, definition.replaceAll(' DESC', '').replaceAll(QUOTED_NUMBER, '$1')]),
  );
}

const NO_PARTS = { columns: [], constraints: [], indexes: [] };

/** The tables that entities state, by name. An index that they only name, because TypeORM cannot create it, is left out. */
function statedTables(database: Database): Promise<Record<string, object>> {
  return database.read(async (tx) => {
    const tables = await readTables(tx);
    return Object.fromEntries(
      entitiesOf(database).map(({ tableName, indices }) => {
        const named = indices.filter(({ synchronize }) => !synchronize).map(({ name }) => name);
        const { columns, constraints, indexes } = tables.find(({ name }) => name === tableName) ?? NO_PARTS;
        return [tableName, [columns, constraints, indexes].map((parts) => partsOf(parts, named))];
      }),
    );
  });
}

const entitiesOf = ({ source }: Database) => source.entityMetadatas;

describe('The entities', () => {
  const test = databaseForSuite();

  it('state nothing that no migration does', async () => {
    expect(await readDifference(test.database), 'run "npm run generate -- migration <name>"').to.deep.equal([]);
  });

  it('state the tables as they are, with the conditions of checks and indexes', async () => {
    const blank = await createBlankDatabase();
    const logger = pino({ level: 'silent' });
    const database = await Database.open({ url: blank.url, poolSize: 2, entities, migrations: [], logger });
    try {
      await database.source.synchronize();
      expect(await statedTables(test.database)).to.deep.equal(await statedTables(database));
    } finally {
      await database.close();
      await blank.drop();
    }
  });

  it('name only indexes that exist', async () => {
    const tables = await test.database.read(readTables);
    const existing = tables.flatMap(({ indexes }) => indexes.map(({ name }) => name));
    const named = entitiesOf(test.database).flatMap(({ indices }) => indices.filter(({ synchronize }) => !synchronize));
    expect(existing).to.include.members(named.map(({ name }) => name));
  });

  it('state every table, except those that are listed with a reason', async () => {
    const tables = (await test.database.read(readTables)).map(({ name }) => name);
    const stated = entitiesOf(test.database).map(({ tableName }) => tableName);
    expect([...stated, ...Object.keys(TABLES_WITHOUT_ENTITY)]).to.have.members(tables);
  });

  it('are listed, each file once', async () => {
    const folder = new URL('../', import.meta.resolve('@watchpost/control-plane/app/schema'));
    const files = (await readdir(folder, { recursive: true })).filter((path) => path.endsWith('.entity.js'));
    const classes = await Promise.all(files.map((path) => import(new URL(path, folder).href)));
    expect(entities, 'run "npm run generate"').to.have.members(classes.flatMap((module) => Object.values(module)));
  });

  it('differ from a table where anything of it differs, and make the migration that undoes that', async () => {
    const changed = await createTestDatabase();
    const differences = [
      ...DIFFERENCES.map(([kind, table, sql, found]) => [kind, table, `ALTER TABLE ${table} ${sql}`, found] as const),
      ...OTHER_DIFFERENCES,
    ];
    try {
      for (const [, , sql] of differences) await changed.sql(sql);
      const found = await readDifference(changed.database);
      for (const [kind, , , expected] of differences)
        if (expected)
          expect(
            found.filter((line) => expected.test(line)),
            `${kind} in\n${found.join('\n')}`,
          ).to.have.length(1);
      const [stated, made] = [await statedTables(test.database), await statedTables(changed.database)];
      const differing = Object.keys(stated).filter(
        (name) => JSON.stringify(stated[name]) !== JSON.stringify(made[name]),
      );
      expect(differing).to.have.members([...new Set(differences.map(([, table]) => table))]);
    } finally {
      await changed.drop();
    }
  });
});
