import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';

const SCRIPT = resolve('scripts/verify/migration-rules.mjs');
const EARLIER = 'Earlier1763900000016';

interface Source {
  path: string;
  text: string;
}

/** Statements of a migration, and a part of the fault. */
const REFUSED: readonly (readonly [sql: string, fault: string])[] = [
  ['CREATE INDEX monitor_created_idx ON monitor (created)', 'createIndexConcurrently'],
  ['CREATE UNIQUE INDEX CONCURRENTLY one_idx ON ONLY monitor (created)', 'createIndexConcurrently'],
  ['DROP INDEX monitor_created_idx', 'dropIndexConcurrently'],
  ['UPDATE monitor SET revision = 0', 'inBatches'],
  ['DELETE FROM monitor WHERE deleted', 'inBatches'],
  ['TRUNCATE monitor', 'locks the table'],
  ['ALTER TABLE monitor ALTER COLUMN note SET NOT NULL', 'NOT VALID'],
  ['ALTER TABLE monitor ADD CONSTRAINT a_check CHECK (a > 0)', 'NOT VALID'],
  ['ALTER TABLE monitor ADD CONSTRAINT a_fkey FOREIGN KEY (a) REFERENCES b', 'NOT VALID'],
  ['ALTER TABLE monitor ADD UNIQUE (a)', 'USING INDEX'],
  [
    'ALTER TABLE monitor ADD CONSTRAINT a_check CHECK (a > 0) NOT VALID; ALTER TABLE monitor VALIDATE CONSTRAINT a_check',
    'in a later migration',
  ],
  ['ALTER TABLE monitor DROP COLUMN note', 'unusedSince'],
  ['alter table only monitor drop note', 'unusedSince'],
  ['ALTER TABLE monitor ADD COLUMN a int, DROP COLUMN IF EXISTS note', 'unusedSince'],
  ['ALTER TABLE monitor RENAME COLUMN note TO remark', 'unusedSince'],
  ['ALTER TABLE monitor RENAME TO watched', 'unusedSince'],
  ['ALTER TABLE monitor ALTER COLUMN note TYPE bigint', 'unusedSince'],
  ['ALTER TABLE monitor ALTER note SET DATA TYPE bigint', 'unusedSince'],
  ['DROP TABLE monitor', 'unusedSince'],
  ['DROP VIEW monitor_view', 'unusedSince'],
  ['ALTER TABLE monitor ADD COLUMN note text NOT NULL', 'constant DEFAULT'],
  ['ALTER TABLE monitor ADD COLUMN note uuid DEFAULT gen_random_uuid()', 'volatile'],
  ['ALTER TABLE monitor ADD COLUMN at timestamptz NOT NULL DEFAULT clock_timestamp()', 'volatile'],
  ['ALTER TABLE monitor ADD COLUMN id bigint GENERATED ALWAYS AS IDENTITY', 'rewrites'],
  ['ALTER TABLE monitor ADD owner uuid REFERENCES user_account', 'by itself'],
];

const ALLOWED = [
  'CREATE TABLE later (id uuid NOT NULL, name text); CREATE INDEX later_name_idx ON later (name); DROP TABLE later',
  'CREATE TABLE later (id int); ALTER TABLE later ADD CONSTRAINT later_pkey PRIMARY KEY (id); UPDATE later SET id = 1',
  "ALTER TABLE monitor ADD COLUMN note text, ADD COLUMN size numeric(8, 2) NOT NULL DEFAULT 0, ADD tags text[] NOT NULL DEFAULT '{}'",
  'ALTER TABLE monitor ADD COLUMN at timestamptz NOT NULL DEFAULT now()',
  'ALTER TABLE monitor ADD CONSTRAINT a_check CHECK (a > 0) NOT VALID',
  'ALTER TABLE monitor VALIDATE CONSTRAINT note_check; ALTER TABLE monitor ALTER COLUMN note SET NOT NULL',
  'ALTER TABLE monitor ADD CONSTRAINT a_key UNIQUE USING INDEX a_idx',
  'ALTER TABLE monitor DROP CONSTRAINT a_check, ALTER COLUMN note DROP NOT NULL, ALTER note SET DEFAULT 1',
  'CREATE OR REPLACE FUNCTION one() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN UPDATE monitor SET a = 1; END $$',
  '-- DROP TABLE monitor\nCREATE OR REPLACE VIEW monitor_view AS SELECT 1',
];

const CONTRACTING = 'ALTER TABLE monitor DROP COLUMN note, ALTER COLUMN size TYPE bigint; DROP VIEW monitor_view';

describe('the rules of migrations', () => {
  let checkMigrations: (migrations: Source[]) => Promise<string[]>;
  before(async () => {
    ({ checkMigrations } = (await import(pathToFileURL(SCRIPT).href)) as { checkMigrations: typeof checkMigrations });
  });

  const check = (text: string, number = '0017') =>
    checkMigrations([
      { path: 'migrations/0016-earlier.ts', text: `export class ${EARLIER} {}` },
      { path: `migrations/${number}-planted.ts`, text },
    ]);
  const sourceOf = (sql: string, fields = '') =>
    `/** DROP TABLE monitor */\nexport class Planted1763900000017 implements Migration {\n  ${fields}
        async up(runner) {\n    // UPDATE monitor\n    await runner.query(\`${sql}\`);\n  }\n}`;
  const faultsOf = (sql: string, fields = '') => check(sourceOf(sql, fields));

  it('refuse what blocks a table, or breaks processes of the former version', async () => {
    for (const [sql, fault] of REFUSED) {
      const faults = await faultsOf(sql);
      expect(faults, sql).to.have.lengthOf(1);
      expect(faults[0], sql).to.contain(fault);
    }
  });

  it('allow what does neither, and what was there before the rules', async () => {
    for (const sql of ALLOWED) expect(await faultsOf(sql), sql).to.deep.equal([]);
    const batches = `UPDATE monitor SET a = 1\`); await inBatches(runner, step); await runner.query(\`SELECT 1`;
    expect(await faultsOf(batches, 'readonly transaction = false;')).to.deep.equal([]);
    expect(await check(sourceOf('DROP TABLE monitor'), '0001')).to.deep.equal([]);
    expect(await faultsOf(batches), 'batches in one transaction').to.have.lengthOf(2);
  });

  it('allow to contract what an earlier migration names as unused', async () => {
    const unusedSince = (name: string) => `readonly contracts = { unusedSince: '${name}' };`;
    expect(await faultsOf(CONTRACTING, unusedSince(EARLIER))).to.deep.equal([]);
    const [unknown] = await faultsOf(CONTRACTING, unusedSince('Nothing1763900000099'));
    expect(unknown).to.contain('names no earlier migration');
    expect(await faultsOf(CONTRACTING)).to.have.lengthOf(3);
  });
});
