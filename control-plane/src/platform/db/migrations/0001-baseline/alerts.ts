export const alertTables = `
  CREATE TABLE action_group (
    id uuid CONSTRAINT action_group_pkey PRIMARY KEY,
    workspace_id uuid NOT NULL CONSTRAINT action_group_workspace_fk REFERENCES workspace (id) ON DELETE CASCADE,
    type text NOT NULL,
    name text NOT NULL,
    is_enabled boolean NOT NULL DEFAULT true,
    -- The destination as it is shown: secrets are masked.
    settings jsonb NOT NULL,
    -- The secrets themselves, encrypted as one JSON object; null where there are none.
    secrets bytea,
    -- The signing secret before the last rotation, encrypted, and until when it also signs.
    former_secret bytea,
    former_secret_until timestamptz(3),
    created timestamptz(3) NOT NULL,
    last_modified timestamptz(3) NOT NULL,
    CONSTRAINT action_group_type_check CHECK (type IN ('email', 'sms', 'webhook', 'slack', 'teams')),
    CONSTRAINT action_group_former_check CHECK ((former_secret IS NULL) = (former_secret_until IS NULL))
  );
  CREATE INDEX action_group_workspace_idx ON action_group (workspace_id, created DESC, id DESC);
  CREATE INDEX action_group_former_idx ON action_group (former_secret_until) WHERE former_secret_until IS NOT NULL;

  -- Which groups are notified of a monitor.
  CREATE TABLE action_group_monitor (
    group_id uuid NOT NULL CONSTRAINT action_group_monitor_group_fk REFERENCES action_group (id) ON DELETE CASCADE,
    monitor_key bigint NOT NULL CONSTRAINT action_group_monitor_monitor_fk REFERENCES monitor (key) ON DELETE CASCADE,
    attached timestamptz(3) NOT NULL,
    CONSTRAINT action_group_monitor_pkey PRIMARY KEY (group_id, monitor_key)
  );
  CREATE INDEX action_group_monitor_monitor_idx ON action_group_monitor (monitor_key);

  -- Addresses and numbers that an owner wants to send alerts to, and what their users answered. A row belongs to the
  -- owner and not to a group: it survives every edit, and applies in all workspaces of the owner.
  CREATE TABLE alert_recipient (
    id uuid CONSTRAINT alert_recipient_pkey PRIMARY KEY,
    owner_id uuid NOT NULL CONSTRAINT alert_recipient_owner_fk REFERENCES user_account (id) ON DELETE CASCADE,
    -- In the name of which the request is sent: the workspace that used the address last.
    workspace_id uuid CONSTRAINT alert_recipient_workspace_fk REFERENCES workspace (id) ON DELETE SET NULL,
    channel text NOT NULL,
    -- As it was typed, and as it is compared.
    address text NOT NULL,
    address_key text NOT NULL,
    confirmed_at timestamptz(3),
    -- The user wants no further requests.
    refused_at timestamptz(3),
    -- When the next request is sent; null: none.
    ask_at timestamptz(3),
    -- Requests sent within a day from asked_since, and in all.
    asked_since timestamptz(3),
    asked integer NOT NULL DEFAULT 0,
    asked_ever integer NOT NULL DEFAULT 0,
    -- Of a link: the SHA-256 of its token; of a code: its signature.
    secret bytea,
    secret_until timestamptz(3),
    wrong_codes integer NOT NULL DEFAULT 0,
    created timestamptz(3) NOT NULL,
    CONSTRAINT alert_recipient_address_key UNIQUE (owner_id, channel, address_key),
    CONSTRAINT alert_recipient_channel_check CHECK (channel IN ('email', 'sms')),
    CONSTRAINT alert_recipient_secret_check CHECK ((secret IS NULL) = (secret_until IS NULL))
  );
  CREATE INDEX alert_recipient_ask_idx ON alert_recipient (ask_at) WHERE ask_at IS NOT NULL;
  CREATE INDEX alert_recipient_secret_idx ON alert_recipient (secret) WHERE secret IS NOT NULL;
  CREATE INDEX alert_recipient_asked_idx ON alert_recipient (channel, address_key, asked_since);
  CREATE INDEX alert_recipient_unanswered_idx ON alert_recipient (created)
    WHERE confirmed_at IS NULL AND refused_at IS NULL;
  CREATE INDEX alert_recipient_workspace_idx ON alert_recipient (workspace_id);

  -- The links to the evidence of incidents that messages contain, one per incident and channel. A link contains the id,
  -- signed.
  CREATE TABLE evidence_link (
    id uuid CONSTRAINT evidence_link_pkey PRIMARY KEY,
    workspace_id uuid NOT NULL CONSTRAINT evidence_link_workspace_fk REFERENCES workspace (id) ON DELETE CASCADE,
    incident_id uuid NOT NULL CONSTRAINT evidence_link_incident_fk REFERENCES incident (id) ON DELETE CASCADE,
    channel text NOT NULL,
    created timestamptz(3) NOT NULL,
    CONSTRAINT evidence_link_once_key UNIQUE (incident_id, channel),
    CONSTRAINT evidence_link_channel_check CHECK (channel IN ('email', 'sms', 'webhook', 'slack', 'teams'))
  );
  CREATE INDEX evidence_link_workspace_idx ON evidence_link (workspace_id);

  -- The paging of a team for an incident. The row is inserted with the incident.
  CREATE TABLE incident_paging (
    workspace_id uuid NOT NULL,
    incident_id uuid NOT NULL CONSTRAINT incident_paging_incident_fk REFERENCES incident (id) ON DELETE CASCADE,
    team_id uuid NOT NULL CONSTRAINT incident_paging_team_fk REFERENCES team (id) ON DELETE CASCADE,
    monitor_key bigint NOT NULL,
    -- The next step: 0 pages the person on call, 1 pages again, 2 pages the leads.
    step smallint NOT NULL DEFAULT 0,
    -- When this round of paging began.
    began timestamptz(3) NOT NULL,
    -- Null: acknowledged, over, or every step is done.
    due_at timestamptz(3),
    CONSTRAINT incident_paging_pkey PRIMARY KEY (incident_id, team_id)
  );
  CREATE INDEX incident_paging_due_idx ON incident_paging (due_at) WHERE due_at IS NOT NULL;
  CREATE INDEX incident_paging_team_idx ON incident_paging (team_id);

  -- The link in a page with which its reader acknowledges the incident: single-use, and for that person only.
  CREATE TABLE acknowledge_link (
    -- SHA-256 of the token in the link.
    hash bytea CONSTRAINT acknowledge_link_pkey PRIMARY KEY,
    workspace_id uuid NOT NULL,
    incident_id uuid NOT NULL CONSTRAINT acknowledge_link_incident_fk REFERENCES incident (id) ON DELETE CASCADE,
    user_id uuid NOT NULL CONSTRAINT acknowledge_link_user_fk REFERENCES user_account (id) ON DELETE CASCADE,
    expires timestamptz(3) NOT NULL
  );
  CREATE INDEX acknowledge_link_incident_idx ON acknowledge_link (incident_id);
  CREATE INDEX acknowledge_link_user_idx ON acknowledge_link (user_id);
  CREATE INDEX acknowledge_link_expires_idx ON acknowledge_link (expires);
`;

