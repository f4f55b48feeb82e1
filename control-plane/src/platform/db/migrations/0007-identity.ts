import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Identity1763700000007 implements MigrationInterface {
  name = 'Identity1763700000007';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- what the embedded OpenID provider keeps: sessions, grants, codes, tokens, registered clients
      CREATE TABLE provider_entity (
        kind text NOT NULL,
        id text NOT NULL,
        -- json, not jsonb: registered clients choose their names, and jsonb refuses some of Unicode
        payload json NOT NULL,
        grant_id text,
        user_code text,
        uid text,
        consumed_at timestamptz(3),
        -- null: for good
        expires_at timestamptz(3),
        CONSTRAINT provider_entity_pkey PRIMARY KEY (kind, id)
      );
      CREATE INDEX provider_entity_grant_idx ON provider_entity (grant_id) WHERE grant_id IS NOT NULL;
      CREATE INDEX provider_entity_user_code_idx ON provider_entity (kind, user_code) WHERE user_code IS NOT NULL;
      CREATE INDEX provider_entity_uid_idx ON provider_entity (kind, uid) WHERE uid IS NOT NULL;
      CREATE INDEX provider_entity_expires_idx ON provider_entity (expires_at) WHERE expires_at IS NOT NULL;

      -- who can sign in at the embedded provider
      CREATE TABLE provider_account (
        id text CONSTRAINT provider_account_pkey PRIMARY KEY,
        email text NOT NULL,
        name text NOT NULL,
        password_hash text NOT NULL,
        created timestamptz(3) NOT NULL
      );
      CREATE UNIQUE INDEX provider_account_email_key ON provider_account (lower(email));

      -- what the embedded provider made at its first start: one row
      CREATE TABLE provider_setup (
        id boolean CONSTRAINT provider_setup_pkey PRIMARY KEY DEFAULT true,
        -- signing keys, cookie keys, client secret, demo password: one JSON object, encrypted
        secrets bytea NOT NULL,
        -- under which address it last ran
        issuer text NOT NULL,
        audience text NOT NULL,
        created timestamptz(3) NOT NULL,
        CONSTRAINT provider_setup_one_check CHECK (id)
      );

      -- whose plan holds in a workspace
      CREATE VIEW workspace_plan AS
        SELECT workspace.id AS workspace_id, account.id AS owner_id, account.plan, account.plan_limits
        FROM workspace JOIN user_account account ON account.id = workspace.owner_id;

      -- what an owner has used up, over all workspaces
      CREATE VIEW account_usage AS
        SELECT workspace.owner_id, count(*) AS monitors, max(cardinality(monitor.enabled_regions)) AS extra_regions
        FROM workspace JOIN monitor ON monitor.workspace_id = workspace.id AND monitor.deleted_at IS NULL
        GROUP BY workspace.owner_id;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP VIEW account_usage, workspace_plan;
      DROP TABLE provider_setup, provider_account, provider_entity;
    `);
  }
}
