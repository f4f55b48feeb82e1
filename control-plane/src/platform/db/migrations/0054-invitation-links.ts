import type { MigrationInterface, QueryRunner } from 'typeorm';

export class InvitationLinks1763700000054 implements MigrationInterface {
  name = 'InvitationLinks1763700000054';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- One row for each link that was mailed, kept for a day: what the daily limits count. Without foreign keys,
      -- so that deleting a workspace does not give its owner a new allowance.
      CREATE TABLE invitation_link (
        id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT invitation_link_pkey PRIMARY KEY,
        -- in lower case
        email text NOT NULL,
        -- the owner of the workspace
        owner_id uuid NOT NULL,
        invited_by uuid NOT NULL,
        created timestamptz(3) NOT NULL
      );
      CREATE INDEX invitation_link_email_idx ON invitation_link (email, created);
      CREATE INDEX invitation_link_inviter_idx ON invitation_link (invited_by, created);
      CREATE INDEX invitation_link_created_idx ON invitation_link (created);
      INSERT INTO invitation_link (email, owner_id, invited_by, created)
        SELECT invitation.email, workspace.owner_id, invitation.invited_by, invitation.created
        FROM invitation JOIN workspace ON workspace.id = invitation.workspace_id
        CROSS JOIN LATERAL generate_series(1, invitation.links)
        WHERE invitation.created > now() - interval '1 day';
      DROP INDEX invitation_email_idx, invitation_inviter_idx;
      ALTER TABLE invitation DROP links;

      -- Expired is what a pending invitation is once its time is over. The column said so only where another
      -- invitation to the address had taken its place.
      UPDATE invitation SET status = 'revoked' WHERE status = 'expired';
      ALTER TABLE invitation DROP CONSTRAINT invitation_status_check,
        ADD CONSTRAINT invitation_status_check CHECK (status IN ('pending', 'accepted', 'declined', 'revoked'));

      -- Those that were answered or revoked are forgotten some time after; the others stay.
      DROP INDEX invitation_expires_idx;
      CREATE INDEX invitation_settled_idx ON invitation (last_modified) WHERE status <> 'pending';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX invitation_settled_idx;
      CREATE INDEX invitation_expires_idx ON invitation (expires_at);
      ALTER TABLE invitation DROP CONSTRAINT invitation_status_check,
        ADD CONSTRAINT invitation_status_check
          CHECK (status IN ('pending', 'accepted', 'declined', 'revoked', 'expired')),
        ADD links smallint NOT NULL DEFAULT 1;
      CREATE INDEX invitation_inviter_idx ON invitation (invited_by, created);
      CREATE INDEX invitation_email_idx ON invitation (email, created);
      DROP TABLE invitation_link;
    `);
  }
}