/** The outbox and the queues of delivery. */
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

  -- One event to one destination.
  CREATE TABLE delivery (
    id uuid CONSTRAINT delivery_pkey PRIMARY KEY,
    seq bigint GENERATED ALWAYS AS IDENTITY,
    workspace_id uuid NOT NULL CONSTRAINT delivery_workspace_fk REFERENCES workspace (id) ON DELETE CASCADE,
    event_id uuid NOT NULL CONSTRAINT delivery_event_fk REFERENCES alert_event (id) ON DELETE CASCADE,
    -- Null where no group sends it.
    group_id uuid CONSTRAINT delivery_group_fk REFERENCES action_group (id) ON DELETE CASCADE,
    channel text NOT NULL,
    -- As it is shown: masked where it is a secret.
    address text NOT NULL,
    -- Deliveries of a lane are sent one after the other: a mailbox, a number, a group's URL.
    lane text NOT NULL,
    -- 'group', 'test', or the purpose that paging states.
    purpose text NOT NULL,
    -- What the message to this destination contains beside the event: a link to acknowledge.
    extra jsonb NOT NULL DEFAULT '{}',
    state text NOT NULL,
    -- Held back by the channel's limit: sent with all others that wait, in one message.
    throttled boolean NOT NULL DEFAULT false,
    -- The same for all deliveries that one message contained.
    message_id uuid,
    attempts integer NOT NULL DEFAULT 0,
    next_attempt_at timestamptz(3),
    last_attempt_at timestamptz(3),
    status_code integer,
    answer text,
    -- Why the delivery was refused, as a code; null where it was attempted.
    error text,
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

  -- One worker at a time sends to a destination, and a slow destination delays only its own lane.
  CREATE TABLE delivery_lane (
    workspace_id uuid NOT NULL CONSTRAINT delivery_lane_workspace_fk REFERENCES workspace (id) ON DELETE CASCADE,
    lane text NOT NULL,
    -- The owner of the workspace when the last delivery was added: slots are shared among owners.
    owner_id uuid NOT NULL,
    -- Which slots the lane competes for: 'webhook' (chats included), 'sms', 'alertMail', 'mail'.
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

export const alertViews = `
  -- Each address and number of each group, with what decides whether alerts may be sent to it.
  CREATE VIEW group_recipient AS
    SELECT g.workspace_id, g.id AS group_id, g.is_enabled, g.type AS channel, place.address,
      lower(place.address) AS address_key, place.position, workspace.owner_id,
      coalesce(account.trial_fallback, account.plan) <> 'Starter' AS is_paid,
      known.confirmed_at IS NOT NULL AS is_confirmed, known.refused_at IS NOT NULL AS is_refused,
      known.id IS NOT NULL AS is_known,
      g.type = 'email' AND EXISTS (
        SELECT FROM workspace_member member JOIN user_account person ON person.id = member.user_id
        WHERE member.workspace_id = g.workspace_id AND member.status = 'active' AND person.email_verified
          AND lower(person.email) = lower(place.address)) AS is_member
    FROM action_group g
    JOIN workspace ON workspace.id = g.workspace_id
    JOIN user_account account ON account.id = workspace.owner_id
    CROSS JOIN LATERAL jsonb_array_elements_text(
      CASE g.type WHEN 'email' THEN g.settings -> 'recipients' WHEN 'sms' THEN g.settings -> 'phoneNumbers' END
    ) WITH ORDINALITY AS place (address, position)
    LEFT JOIN alert_recipient known ON known.owner_id = workspace.owner_id AND known.channel = g.type
      AND known.address_key = lower(place.address);

  -- For reports: the addresses in the email groups of a monitor.
  CREATE VIEW report_reader AS
  SELECT g.workspace_id, attached.monitor_key, address.email
  FROM action_group g JOIN action_group_monitor attached ON attached.group_id = g.id
  CROSS JOIN LATERAL jsonb_array_elements_text(g.settings->'recipients') AS address (email)
  WHERE g.type = 'email' AND g.is_enabled;
`;
