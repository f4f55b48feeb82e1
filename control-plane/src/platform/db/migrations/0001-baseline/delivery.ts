export const deliveryTables = `
  -- The outbox: events to notify the groups of a monitor of, inserted in the transaction of the event.
  CREATE TABLE alert_event (
    id uuid CONSTRAINT alert_event_pkey PRIMARY KEY,
    -- Orders the events of one incident.
    seq bigint GENERATED ALWAYS AS IDENTITY,
    workspace_id uuid NOT NULL CONSTRAINT alert_event_workspace_fk REFERENCES workspace (id) ON DELETE CASCADE,
    -- Null for a test of a group.
    monitor_key bigint,
    incident_id uuid,
    type text NOT NULL,
    at timestamptz(3) NOT NULL,
    detail jsonb NOT NULL DEFAULT '{}',
    -- Monitor, incident and person at the time of the event: a late message describes that time.
    subject jsonb NOT NULL,
    -- Whether every delivery of the event has been inserted.
    fanned_out boolean NOT NULL DEFAULT false
  );
  -- Events are fanned out workspace by workspace, so that none waits behind the many events of another.
  CREATE INDEX alert_event_pending_idx ON alert_event (workspace_id, seq) WHERE NOT fanned_out;
  CREATE INDEX alert_event_incident_idx ON alert_event (incident_id) WHERE incident_id IS NOT NULL;
  CREATE INDEX alert_event_at_idx ON alert_event (at);
  CREATE INDEX alert_event_workspace_idx ON alert_event (workspace_id);
  CREATE INDEX alert_event_monitor_idx ON alert_event (monitor_key) WHERE monitor_key IS NOT NULL;

  -- One event to one destination.
  CREATE TABLE delivery (
    id uuid NOT NULL,
    seq bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
    workspace_id uuid NOT NULL,
    event_id uuid NOT NULL,
    -- Null where no group sends it.
    group_id uuid,
    channel text NOT NULL,
    -- As it is shown: masked where it is a secret.
    address text NOT NULL,
    -- Deliveries of a lane are sent one after the other: a mailbox, a number, a group's URL.
    lane text NOT NULL,
    -- 'group', 'test', or the purpose that paging states.
    purpose text NOT NULL,
    -- What the message to this destination contains beside the event: a link to acknowledge.
    extra jsonb DEFAULT '{}'::jsonb NOT NULL,
    state text NOT NULL,
    -- Held back by the channel's limit: sent with all others that wait, in one message.
    throttled boolean DEFAULT false NOT NULL,
    -- The same for all deliveries that one message contained.
    message_id uuid,
    attempts integer DEFAULT 0 NOT NULL,
    next_attempt_at timestamptz(3),
    last_attempt_at timestamptz(3),
    status_code integer,
    answer text,
    -- Why the delivery was refused, as a code; null where it was attempted.
    error text,
    created timestamptz(3) NOT NULL,
    finished_at timestamptz(3),
    attempt_log jsonb DEFAULT '[]'::jsonb NOT NULL,
    CONSTRAINT delivery_pkey PRIMARY KEY (id),
    CONSTRAINT delivery_once_key UNIQUE (event_id, lane, purpose),
    CONSTRAINT delivery_state_check CHECK (state IN ('waiting', 'delivered', 'failed', 'cancelled')),
    CONSTRAINT delivery_event_fk FOREIGN KEY (event_id) REFERENCES alert_event(id) ON DELETE CASCADE,
    CONSTRAINT delivery_group_fk FOREIGN KEY (group_id) REFERENCES action_group(id) ON DELETE CASCADE,
    CONSTRAINT delivery_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON DELETE CASCADE
  );
  CREATE INDEX delivery_waiting_idx ON delivery (workspace_id, lane, seq) WHERE state = 'waiting';
  CREATE INDEX delivery_group_idx ON delivery (group_id, seq DESC);
  CREATE INDEX delivery_oldest_idx ON delivery (created) WHERE state = 'waiting';
  CREATE INDEX delivery_throttle_idx ON delivery (workspace_id, lane, finished_at)
    WHERE channel IN ('sms', 'voice') AND state = 'delivered';
  CREATE INDEX delivery_workspace_idx ON delivery (workspace_id, seq DESC);
  CREATE INDEX delivery_failed_idx ON delivery (workspace_id, finished_at) WHERE state = 'failed';

  -- One worker at a time sends to a destination, and a slow destination delays only its own lane.
  CREATE TABLE delivery_lane (
    workspace_id uuid NOT NULL CONSTRAINT delivery_lane_workspace_fk REFERENCES workspace (id) ON DELETE CASCADE,
    lane text NOT NULL,
    -- The owner of the workspace when the last delivery was added: slots are shared among owners.
    owner_id uuid NOT NULL,
    -- Which slots the lane competes for: 'webhook' (chats included), 'sms' (calls included), 'alertMail', 'mail'.
    outlet text NOT NULL,
    -- Contains pages of a person on call.
    urgent boolean NOT NULL DEFAULT false,
    -- A delivery waits and may be sent now. Otherwise due_at is when that becomes true: the next attempt, or the end of
    -- a lease.
    ready boolean NOT NULL DEFAULT false,
    -- Null: nothing waits.
    due_at timestamptz(3),
    lease uuid,
    CONSTRAINT delivery_lane_pkey PRIMARY KEY (workspace_id, lane),
    CONSTRAINT delivery_lane_outlet_check CHECK (outlet IN ('webhook', 'sms', 'alertMail', 'mail'))
  ) WITH (fillfactor = 70);
  CREATE INDEX delivery_lane_ready_idx ON delivery_lane (outlet, urgent, owner_id, due_at) WHERE ready;
  CREATE INDEX delivery_lane_due_idx ON delivery_lane (outlet, due_at) WHERE NOT ready AND due_at IS NOT NULL;

  -- Mail that is not an alert: invitations, confirmations, reports, notices to subscribers.
  CREATE TABLE outgoing_mail (
    id uuid CONSTRAINT outgoing_mail_pkey PRIMARY KEY,
    workspace_id uuid NOT NULL CONSTRAINT outgoing_mail_workspace_fk REFERENCES workspace (id) ON DELETE CASCADE,
    recipient text NOT NULL,
    -- One lane per recipient.
    lane text NOT NULL,
    -- Emptied once the mail is sent or given up: it may contain links that are secrets.
    content jsonb NOT NULL,
    -- Of several mails with one key only the first is sent.
    once_key text CONSTRAINT outgoing_mail_once_key UNIQUE,
    state text NOT NULL DEFAULT 'waiting',
    attempts integer NOT NULL DEFAULT 0,
    answer text,
    created timestamptz(3) NOT NULL,
    CONSTRAINT outgoing_mail_state_check CHECK (state IN ('waiting', 'delivered', 'failed'))
  );
  CREATE INDEX outgoing_mail_waiting_idx ON outgoing_mail (workspace_id, lane, id) WHERE state = 'waiting';
  CREATE INDEX outgoing_mail_oldest_idx ON outgoing_mail (created) WHERE state = 'waiting';
  CREATE INDEX outgoing_mail_created_idx ON outgoing_mail (created);
  CREATE INDEX outgoing_mail_workspace_idx ON outgoing_mail (workspace_id);

  -- The mailbox of an installation without a mail server.
  CREATE TABLE local_mail (
    id uuid CONSTRAINT local_mail_pkey PRIMARY KEY,
    at timestamptz(3) NOT NULL,
    recipient text NOT NULL,
    subject text NOT NULL,
    text text NOT NULL,
    html text NOT NULL
  );
`;
