export const alertsTables = `
  CREATE TABLE action_group (
    id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    type text NOT NULL,
    name text NOT NULL,
    is_enabled boolean DEFAULT true NOT NULL,
    -- The monitors that it is attached to beside those of action_group_monitor.
    attach_tags text[] DEFAULT '{}' NOT NULL,
    attach_all boolean DEFAULT false NOT NULL,
    -- The destination as it is shown: secrets are masked.
    settings jsonb NOT NULL,
    -- When it is notified, and how, where that differs from the default.
    rules jsonb DEFAULT '{}'::jsonb NOT NULL,
    -- The secrets themselves, encrypted as one JSON object; null where there are none.
    secrets bytea,
    -- The signing secret before the last rotation, encrypted, and until when it also signs.
    former_secret bytea,
    former_secret_until timestamptz(3),
    created timestamptz(3) NOT NULL,
    last_modified timestamptz(3) NOT NULL,
    CONSTRAINT action_group_pkey PRIMARY KEY (id),
    CONSTRAINT action_group_former_check CHECK ((former_secret IS NULL) = (former_secret_until IS NULL)),
    CONSTRAINT action_group_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON DELETE CASCADE
  );
  CREATE INDEX action_group_workspace_idx ON action_group (workspace_id, created DESC, id DESC);
  CREATE INDEX action_group_former_idx ON action_group (former_secret_until) WHERE former_secret_until IS NOT NULL;

  CREATE INDEX action_group_attached_idx ON action_group (workspace_id) WHERE attach_all OR attach_tags <> '{}';

  -- Which groups are attached to a monitor one by one.
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

  -- Accounts of members at services. Confirmed, one acknowledges by the button in a message as the member ('press'), or the
  -- member is paged there ('page').
  CREATE TABLE chat_account (
    id uuid CONSTRAINT chat_account_pkey PRIMARY KEY,
    workspace_id uuid NOT NULL CONSTRAINT chat_account_workspace_fk REFERENCES workspace (id) ON DELETE CASCADE,
    member_id uuid NOT NULL CONSTRAINT chat_account_member_fk REFERENCES workspace_member (id) ON DELETE CASCADE,
    use text NOT NULL CONSTRAINT chat_account_use_check CHECK (use IN ('press', 'page')),
    type text NOT NULL,
    -- As the service names it; of a contact method its address.
    account_id text NOT NULL,
    confirmed_at timestamptz(3),
    -- The signature of the code that was sent there.
    secret bytea,
    secret_until timestamptz(3),
    wrong_codes integer NOT NULL DEFAULT 0,
    created timestamptz(3) NOT NULL,
    CONSTRAINT chat_account_once_key UNIQUE (member_id, use, type, account_id),
    CONSTRAINT chat_account_secret_check CHECK ((secret IS NULL) = (secret_until IS NULL))
  );
  CREATE UNIQUE INDEX chat_account_confirmed_key ON chat_account (workspace_id, type, account_id)
    WHERE confirmed_at IS NOT NULL AND use = 'press';

  -- Genuine calls of the services of groups, with their answers: a replay gets the same and changes nothing.
  CREATE TABLE service_call (
    group_id uuid NOT NULL CONSTRAINT service_call_group_fk REFERENCES action_group (id) ON DELETE CASCADE,
    -- SHA-256 of the body.
    digest bytea NOT NULL,
    answer jsonb,
    at timestamptz(3) NOT NULL,
    CONSTRAINT service_call_pkey PRIMARY KEY (group_id, digest)
  );
  CREATE INDEX service_call_at_idx ON service_call (at);

  -- The links to the evidence of incidents that messages contain, one per incident and channel. A link contains the id,
  -- signed.
  CREATE TABLE evidence_link (
    id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    incident_id uuid NOT NULL,
    channel text NOT NULL,
    created timestamptz(3) NOT NULL,
    CONSTRAINT evidence_link_pkey PRIMARY KEY (id),
    CONSTRAINT evidence_link_once_key UNIQUE (incident_id, channel),
    CONSTRAINT evidence_link_incident_fk FOREIGN KEY (incident_id) REFERENCES incident(id) ON DELETE CASCADE,
    CONSTRAINT evidence_link_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON DELETE CASCADE
  );
  CREATE INDEX evidence_link_workspace_idx ON evidence_link (workspace_id);

  -- The one message about an incident in the chat of a group, which later events edit.
  CREATE TABLE channel_message (
    incident_id uuid NOT NULL,
    -- No foreign key: storing the outcome of a message does not wait for a group that is being deleted, nor fail with it.
    group_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    -- The ids of the message at its service.
    handle jsonb NOT NULL,
    created timestamptz(3) NOT NULL,
    CONSTRAINT channel_message_pkey PRIMARY KEY (incident_id, group_id),
    CONSTRAINT channel_message_incident_fk FOREIGN KEY (incident_id) REFERENCES incident(id) ON DELETE CASCADE
  );
  CREATE INDEX channel_message_created_idx ON channel_message (created);

  -- What a group is to be notified of later.
  CREATE TABLE notification_wait (
    group_id uuid NOT NULL,
    -- The incident; for an event without one, the event.
    subject_id uuid NOT NULL,
    -- 'first': the group knows nothing of the incident yet. 'held': the event that is sent then. 'repeat': the incident again.
    reason text NOT NULL,
    workspace_id uuid NOT NULL,
    -- Of 'held' only. No foreign key: events are deleted after 30 days, which is longer than any wait for one.
    event_id uuid,
    due_at timestamptz(3) NOT NULL,
    CONSTRAINT notification_wait_pkey PRIMARY KEY (group_id, subject_id, reason),
    CONSTRAINT notification_wait_group_fk FOREIGN KEY (group_id) REFERENCES action_group(id) ON DELETE CASCADE,
    CONSTRAINT notification_wait_reason_check CHECK (reason IN ('first', 'held', 'repeat')),
    CONSTRAINT notification_wait_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON DELETE CASCADE
  );
  CREATE INDEX notification_wait_due_idx ON notification_wait (due_at);
  CREATE INDEX notification_wait_workspace_idx ON notification_wait (workspace_id, due_at);

  -- The paging of a team for an incident. The row is inserted with the incident.
  CREATE TABLE incident_paging (
    workspace_id uuid NOT NULL,
    incident_id uuid NOT NULL,
    team_id uuid NOT NULL,
    monitor_key bigint NOT NULL,
    -- The next step, and its round: both from 0.
    step smallint DEFAULT 0 NOT NULL,
    round smallint DEFAULT 0 NOT NULL,
    -- The policy of the step before; of the built-in one, the team. Null: none was taken.
    policy_id uuid,
    -- Who has to acknowledge, and how many of them. Null: anybody.
    awaited uuid[],
    awaited_count smallint DEFAULT 0 NOT NULL,
    -- When the acknowledgement ends that has no note.
    ack_expires_at timestamptz(3),
    -- When this round of paging began.
    began timestamptz(3) NOT NULL,
    -- Null: acknowledged, over, or every step is done.
    due_at timestamptz(3),
    -- Up to when time in maintenance has been counted, by which paging is moved on.
    waited_until timestamptz(3),
    CONSTRAINT incident_paging_pkey PRIMARY KEY (incident_id, team_id),
    CONSTRAINT incident_paging_incident_fk FOREIGN KEY (incident_id) REFERENCES incident(id) ON DELETE CASCADE,
    CONSTRAINT incident_paging_team_fk FOREIGN KEY (team_id) REFERENCES team(id) ON DELETE CASCADE
  );
  CREATE INDEX incident_paging_due_idx ON incident_paging (due_at) WHERE due_at IS NOT NULL;
  CREATE INDEX incident_paging_expiry_idx ON incident_paging (ack_expires_at) WHERE ack_expires_at IS NOT NULL;
  CREATE INDEX incident_paging_team_idx ON incident_paging (team_id);

  -- Later messages of pages, by the rules of their people. They end with the paging of the incident.
  CREATE TABLE page_reminder (
    id uuid CONSTRAINT page_reminder_pkey PRIMARY KEY,
    workspace_id uuid NOT NULL,
    incident_id uuid NOT NULL CONSTRAINT page_reminder_incident_fk REFERENCES incident (id) ON DELETE CASCADE,
    team_id uuid NOT NULL CONSTRAINT page_reminder_team_fk REFERENCES team (id) ON DELETE CASCADE,
    user_id uuid NOT NULL,
    monitor_key bigint NOT NULL,
    channel text NOT NULL,
    -- When the page began.
    paged timestamptz(3) NOT NULL,
    due_at timestamptz(3) NOT NULL,
    -- What the entry of the page on the timeline has beside the people.
    about jsonb NOT NULL
  );
  CREATE INDEX page_reminder_due_idx ON page_reminder (due_at);
  CREATE INDEX page_reminder_incident_idx ON page_reminder (incident_id);
  CREATE INDEX page_reminder_team_idx ON page_reminder (team_id);

  -- The link in a page with which its reader acknowledges the incident: single-use, and for that person only.
  CREATE TABLE acknowledge_link (
    -- SHA-256 of the token in the link.
    hash bytea NOT NULL,
    workspace_id uuid NOT NULL,
    incident_id uuid NOT NULL,
    user_id uuid NOT NULL,
    expires timestamptz(3) NOT NULL,
    incident_ids uuid[],
    CONSTRAINT acknowledge_link_pkey PRIMARY KEY (hash),
    CONSTRAINT acknowledge_link_incident_fk FOREIGN KEY (incident_id) REFERENCES incident(id) ON DELETE CASCADE,
    CONSTRAINT acknowledge_link_user_fk FOREIGN KEY (user_id) REFERENCES user_account(id) ON DELETE CASCADE
  );
  CREATE INDEX acknowledge_link_incident_idx ON acknowledge_link (incident_id);
  CREATE INDEX acknowledge_link_user_idx ON acknowledge_link (user_id);
  CREATE INDEX acknowledge_link_expires_idx ON acknowledge_link (expires);
`;

