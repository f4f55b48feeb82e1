import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AccountsAndInvitations1763700000011 implements MigrationInterface {
  name = 'AccountsAndInvitations1763700000011';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- user_account.plan is always the plan in force, during a trial too.
      ALTER TABLE user_account
        ADD trial_plan text,
        ADD trial_started timestamptz(3),
        ADD trial_ends timestamptz(3),
        -- what the account goes back to when its trial ends; null where no trial runs
        ADD trial_fallback text,
        ADD CONSTRAINT user_account_trial_check CHECK (
          num_nulls(trial_plan, trial_started, trial_ends) IN (0, 3)
          AND trial_plan IN ('Growth', 'Pro', 'Enterprise')
          AND trial_fallback IN ('Starter', 'Growth', 'Pro', 'Enterprise')
          AND (trial_fallback IS NULL OR trial_plan IS NOT NULL));
      CREATE INDEX user_account_trial_idx ON user_account (trial_ends) WHERE trial_fallback IS NOT NULL;

      -- null: not changed since it joined
      ALTER TABLE workspace_member ADD last_modified timestamptz(3);

      CREATE TABLE invitation (
        id uuid CONSTRAINT invitation_pkey PRIMARY KEY,
        workspace_id uuid NOT NULL CONSTRAINT invitation_workspace_fk REFERENCES workspace (id) ON DELETE CASCADE,
        -- in lower case
        email text NOT NULL,
        role text NOT NULL,
        status text NOT NULL DEFAULT 'pending',
        -- no foreign key: the invitation stands when whoever made it has gone
        invited_by uuid NOT NULL,
        -- SHA-256; the token itself is in the link alone
        token_hash bytea NOT NULL,
        -- how many links were made for it
        links smallint NOT NULL DEFAULT 1,
        expires_at timestamptz(3) NOT NULL,
        created timestamptz(3) NOT NULL,
        last_modified timestamptz(3) NOT NULL,
        CONSTRAINT invitation_token_key UNIQUE (token_hash),
        CONSTRAINT invitation_role_check CHECK (role IN ('Viewer', 'Responder', 'Editor', 'Admin')),
        CONSTRAINT invitation_status_check CHECK (status IN ('pending', 'accepted', 'declined', 'revoked', 'expired'))
      );
      -- one invitation of an address to a workspace at a time, whatever happens at once
      CREATE UNIQUE INDEX invitation_pending_key ON invitation (workspace_id, email) WHERE status = 'pending';
      CREATE INDEX invitation_workspace_idx ON invitation (workspace_id, created DESC, id DESC);
      CREATE INDEX invitation_email_idx ON invitation (email, created);
      CREATE INDEX invitation_expires_idx ON invitation (expires_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE invitation;
      ALTER TABLE workspace_member DROP last_modified;
      ALTER TABLE user_account DROP trial_fallback, DROP trial_ends, DROP trial_started, DROP trial_plan;
    `);
  }
}
