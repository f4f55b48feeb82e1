export const onCallTables = `
  -- The row of a team is locked while its members, schedule, overrides and routing change.
  CREATE TABLE team (
    id uuid CONSTRAINT team_pkey PRIMARY KEY,
    workspace_id uuid NOT NULL CONSTRAINT team_workspace_fk REFERENCES workspace (id) ON DELETE CASCADE,
    name text NOT NULL,
    description text,
    -- When the leads were mailed about coming shifts and policies.
    readiness_mailed timestamptz(3),
    created timestamptz(3) NOT NULL,
    last_modified timestamptz(3) NOT NULL
  );
  CREATE INDEX team_workspace_idx ON team (workspace_id, created DESC, id DESC);

  -- A member that leaves the workspace leaves its teams, rotations and overrides in the same statement.
  CREATE TABLE team_member (
    team_id uuid NOT NULL CONSTRAINT team_member_team_fk REFERENCES team (id) ON DELETE CASCADE,
    user_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    team_role text NOT NULL,
    created timestamptz(3) NOT NULL,
    last_modified timestamptz(3) NOT NULL,
    CONSTRAINT team_member_pkey PRIMARY KEY (team_id, user_id),
    CONSTRAINT team_member_workspace_member_fk FOREIGN KEY (workspace_id, user_id)
      REFERENCES workspace_member (workspace_id, user_id) ON DELETE CASCADE,
    CONSTRAINT team_member_role_check CHECK (team_role IN ('lead', 'member'))
  );
  CREATE INDEX team_member_workspace_member_idx ON team_member (workspace_id, user_id);

  -- The first schedule of a team, by seq, is the one of which /schedule shows the first layer. It may have no layers and
  -- only overrides.
  CREATE TABLE on_call_schedule (
    id uuid CONSTRAINT on_call_schedule_pkey PRIMARY KEY,
    seq bigint GENERATED ALWAYS AS IDENTITY,
    workspace_id uuid NOT NULL,
    team_id uuid NOT NULL CONSTRAINT on_call_schedule_team_fk REFERENCES team (id) ON DELETE CASCADE,
    name text NOT NULL,
    timezone text NOT NULL,
    -- With the number of turns in a round, those of former participants included.
    layers jsonb NOT NULL,
    -- The layers before each change, with their participants, and when the change took effect.
    former jsonb NOT NULL DEFAULT '[]',
    -- Dates.
    holidays jsonb NOT NULL DEFAULT '[]',
    -- The calendar that they are read from: its URL, when it was read, and why it could not be; and when it is read again.
    holiday_calendar jsonb,
    holidays_due timestamptz(3),
    -- When reminders of shifts are looked for again; null: now.
    remind_at timestamptz(3),
    created timestamptz(3) NOT NULL,
    last_modified timestamptz(3) NOT NULL
  );
  CREATE INDEX on_call_schedule_team_idx ON on_call_schedule (team_id, seq);
  CREATE INDEX on_call_schedule_remind_idx ON on_call_schedule (remind_at);
  CREATE INDEX on_call_schedule_holidays_idx ON on_call_schedule (holidays_due);

  -- The reminders of shifts that were sent, for three days after the shift began.
  CREATE TABLE shift_reminder (
    workspace_id uuid NOT NULL,
    schedule_id uuid NOT NULL CONSTRAINT shift_reminder_schedule_fk REFERENCES on_call_schedule (id) ON DELETE CASCADE,
    user_id uuid NOT NULL,
    shift_start timestamptz(3) NOT NULL,
    kind text NOT NULL,
    CONSTRAINT shift_reminder_pkey PRIMARY KEY (schedule_id, user_id, shift_start, kind)
  );

  CREATE TABLE on_call_participant (
    schedule_id uuid NOT NULL CONSTRAINT on_call_participant_schedule_fk
      REFERENCES on_call_schedule (id) ON DELETE CASCADE,
    -- Both from 0. The turn of a participant who left remains vacant, so that no other turn moves.
    layer int NOT NULL,
    turn int NOT NULL,
    user_id uuid NOT NULL,
    team_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    CONSTRAINT on_call_participant_pkey PRIMARY KEY (schedule_id, layer, turn),
    CONSTRAINT on_call_participant_member_fk FOREIGN KEY (team_id, user_id)
      REFERENCES team_member (team_id, user_id) ON DELETE CASCADE
  );
  CREATE UNIQUE INDEX on_call_participant_user_key ON on_call_participant (schedule_id, layer, user_id);
  CREATE INDEX on_call_participant_member_idx ON on_call_participant (team_id, user_id);

  -- The people are members of the team when the swap is made; it becomes void when one of them leaves.
  CREATE TABLE on_call_swap (
    id uuid CONSTRAINT on_call_swap_pkey PRIMARY KEY,
    workspace_id uuid NOT NULL,
    team_id uuid NOT NULL,
    schedule_id uuid NOT NULL CONSTRAINT on_call_swap_schedule_fk REFERENCES on_call_schedule (id) ON DELETE CASCADE,
    user_id uuid NOT NULL,
    -- The person who is asked; null: everybody of the team.
    with_user_id uuid,
    taken_by uuid,
    state text NOT NULL,
    shift_start timestamptz(3) NOT NULL,
    shift_end timestamptz(3) NOT NULL,
    created timestamptz(3) NOT NULL,
    last_modified timestamptz(3) NOT NULL,
    CONSTRAINT on_call_swap_state_check
      CHECK (state IN ('open', 'taken', 'declined', 'expired', 'withdrawn', 'void')),
    CONSTRAINT on_call_swap_taken_check CHECK (state <> 'taken' OR taken_by IS NOT NULL)
  );
  CREATE INDEX on_call_swap_schedule_idx ON on_call_swap (schedule_id, created DESC, id DESC);
  CREATE INDEX on_call_swap_state_idx ON on_call_swap (state, shift_start);

  -- The links in mails by which people answer swaps: single-use, and for that person only.
  CREATE TABLE swap_link (
    -- SHA-256 of the token in the link.
    hash bytea CONSTRAINT swap_link_pkey PRIMARY KEY,
    workspace_id uuid NOT NULL,
    swap_id uuid NOT NULL CONSTRAINT swap_link_swap_fk REFERENCES on_call_swap (id) ON DELETE CASCADE,
    user_id uuid NOT NULL CONSTRAINT swap_link_user_fk REFERENCES user_account (id) ON DELETE CASCADE
  );
  CREATE INDEX swap_link_swap_idx ON swap_link (swap_id);
  CREATE INDEX swap_link_user_idx ON swap_link (user_id);

  CREATE TABLE on_call_override (
    id uuid CONSTRAINT on_call_override_pkey PRIMARY KEY,
    -- Orders overrides that were made in the same millisecond.
    seq bigint GENERATED ALWAYS AS IDENTITY,
    workspace_id uuid NOT NULL,
    team_id uuid NOT NULL,
    schedule_id uuid NOT NULL CONSTRAINT on_call_override_schedule_fk
      REFERENCES on_call_schedule (id) ON DELETE CASCADE,
    user_id uuid NOT NULL,
    starts timestamptz(3) NOT NULL,
    ends timestamptz(3) NOT NULL,
    reason text,
    -- The swap that put it there, and whose shift it follows.
    swap_id uuid CONSTRAINT on_call_override_swap_fk REFERENCES on_call_swap (id) ON DELETE CASCADE,
    created timestamptz(3) NOT NULL,
    CONSTRAINT on_call_override_member_fk FOREIGN KEY (team_id, user_id)
      REFERENCES team_member (team_id, user_id) ON DELETE CASCADE,
    CONSTRAINT on_call_override_span_check CHECK (starts < ends)
  );
  CREATE INDEX on_call_override_team_idx ON on_call_override (team_id, user_id);
  CREATE INDEX on_call_override_schedule_idx ON on_call_override (schedule_id);
  CREATE INDEX on_call_override_swap_idx ON on_call_override (swap_id);

  -- Which of them counts is the first one, by seq, that has the severity of the incident. Targets refer to people, schedules
  -- and action groups without a key: one that is gone remains visible, as a target that reaches nobody.
  CREATE TABLE escalation_policy (
    id uuid CONSTRAINT escalation_policy_pkey PRIMARY KEY,
    seq bigint GENERATED ALWAYS AS IDENTITY,
    workspace_id uuid NOT NULL,
    team_id uuid NOT NULL CONSTRAINT escalation_policy_team_fk REFERENCES team (id) ON DELETE CASCADE,
    name text NOT NULL,
    severities text[] NOT NULL,
    steps jsonb NOT NULL,
    repeat smallint NOT NULL,
    -- ISO 8601.
    ack_timeout text,
    created timestamptz(3) NOT NULL,
    last_modified timestamptz(3) NOT NULL
  );
  CREATE INDEX escalation_policy_team_idx ON escalation_policy (team_id, seq);

  ALTER TABLE monitor ADD CONSTRAINT monitor_team_fk FOREIGN KEY (team_id) REFERENCES team (id) ON DELETE SET NULL;
  CREATE INDEX monitor_team_idx ON monitor (team_id) WHERE team_id IS NOT NULL;

  -- Routing: which teams the incidents of a service group page.
  CREATE TABLE team_service_group (
    team_id uuid NOT NULL CONSTRAINT team_service_group_team_fk REFERENCES team (id) ON DELETE CASCADE,
    service_group_id uuid NOT NULL
      CONSTRAINT team_service_group_group_fk REFERENCES service_group (id) ON DELETE CASCADE,
    workspace_id uuid NOT NULL,
    created timestamptz(3) NOT NULL,
    CONSTRAINT team_service_group_pkey PRIMARY KEY (team_id, service_group_id)
  );
  CREATE INDEX team_service_group_group_idx ON team_service_group (service_group_id);

  -- The links by which calendar programs, which send no token, read the calendar of a team. A link belongs to a
  -- member of the workspace, and is deleted with the membership or the team.
  CREATE TABLE on_call_calendar_link (
    id uuid CONSTRAINT on_call_calendar_link_pkey PRIMARY KEY,
    workspace_id uuid NOT NULL,
    team_id uuid NOT NULL CONSTRAINT on_call_calendar_link_team_fk REFERENCES team (id) ON DELETE CASCADE,
    user_id uuid NOT NULL,
    -- SHA-256 of the token in the link.
    hash bytea NOT NULL,
    name text NOT NULL,
    created timestamptz(3) NOT NULL,
    -- To the hour.
    last_read timestamptz(3),
    CONSTRAINT on_call_calendar_link_member_fk FOREIGN KEY (workspace_id, user_id)
      REFERENCES workspace_member (workspace_id, user_id) ON DELETE CASCADE
  );
  CREATE UNIQUE INDEX on_call_calendar_link_hash_key ON on_call_calendar_link (hash);
  CREATE INDEX on_call_calendar_link_team_idx ON on_call_calendar_link (team_id, created DESC, id DESC);
  CREATE INDEX on_call_calendar_link_member_idx ON on_call_calendar_link (workspace_id, user_id);
`;