export const alertsViews = `
  -- Which groups are notified of a monitor: those that are attached to it, to one of its tags, or to all monitors.
  CREATE VIEW group_attachment AS
    SELECT group_id, monitor_key FROM action_group_monitor
    UNION ALL
    SELECT g.id, monitor.key
    FROM action_group g JOIN monitor ON monitor.workspace_id = g.workspace_id AND monitor.deleted_at IS NULL
      AND (g.attach_all OR g.attach_tags && monitor.tags)
    WHERE (g.attach_all OR g.attach_tags <> '{}') AND NOT EXISTS (
      SELECT FROM action_group_monitor own WHERE own.group_id = g.id AND own.monitor_key = monitor.key);

  -- Where active members are paged beside mail, SMS and calls. What the service needs beside the address is lent by the
  -- oldest enabled group of the type.
  CREATE VIEW contact_method AS
    SELECT account.id, account.workspace_id, member.user_id, account.type, account.account_id AS address,
      (SELECT g.id FROM action_group g WHERE g.workspace_id = account.workspace_id AND g.type = account.type AND g.is_enabled
       ORDER BY g.created, g.id LIMIT 1) AS lender_id
    FROM chat_account account JOIN workspace_member member ON member.id = account.member_id
    WHERE account.use = 'page' AND account.confirmed_at IS NOT NULL AND member.status = 'active';

  -- Each address and number of each group, with what decides whether alerts may be sent to it.
  CREATE VIEW group_recipient AS
    SELECT g.workspace_id, g.id AS group_id, g.is_enabled, consent.channel, place.address,
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
    -- Who agreed to SMS may be called too.
    CROSS JOIN LATERAL (SELECT CASE g.type WHEN 'voice' THEN 'sms' ELSE g.type END AS channel) consent
    CROSS JOIN LATERAL jsonb_array_elements_text(
      CASE consent.channel WHEN 'email' THEN g.settings -> 'recipients' WHEN 'sms' THEN g.settings -> 'phoneNumbers' END
    ) WITH ORDINALITY AS place (address, position)
    LEFT JOIN alert_recipient known ON known.owner_id = workspace.owner_id AND known.channel = consent.channel
      AND known.address_key = lower(place.address);

  -- For reports: the addresses in the email groups of a monitor.
  CREATE VIEW report_reader AS
  SELECT g.workspace_id, attached.monitor_key, address.email
  FROM action_group g JOIN group_attachment attached ON attached.group_id = g.id
  CROSS JOIN LATERAL jsonb_array_elements_text(g.settings->'recipients') AS address (email)
  WHERE g.type = 'email' AND g.is_enabled;
`;
