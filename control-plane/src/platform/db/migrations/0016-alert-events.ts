import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AlertEvents1763700000016 implements MigrationInterface {
  name = 'AlertEvents1763700000016';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- what messages say of a monitor and of an incident
      CREATE VIEW alert_monitor AS
        SELECT m.workspace_id, m.key,
          jsonb_build_object('id', m.id, 'name', m.name, 'url', m.url, 'monitorTypes', m.monitor_types) AS summary
        FROM monitor m;
      CREATE VIEW alert_incident AS
        SELECT i.workspace_id, i.id,
          jsonb_build_object('id', i.id, 'workspaceId', i.workspace_id, 'monitorId', i.monitor_id,
            'monitorName', i.monitor_name, 'incidentType', i.incident_type, 'status', i.status, 'isClosed', i.is_closed,
            'severity', i.severity, 'regions', to_jsonb(i.regions), 'acknowledged', i.acknowledged, 'started', i.started,
            'ended', i.ended, 'failureReason', i.failure_reason, 'created', i.created, 'lastModified', i.last_modified)
          AS summary
        FROM incident i;

      -- The outbox: what the groups of a monitor are to hear of, written in the transaction of what happened.
      CREATE TABLE alert_event (
        id uuid CONSTRAINT alert_event_pkey PRIMARY KEY,
        -- of one incident, in the order in which things happened
        seq bigint GENERATED ALWAYS AS IDENTITY,
        workspace_id uuid NOT NULL CONSTRAINT alert_event_workspace_fk REFERENCES workspace (id) ON DELETE CASCADE,
        -- null for a test of a group
        monitor_key bigint,
        incident_id uuid,
        type text NOT NULL,
        at timestamptz(3) NOT NULL,
        detail jsonb NOT NULL DEFAULT '{}',
        -- monitor, incident and person as they were then: what is told late is still told as it was
        subject jsonb NOT NULL,
        -- whether there is a delivery for everybody who is to hear of it
        fanned_out boolean NOT NULL DEFAULT false
      );
      CREATE INDEX alert_event_pending_idx ON alert_event (seq) WHERE NOT fanned_out;
      CREATE INDEX alert_event_incident_idx ON alert_event (incident_id) WHERE incident_id IS NOT NULL;
      CREATE INDEX alert_event_at_idx ON alert_event (at);
      CREATE INDEX alert_event_workspace_idx ON alert_event (workspace_id);

      -- one event to one destination
      CREATE TABLE delivery (
        id uuid CONSTRAINT delivery_pkey PRIMARY KEY,
        seq bigint GENERATED ALWAYS AS IDENTITY,
        workspace_id uuid NOT NULL CONSTRAINT delivery_workspace_fk REFERENCES workspace (id) ON DELETE CASCADE,
        event_id uuid NOT NULL CONSTRAINT delivery_event_fk REFERENCES alert_event (id) ON DELETE CASCADE,
        -- null where no group sends it
        group_id uuid CONSTRAINT delivery_group_fk REFERENCES action_group (id) ON DELETE CASCADE,
        channel text NOT NULL,
        -- as it is shown: where that is a secret, masked
        address text NOT NULL,
        -- what is sent one after the other: a mailbox, a number, a group's URL
        lane text NOT NULL,
        -- 'group', 'test', or what whoever pages says
        purpose text NOT NULL,
        -- what this destination's message says beyond the event: a link to acknowledge
        extra jsonb NOT NULL DEFAULT '{}',
        state text NOT NULL,
        -- held back by the channel's limit: goes out with all others that wait, in one message
        held boolean NOT NULL DEFAULT false,
        -- of those that went out in one message, the same
        message_id uuid,
        attempts integer NOT NULL DEFAULT 0,
        next_attempt_at timestamptz(3),
        last_attempt_at timestamptz(3),
        status_code integer,
        answer text,
        created timestamptz(3) NOT NULL,
        finished_at timestamptz(3),
        CONSTRAINT delivery_once_key UNIQUE (event_id, lane, purpose),
        CONSTRAINT delivery_channel_check CHECK (channel IN ('email', 'sms', 'webhook', 'slack', 'teams')),
        CONSTRAINT delivery_state_check CHECK (state IN ('waiting', 'delivered', 'failed', 'cancelled'))
      );
      CREATE INDEX delivery_waiting_idx ON delivery (workspace_id, lane, seq) WHERE state = 'waiting';
      CREATE INDEX delivery_group_idx ON delivery (group_id, seq DESC);
      CREATE INDEX delivery_oldest_idx ON delivery (created) WHERE state = 'waiting';
      CREATE INDEX delivery_throttle_idx ON delivery (workspace_id, lane, finished_at)
        WHERE channel = 'sms' AND state = 'delivered';

      -- Whose turn it is: one worker at a time sends to a destination, and none but that destination waits for it.
      CREATE TABLE delivery_lane (
        workspace_id uuid NOT NULL CONSTRAINT delivery_lane_workspace_fk REFERENCES workspace (id) ON DELETE CASCADE,
        lane text NOT NULL,
        -- null: nothing waits; while a worker has it: when it is taken from that one
        due_at timestamptz(3),
        lease uuid,
        CONSTRAINT delivery_lane_pkey PRIMARY KEY (workspace_id, lane)
      ) WITH (fillfactor = 70);
      CREATE INDEX delivery_lane_due_idx ON delivery_lane (due_at) WHERE due_at IS NOT NULL;

      -- Mail that is not an alert's: invitations, confirmations, reports, what subscribers hear.
      CREATE TABLE outgoing_mail (
        id uuid CONSTRAINT outgoing_mail_pkey PRIMARY KEY,
        workspace_id uuid CONSTRAINT outgoing_mail_workspace_fk REFERENCES workspace (id) ON DELETE CASCADE,
        recipient text NOT NULL,
        -- emptied once it is sent or given up: it may hold links that are secrets
        content jsonb NOT NULL,
        -- of those with the same key only the first is sent
        once_key text CONSTRAINT outgoing_mail_once_key UNIQUE,
        state text NOT NULL DEFAULT 'waiting',
        attempts integer NOT NULL DEFAULT 0,
        answer text,
        created timestamptz(3) NOT NULL,
        -- while a worker has it: when it is taken from that one
        next_attempt_at timestamptz(3),
        CONSTRAINT outgoing_mail_state_check CHECK (state IN ('waiting', 'delivered', 'failed'))
      );
      CREATE INDEX outgoing_mail_due_idx ON outgoing_mail (next_attempt_at) WHERE state = 'waiting';
      CREATE INDEX outgoing_mail_created_idx ON outgoing_mail (created);
      CREATE INDEX outgoing_mail_workspace_idx ON outgoing_mail (workspace_id);

      -- what a person may still invite: each link is mailed
      CREATE INDEX invitation_inviter_idx ON invitation (invited_by, created);

      -- Where mail goes without a mail server, for trying things out.
      CREATE TABLE local_mail (
        id uuid CONSTRAINT local_mail_pkey PRIMARY KEY,
        at timestamptz(3) NOT NULL,
        recipient text NOT NULL,
        subject text NOT NULL,
        text text NOT NULL,
        html text NOT NULL
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX invitation_inviter_idx;
      DROP TABLE local_mail, outgoing_mail, delivery_lane, delivery, alert_event;
      DROP VIEW alert_incident, alert_monitor;
    `);
  }
}