export const onCallViews = `
  -- Routing in force: that of a deleted group applies again when the group is restored.
  CREATE VIEW routed_service_group AS
    SELECT routing.workspace_id, routing.team_id, routing.service_group_id, routing.created, service_group.name
    FROM team_service_group routing
    JOIN service_group ON service_group.id = routing.service_group_id AND service_group.deleted_at IS NULL;

  -- For monitors: the teams that a service group shows.
  CREATE VIEW service_group_routing AS
    SELECT service_group_id, array_agg(team_id ORDER BY created, team_id) AS team_ids
    FROM team_service_group GROUP BY service_group_id;

  -- For alerts: the teams that are paged for a monitor.
  CREATE VIEW paged_team AS
    SELECT monitor.workspace_id, monitor.key AS monitor_key, routing.team_id, routing.name AS service_group_name
    FROM monitor JOIN routed_service_group routing
      ON routing.workspace_id = monitor.workspace_id AND routing.service_group_id = monitor.service_group_id
    UNION ALL
    SELECT workspace_id, key, team_id, NULL FROM monitor WHERE service_group_id IS NULL AND team_id IS NOT NULL;

  -- For monitors: the teams that they can name.
  CREATE VIEW nameable_team AS SELECT id, workspace_id FROM team;

  -- The place of a team among those of its owner, from 1: a plan covers as many as it allows, in this order. A team
  -- that came with a workspace counts from the time of the transfer, so that it follows what the owner had.
  CREATE VIEW team_rank AS
    SELECT team.id AS team_id, workspace.owner_id, row_number() OVER (
      PARTITION BY workspace.owner_id
      ORDER BY greatest(team.created, workspace.owned_since),
        coalesce(workspace.owned_since >= team.created, false), team.created, team.id
    ) AS rank
    FROM team JOIN workspace ON workspace.id = team.workspace_id;
`;
