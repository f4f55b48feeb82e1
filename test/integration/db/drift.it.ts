import { expect } from 'chai';
import { entities, TABLES_WITHOUT_ENTITY } from '@watchpost/control-plane/app/entities';
import { describeDrift } from '@watchpost/control-plane/platform/db/describe-drift';
import { readTables } from '@watchpost/control-plane/platform/db/read-catalog';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';

/** What is changed in the database, and how the drift check describes it. */
const DIFFERENCES: readonly (readonly [kind: string, sql: string, found: RegExp])[] = [
  ['a table that is missing', 'DROP TABLE acknowledge_link', /^The table acknowledge_link does not exist\.$/],
  ['a column that is missing', 'ALTER TABLE team DROP description', /^team: description is missing in the database/],
  ['a column that is too many', 'ALTER TABLE team ADD mood text', /^team: mood is "text" in the database/],
  ['another type', 'ALTER TABLE agent ALTER checks TYPE bigint', /^agent: checks is "bigint DEFAULT 0 NOT NULL"/],
  [
    'another precision',
    'ALTER TABLE status_page_post_update ALTER created TYPE timestamptz(6)',
    /^status_page_post_update: created is "timestamp\(6\) with time zone NOT NULL"/,
  ],
  ['another nullability', 'ALTER TABLE team ALTER name DROP NOT NULL', /^team: name is "text" in the database/],
  [
    'another default',
    "ALTER TABLE agent ALTER status SET DEFAULT 'new'",
    /^agent: status is "text DEFAULT 'new'::text/,
  ],
  [
    'a column that is an identity no longer',
    'ALTER TABLE agent ALTER key DROP IDENTITY',
    /^agent: key is "integer NOT NULL" in the database and "integer GENERATED ALWAYS AS IDENTITY NOT NULL"/,
  ],
  [
    'another primary key',
    'ALTER TABLE report_sent DROP CONSTRAINT report_sent_pkey, ADD CONSTRAINT report_sent_pkey PRIMARY KEY (workspace_id, starts)',
    /^report_sent: report_sent_pkey is "PRIMARY KEY \(workspace_id, starts\)"/,
  ],
  [
    'a unique constraint that is missing',
    'ALTER TABLE agent DROP CONSTRAINT agent_token_key',
    /^agent: agent_token_key is missing in the database/,
  ],
  [
    'another check',
    `ALTER TABLE team_member DROP CONSTRAINT team_member_role_check,
       ADD CONSTRAINT team_member_role_check CHECK (team_role IN ('lead', 'guest'))`,
    /^team_member: team_member_role_check is "CHECK .*guest/,
  ],
  [
    'another action of a foreign key',
    `ALTER TABLE team DROP CONSTRAINT team_workspace_fk,
       ADD CONSTRAINT team_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace (id)`,
    /^team: team_workspace_fk is "FOREIGN KEY \(workspace_id\) REFERENCES workspace\(id\)" in the database and ".* ON DELETE CASCADE"/,
  ],
  ['an index that is missing', 'DROP INDEX team_workspace_idx', /^team: team_workspace_idx is missing in the database/],
  [
    'an index of an expression that is missing',
    'DROP INDEX user_account_email_idx',
    /^user_account: the index user_account_email_idx does not exist\.$/,
  ],
  [
    'another condition of an index',
    `DROP INDEX monitor_tombstone_idx;
     CREATE INDEX monitor_tombstone_idx ON monitor (deleted_at) WHERE deleted_at IS NOT NULL AND key > 0`,
    /^monitor: monitor_tombstone_idx is ".*key > 0.*" in the database/,
  ],
  [
    'an index that is unique no longer',
    `DROP INDEX workspace_personal_key; CREATE INDEX workspace_personal_key ON workspace (owner_id) WHERE is_personal`,
    /^workspace: workspace_personal_key is "CREATE INDEX/,
  ],
];

describe('The drift check', () => {
  let test: TestDatabase;
  before(async () => {
    test = await createTestDatabase();
  });
  after(() => test?.drop());

  it('finds no difference between the migrations and the entities', async () => {
    expect(await describeDrift(test.database)).to.deep.equal([]);
  });

  it('covers every table, except those that are listed with a reason', async () => {
    const tables = (await test.database.read(readTables)).map(({ name }) => name);
    const described = test.database.source.entityMetadatas.map(({ tableName }) => tableName);
    expect(described).to.have.length(entities.length);
    expect([...described, ...Object.keys(TABLES_WITHOUT_ENTITY)]).to.have.members(tables);
  });

  it('reports one difference of each kind, and nothing else', async () => {
    const changed = await createTestDatabase();
    try {
      for (const [, sql] of DIFFERENCES) await changed.database.transaction((tx) => tx.query(sql));
      const found = await describeDrift(changed.database);
      for (const [kind, , expected] of DIFFERENCES)
        expect(
          found.filter((line) => expected.test(line)),
          `${kind} in\n${found.join('\n')}`,
        ).to.have.length(1);
      expect(found).to.have.length(DIFFERENCES.length);
    } finally {
      await changed.drop();
    }
  });
});
