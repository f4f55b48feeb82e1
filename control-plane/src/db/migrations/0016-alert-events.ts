import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AlertEvents1763700000016 implements MigrationInterface {
  name = 'AlertEvents1763700000016';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The outbox: what the groups of a monitor are to hear of, written in the transaction of what happened.
      CREATE TABLE alert_event (
        id uuid CONSTRAINT alert_event_pkey PRIMARY KEY,
        workspace_id uuid NOT NULL CONSTRAINT alert_event_workspace_fk REFERENCES workspace (id) ON DELETE CASCADE,
        monitor_key bigint NOT NULL,
        incident_id uuid,
        type text NOT NULL,
        at timestamptz(3) NOT NULL,
        detail jsonb NOT NULL DEFAULT '{}'
      );

      -- Mail that is not an alert's: invitations, confirmations, reports, what subscribers hear.
      CREATE TABLE outgoing_mail (
        id uuid CONSTRAINT outgoing_mail_pkey PRIMARY KEY,
        workspace_id uuid CONSTRAINT outgoing_mail_workspace_fk REFERENCES workspace (id) ON DELETE CASCADE,
        recipient text NOT NULL,
        content jsonb NOT NULL,
        -- of those with the same key only the first is sent
        once_key text CONSTRAINT outgoing_mail_once_key UNIQUE,
        created timestamptz(3) NOT NULL,
        next_attempt_at timestamptz(3)
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE outgoing_mail, alert_event');
  }
}
