import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Accounts1763700000001 implements MigrationInterface {
  name = 'Accounts1763700000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE user_account (
        id uuid CONSTRAINT user_account_pkey PRIMARY KEY,
        issuer text NOT NULL,
        subject text NOT NULL,
        email text,
        email_verified boolean NOT NULL DEFAULT false,
        name text,
        plan text NOT NULL DEFAULT 'Starter',
        -- per-account overrides of the plan's limits, by limit key
        plan_limits jsonb NOT NULL DEFAULT '{}',
        preferences jsonb NOT NULL DEFAULT '{}',
        created timestamptz(3) NOT NULL,
        last_modified timestamptz(3) NOT NULL,
        CONSTRAINT user_account_principal_key UNIQUE (issuer, subject),
        CONSTRAINT user_account_plan_check CHECK (plan IN ('Starter', 'Growth', 'Pro', 'Enterprise'))
      );
      CREATE INDEX user_account_email_idx ON user_account (lower(email));

      CREATE TABLE workspace (
        id uuid CONSTRAINT workspace_pkey PRIMARY KEY,
        name text NOT NULL,
        is_personal boolean NOT NULL DEFAULT false,
        owner_id uuid NOT NULL CONSTRAINT workspace_owner_fk REFERENCES user_account (id),
        timezone text NOT NULL DEFAULT 'UTC',
        auto_close_incidents boolean NOT NULL DEFAULT true,
        incident_quorum text NOT NULL DEFAULT 'majority',
        default_action_group_ids uuid[] NOT NULL DEFAULT '{}',
        created timestamptz(3) NOT NULL,
        last_modified timestamptz(3) NOT NULL,
        CONSTRAINT workspace_quorum_check CHECK (incident_quorum IN ('any', 'majority', 'all'))
      );
      CREATE INDEX workspace_owner_idx ON workspace (owner_id);
      -- a user has one personal workspace, whatever happens at once
      CREATE UNIQUE INDEX workspace_personal_key ON workspace (owner_id) WHERE is_personal;

      CREATE TABLE workspace_member (
        id uuid CONSTRAINT workspace_member_pkey PRIMARY KEY,
        workspace_id uuid NOT NULL CONSTRAINT workspace_member_workspace_fk REFERENCES workspace (id) ON DELETE CASCADE,
        user_id uuid NOT NULL CONSTRAINT workspace_member_user_fk REFERENCES user_account (id) ON DELETE CASCADE,
        role text NOT NULL,
        status text NOT NULL DEFAULT 'active',
        notification_preferences jsonb NOT NULL DEFAULT '{}',
        joined timestamptz(3) NOT NULL,
        last_used timestamptz(3) NOT NULL,
        CONSTRAINT workspace_member_user_key UNIQUE (workspace_id, user_id),
        CONSTRAINT workspace_member_role_check CHECK (role IN ('Viewer', 'Responder', 'Editor', 'Admin', 'Owner')),
        CONSTRAINT workspace_member_status_check CHECK (status IN ('active', 'suspended'))
      );
      CREATE INDEX workspace_member_user_idx ON workspace_member (user_id);
      CREATE UNIQUE INDEX workspace_member_owner_key ON workspace_member (workspace_id) WHERE role = 'Owner';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE workspace_member, workspace, user_account');
  }
}
