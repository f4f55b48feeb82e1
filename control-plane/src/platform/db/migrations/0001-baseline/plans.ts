export const plansTables = `
  -- Principals that had a trial. A row outlives its account, so that deleting an account does not grant another trial.
  CREATE TABLE spent_trial (
    -- SHA-256 of issuer and subject: recognises a principal that returns, and identifies no other.
    principal bytea CONSTRAINT spent_trial_pkey PRIMARY KEY,
    spent timestamptz(3) NOT NULL
  );

  -- What was spent of an owner's daily budgets, by the same hash: deleting the account does not renew them.
  CREATE TABLE daily_budget (
    principal bytea NOT NULL,
    day date NOT NULL,
    kind text NOT NULL,
    spent integer NOT NULL,
    CONSTRAINT daily_budget_pkey PRIMARY KEY (principal, day, kind)
  ) WITH (fillfactor = 70);
  CREATE INDEX daily_budget_day_idx ON daily_budget (day);
`;

export const plansViews = `
  -- The plan in force in a workspace: its owner's.
  CREATE VIEW workspace_plan AS
    SELECT workspace.id AS workspace_id, account.id AS owner_id, account.plan, account.plan_limits
    FROM workspace JOIN user_account account ON account.id = workspace.owner_id;

  -- What an owner uses of the plan's limits, over all workspaces.
  CREATE VIEW account_usage AS
    SELECT owner.owner_id, monitors.used AS monitors, monitors.extra_regions, teams.used AS teams,
      locations.used AS private_locations
    FROM (SELECT DISTINCT owner_id FROM workspace) owner
    CROSS JOIN LATERAL (
      SELECT count(*) AS used, max(cardinality(monitor.enabled_regions)) AS extra_regions
      FROM workspace JOIN monitor ON monitor.workspace_id = workspace.id AND monitor.deleted_at IS NULL
      WHERE workspace.owner_id = owner.owner_id
    ) monitors
    CROSS JOIN LATERAL (
      SELECT count(*) AS used FROM workspace JOIN team ON team.workspace_id = workspace.id
      WHERE workspace.owner_id = owner.owner_id
    ) teams
    CROSS JOIN LATERAL (
      SELECT count(*) AS used FROM workspace JOIN private_location ON private_location.workspace_id = workspace.id
      WHERE workspace.owner_id = owner.owner_id AND private_location.deleted_at IS NULL
    ) locations;

  -- How many action groups of each channel an owner has, over all workspaces.
  CREATE VIEW account_group_usage AS
    SELECT workspace.owner_id,
      count(*) FILTER (WHERE type = 'email') AS email_groups,
      count(*) FILTER (WHERE type = 'slack') AS slack_groups,
      count(*) FILTER (WHERE type = 'teams') AS ms_teams_groups,
      count(*) FILTER (WHERE type IN ('sms', 'voice')) AS sms_groups,
      count(*) FILTER (WHERE type = 'webhook') AS webhook_groups
    FROM workspace JOIN action_group ON action_group.workspace_id = workspace.id
    GROUP BY workspace.owner_id;

  CREATE VIEW account_channel_usage AS
    SELECT workspace.owner_id, action_group.type AS channel, count(*) AS used
    FROM workspace JOIN action_group ON action_group.workspace_id = workspace.id
    GROUP BY workspace.owner_id, action_group.type;
`;
