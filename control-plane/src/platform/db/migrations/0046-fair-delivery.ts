import type { MigrationInterface, QueryRunner } from 'typeorm';

export class FairDelivery1763700000046 implements MigrationInterface {
  name = 'FairDelivery1763700000046';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX delivery_lane_due_idx;
      ALTER TABLE delivery_lane
        -- The owner of the workspace when something was last added: slots are shared by owner.
        ADD owner_id uuid,
        -- Which slots a lane competes for: 'webhook' (chats included), 'sms', 'alertMail', 'mail'.
        ADD outlet text,
        -- Pages of somebody on call.
        ADD urgent boolean NOT NULL DEFAULT false,
        -- Something waits, and may be sent now. Otherwise due_at is when that becomes true: the next try, or the end of a lease.
        ADD ready boolean NOT NULL DEFAULT false;

      -- Mail has lanes too: one a recipient.
      DELETE FROM outgoing_mail WHERE workspace_id IS NULL;
      ALTER TABLE outgoing_mail ALTER workspace_id SET NOT NULL, ADD lane text, DROP next_attempt_at;
      UPDATE outgoing_mail SET lane = 'mail:' || lower(recipient);
      ALTER TABLE outgoing_mail ALTER lane SET NOT NULL;
      CREATE INDEX outgoing_mail_waiting_idx ON outgoing_mail (workspace_id, lane, id) WHERE state = 'waiting';
      CREATE INDEX outgoing_mail_oldest_idx ON outgoing_mail (created) WHERE state = 'waiting';
      INSERT INTO delivery_lane (workspace_id, lane, due_at)
        SELECT DISTINCT workspace_id, lane, now() FROM outgoing_mail WHERE state = 'waiting';

      UPDATE delivery_lane own SET
        owner_id = workspace.owner_id,
        outlet = CASE split_part(own.lane, ':', 1)
          WHEN 'mail' THEN 'mail' WHEN 'email' THEN 'alertMail' WHEN 'sms' THEN 'sms' ELSE 'webhook' END
      FROM workspace WHERE workspace.id = own.workspace_id;
      ALTER TABLE delivery_lane ALTER owner_id SET NOT NULL, ALTER outlet SET NOT NULL,
        ADD CONSTRAINT delivery_lane_outlet_check CHECK (outlet IN ('webhook', 'sms', 'alertMail', 'mail'));
      CREATE INDEX delivery_lane_ready_idx ON delivery_lane (outlet, urgent, owner_id, due_at) WHERE ready;
      CREATE INDEX delivery_lane_due_idx ON delivery_lane (outlet, due_at) WHERE NOT ready AND due_at IS NOT NULL;

      -- Events are fanned out workspace by workspace, so that none waits behind the many events of another.
      DROP INDEX alert_event_pending_idx;
      CREATE INDEX alert_event_pending_idx ON alert_event (workspace_id, seq) WHERE NOT fanned_out;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX alert_event_pending_idx;
      CREATE INDEX alert_event_pending_idx ON alert_event (seq) WHERE NOT fanned_out;
      DROP INDEX delivery_lane_due_idx, delivery_lane_ready_idx, outgoing_mail_oldest_idx, outgoing_mail_waiting_idx;
      DELETE FROM delivery_lane WHERE outlet = 'mail';
      ALTER TABLE delivery_lane DROP owner_id, DROP outlet, DROP urgent, DROP ready;
      CREATE INDEX delivery_lane_due_idx ON delivery_lane (due_at) WHERE due_at IS NOT NULL;
      ALTER TABLE outgoing_mail ALTER workspace_id DROP NOT NULL, DROP lane, ADD next_attempt_at timestamptz(3);
      UPDATE outgoing_mail SET next_attempt_at = created WHERE state = 'waiting';
      CREATE INDEX outgoing_mail_due_idx ON outgoing_mail (next_attempt_at) WHERE state = 'waiting';
    `);
  }
}
