-- The database schema, from the catalog of a migrated database. Written by "npm run generate"; do not edit.
-- The migrations in control-plane/src/platform/db/migrations explain the tables and columns.

CREATE TABLE acknowledge_link (
  hash bytea NOT NULL,
  workspace_id uuid NOT NULL,
  incident_id uuid NOT NULL,
  user_id uuid NOT NULL,
  expires timestamp(3) with time zone NOT NULL,
  incident_ids uuid[],
  CONSTRAINT acknowledge_link_pkey PRIMARY KEY (hash),
  CONSTRAINT acknowledge_link_incident_fk FOREIGN KEY (incident_id) REFERENCES incident(id) ON DELETE CASCADE,
  CONSTRAINT acknowledge_link_user_fk FOREIGN KEY (user_id) REFERENCES user_account(id) ON DELETE CASCADE
);
CREATE INDEX acknowledge_link_expires_idx ON acknowledge_link USING btree (expires);
CREATE INDEX acknowledge_link_incident_idx ON acknowledge_link USING btree (incident_id);
CREATE INDEX acknowledge_link_user_idx ON acknowledge_link USING btree (user_id);

CREATE TABLE action_group (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  type text NOT NULL,
  name text NOT NULL,
  is_enabled boolean DEFAULT true NOT NULL,
  attach_tags text[] DEFAULT '{}'::text[] NOT NULL,
  attach_all boolean DEFAULT false NOT NULL,
  settings jsonb NOT NULL,
  rules jsonb DEFAULT '{}'::jsonb NOT NULL,
  secrets bytea,
  former_secret bytea,
  former_secret_until timestamp(3) with time zone,
  created timestamp(3) with time zone NOT NULL,
  last_modified timestamp(3) with time zone NOT NULL,
  CONSTRAINT action_group_pkey PRIMARY KEY (id),
  CONSTRAINT action_group_former_check CHECK ((former_secret IS NULL) = (former_secret_until IS NULL)),
  CONSTRAINT action_group_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON DELETE CASCADE
);
CREATE INDEX action_group_attached_idx ON action_group USING btree (workspace_id) WHERE attach_all OR attach_tags <> '{}'::text[];
CREATE INDEX action_group_former_idx ON action_group USING btree (former_secret_until) WHERE former_secret_until IS NOT NULL;
CREATE INDEX action_group_workspace_idx ON action_group USING btree (workspace_id, created DESC, id DESC);

CREATE TABLE action_group_monitor (
  group_id uuid NOT NULL,
  monitor_key bigint NOT NULL,
  attached timestamp(3) with time zone NOT NULL,
  CONSTRAINT action_group_monitor_pkey PRIMARY KEY (group_id, monitor_key),
  CONSTRAINT action_group_monitor_group_fk FOREIGN KEY (group_id) REFERENCES action_group(id) ON DELETE CASCADE,
  CONSTRAINT action_group_monitor_monitor_fk FOREIGN KEY (monitor_key) REFERENCES monitor(key) ON DELETE CASCADE
);
CREATE INDEX action_group_monitor_monitor_idx ON action_group_monitor USING btree (monitor_key);

CREATE TABLE agent (
  id uuid NOT NULL,
  key integer GENERATED ALWAYS AS IDENTITY NOT NULL,
  name text NOT NULL,
  region text NOT NULL,
  workspace_id uuid,
  token_hash bytea NOT NULL,
  token_spent timestamp(3) with time zone,
  enrolled_key bytea,
  status text DEFAULT 'active'::text NOT NULL,
  version text,
  platform text,
  can_trace boolean,
  capabilities text[] DEFAULT '{}'::text[] NOT NULL,
  last_seen timestamp(3) with time zone,
  checks integer DEFAULT 0 NOT NULL,
  spool_depth integer DEFAULT 0 NOT NULL,
  lag_p99_us integer DEFAULT 0 NOT NULL,
  visibility text DEFAULT 'unknown'::text NOT NULL,
  created timestamp(3) with time zone NOT NULL,
  last_modified timestamp(3) with time zone NOT NULL,
  CONSTRAINT agent_pkey PRIMARY KEY (id),
  CONSTRAINT agent_key_key UNIQUE (key),
  CONSTRAINT agent_token_key UNIQUE (token_hash),
  CONSTRAINT agent_status_check CHECK (status = ANY (ARRAY['active'::text, 'draining'::text, 'revoked'::text])),
  CONSTRAINT agent_visibility_check CHECK (visibility = ANY (ARRAY['unknown'::text, 'seeing'::text, 'blind'::text])),
  CONSTRAINT agent_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX agent_name_key ON agent USING btree (region, name) WHERE status <> 'revoked'::text;
CREATE INDEX agent_workspace_idx ON agent USING btree (workspace_id) WHERE workspace_id IS NOT NULL;
CREATE TRIGGER agent_event AFTER UPDATE ON agent FOR EACH ROW WHEN (old.status <> new.status OR old.visibility <> new.visibility) EXECUTE FUNCTION fleet_event();

CREATE TABLE agent_certificate (
  serial bytea NOT NULL,
  agent_id uuid NOT NULL,
  authority_id uuid,
  issued timestamp(3) with time zone NOT NULL,
  expires timestamp(3) with time zone NOT NULL,
  first_used timestamp(3) with time zone,
  CONSTRAINT agent_certificate_pkey PRIMARY KEY (serial),
  CONSTRAINT agent_certificate_agent_fk FOREIGN KEY (agent_id) REFERENCES agent(id) ON DELETE CASCADE,
  CONSTRAINT agent_certificate_authority_fk FOREIGN KEY (authority_id) REFERENCES certificate_authority(id) ON DELETE CASCADE
);
CREATE INDEX agent_certificate_agent ON agent_certificate USING btree (agent_id, expires);

CREATE TABLE alert_event (
  id uuid NOT NULL,
  seq bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  workspace_id uuid NOT NULL,
  monitor_key bigint,
  incident_id uuid,
  type text NOT NULL,
  at timestamp(3) with time zone NOT NULL,
  detail jsonb DEFAULT '{}'::jsonb NOT NULL,
  subject jsonb NOT NULL,
  fanned_out boolean DEFAULT false NOT NULL,
  CONSTRAINT alert_event_pkey PRIMARY KEY (id),
  CONSTRAINT alert_event_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON DELETE CASCADE
);
CREATE INDEX alert_event_at_idx ON alert_event USING btree (at);
CREATE INDEX alert_event_incident_idx ON alert_event USING btree (incident_id) WHERE incident_id IS NOT NULL;
CREATE INDEX alert_event_monitor_idx ON alert_event USING btree (monitor_key) WHERE monitor_key IS NOT NULL;
CREATE INDEX alert_event_pending_idx ON alert_event USING btree (workspace_id, seq) WHERE NOT fanned_out;
CREATE INDEX alert_event_workspace_idx ON alert_event USING btree (workspace_id);

CREATE TABLE alert_recipient (
  id uuid NOT NULL,
  owner_id uuid NOT NULL,
  workspace_id uuid,
  channel text NOT NULL,
  address text NOT NULL,
  address_key text NOT NULL,
  confirmed_at timestamp(3) with time zone,
  refused_at timestamp(3) with time zone,
  ask_at timestamp(3) with time zone,
  asked_since timestamp(3) with time zone,
  asked integer DEFAULT 0 NOT NULL,
  asked_ever integer DEFAULT 0 NOT NULL,
  secret bytea,
  secret_until timestamp(3) with time zone,
  wrong_codes integer DEFAULT 0 NOT NULL,
  created timestamp(3) with time zone NOT NULL,
  CONSTRAINT alert_recipient_pkey PRIMARY KEY (id),
  CONSTRAINT alert_recipient_address_key UNIQUE (owner_id, channel, address_key),
  CONSTRAINT alert_recipient_channel_check CHECK (channel = ANY (ARRAY['email'::text, 'sms'::text])),
  CONSTRAINT alert_recipient_secret_check CHECK ((secret IS NULL) = (secret_until IS NULL)),
  CONSTRAINT alert_recipient_owner_fk FOREIGN KEY (owner_id) REFERENCES user_account(id) ON DELETE CASCADE,
  CONSTRAINT alert_recipient_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON DELETE SET NULL
);
CREATE INDEX alert_recipient_ask_idx ON alert_recipient USING btree (ask_at) WHERE ask_at IS NOT NULL;
CREATE INDEX alert_recipient_asked_idx ON alert_recipient USING btree (channel, address_key, asked_since);
CREATE INDEX alert_recipient_secret_idx ON alert_recipient USING btree (secret) WHERE secret IS NOT NULL;
CREATE INDEX alert_recipient_unanswered_idx ON alert_recipient USING btree (created) WHERE confirmed_at IS NULL AND refused_at IS NULL;
CREATE INDEX alert_recipient_workspace_idx ON alert_recipient USING btree (workspace_id);

CREATE TABLE api_key (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  member_id uuid NOT NULL,
  name text NOT NULL,
  prefix text NOT NULL,
  hash bytea NOT NULL,
  scopes text[] NOT NULL,
  created timestamp(3) with time zone NOT NULL,
  expires_at timestamp(3) with time zone,
  last_used_at timestamp(3) with time zone,
  CONSTRAINT api_key_pkey PRIMARY KEY (id),
  CONSTRAINT api_key_prefix_key UNIQUE (prefix),
  CONSTRAINT api_key_member_fk FOREIGN KEY (member_id) REFERENCES workspace_member(id) ON DELETE CASCADE,
  CONSTRAINT api_key_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON DELETE CASCADE
);
CREATE INDEX api_key_expires_idx ON api_key USING btree (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX api_key_member_idx ON api_key USING btree (member_id, created, id);
CREATE INDEX api_key_workspace_idx ON api_key USING btree (workspace_id, created, id);
CREATE TRIGGER api_key_event AFTER INSERT OR DELETE ON api_key FOR EACH ROW EXECUTE FUNCTION workspace_object_event('apiKey');

CREATE TABLE audit_entry (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  at timestamp(3) with time zone NOT NULL,
  action text NOT NULL,
  actor_type text NOT NULL,
  actor_id uuid,
  actor_name text,
  via text,
  assistant jsonb,
  target_id uuid NOT NULL,
  target_name text,
  target_user_id uuid,
  changes jsonb NOT NULL,
  request_id text,
  remote_address text,
  CONSTRAINT audit_entry_pkey PRIMARY KEY (id)
);
CREATE INDEX audit_entry_action_idx ON audit_entry USING btree (workspace_id, action, at DESC, id DESC);
CREATE INDEX audit_entry_actor_idx ON audit_entry USING btree (workspace_id, actor_id, at DESC, id DESC);
CREATE INDEX audit_entry_at_idx ON audit_entry USING btree (at);
CREATE INDEX audit_entry_deleted_workspace_idx ON audit_entry USING btree (at) WHERE action = 'workspace.deleted'::text;
CREATE INDEX audit_entry_target_idx ON audit_entry USING btree (workspace_id, target_id, at DESC, id DESC);
CREATE INDEX audit_entry_workspace_idx ON audit_entry USING btree (workspace_id, at DESC, id DESC);
CREATE TRIGGER audit_entry_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON audit_entry FOR EACH STATEMENT EXECUTE FUNCTION audit_entry_append_only();

CREATE TABLE certificate_authority (
  id uuid NOT NULL,
  certificate bytea NOT NULL,
  sealed_key bytea NOT NULL,
  created timestamp(3) with time zone NOT NULL,
  CONSTRAINT certificate_authority_pkey PRIMARY KEY (id)
);

CREATE TABLE channel_message (
  incident_id uuid NOT NULL,
  group_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  handle jsonb NOT NULL,
  created timestamp(3) with time zone NOT NULL,
  CONSTRAINT channel_message_pkey PRIMARY KEY (incident_id, group_id),
  CONSTRAINT channel_message_incident_fk FOREIGN KEY (incident_id) REFERENCES incident(id) ON DELETE CASCADE
);
CREATE INDEX channel_message_created_idx ON channel_message USING btree (created);

CREATE TABLE chat_account (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  member_id uuid NOT NULL,
  use text NOT NULL,
  type text NOT NULL,
  account_id text NOT NULL,
  confirmed_at timestamp(3) with time zone,
  secret bytea,
  secret_until timestamp(3) with time zone,
  wrong_codes integer DEFAULT 0 NOT NULL,
  created timestamp(3) with time zone NOT NULL,
  CONSTRAINT chat_account_pkey PRIMARY KEY (id),
  CONSTRAINT chat_account_once_key UNIQUE (member_id, use, type, account_id),
  CONSTRAINT chat_account_secret_check CHECK ((secret IS NULL) = (secret_until IS NULL)),
  CONSTRAINT chat_account_use_check CHECK (use = ANY (ARRAY['press'::text, 'page'::text])),
  CONSTRAINT chat_account_member_fk FOREIGN KEY (member_id) REFERENCES workspace_member(id) ON DELETE CASCADE,
  CONSTRAINT chat_account_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX chat_account_confirmed_key ON chat_account USING btree (workspace_id, type, account_id) WHERE confirmed_at IS NOT NULL AND use = 'press'::text;

CREATE TABLE check_answer (
  monitor_key bigint NOT NULL,
  day timestamp(3) with time zone NOT NULL,
  hash uuid NOT NULL,
  content jsonb NOT NULL,
  CONSTRAINT check_answer_pkey PRIMARY KEY (monitor_key, day, hash)
) PARTITION BY RANGE (day);

CREATE TABLE check_detail (
  monitor_key bigint NOT NULL,
  scheduled_at timestamp(3) with time zone NOT NULL,
  hash uuid NOT NULL,
  response_us integer NOT NULL,
  kind smallint NOT NULL,
  region smallint NOT NULL,
  changes jsonb,
  CONSTRAINT check_detail_pkey PRIMARY KEY (monitor_key, scheduled_at, kind, region)
) PARTITION BY RANGE (scheduled_at);

CREATE TABLE check_failure (
  monitor_key bigint NOT NULL,
  scheduled_at timestamp(3) with time zone NOT NULL,
  kind smallint NOT NULL,
  region smallint NOT NULL,
  phase text NOT NULL,
  reason text NOT NULL,
  message text NOT NULL,
  address text,
  loop_lag_us integer NOT NULL,
  answer_verified boolean DEFAULT false NOT NULL,
  evidence jsonb,
  CONSTRAINT check_failure_pkey PRIMARY KEY (monitor_key, scheduled_at, kind, region)
) PARTITION BY RANGE (scheduled_at);

CREATE TABLE check_finding (
  monitor_key bigint NOT NULL,
  kind smallint NOT NULL,
  region smallint NOT NULL,
  scheduled_at timestamp(3) with time zone NOT NULL,
  addresses jsonb NOT NULL,
  warnings jsonb NOT NULL,
  steps jsonb,
  ping jsonb,
  CONSTRAINT check_finding_pkey PRIMARY KEY (monitor_key, kind, region)
) WITH (fillfactor=70);

CREATE TABLE check_result (
  monitor_key bigint NOT NULL,
  scheduled_at timestamp(3) with time zone NOT NULL,
  total_us integer NOT NULL,
  dns_us integer NOT NULL,
  connect_us integer NOT NULL,
  tls_us integer NOT NULL,
  first_byte_us integer NOT NULL,
  transfer_us integer NOT NULL,
  agent_key integer NOT NULL,
  start_lag_ms smallint NOT NULL,
  fresh_s smallint NOT NULL,
  status_code smallint NOT NULL,
  kind smallint NOT NULL,
  region smallint NOT NULL,
  outcome smallint NOT NULL,
  CONSTRAINT check_result_pkey PRIMARY KEY (monitor_key, scheduled_at, kind, region)
) PARTITION BY RANGE (scheduled_at);

CREATE TABLE check_rollup (
  monitor_key bigint NOT NULL,
  starts_at timestamp(3) with time zone NOT NULL,
  total_us bigint NOT NULL,
  dns_us bigint NOT NULL,
  connect_us bigint NOT NULL,
  tls_us bigint NOT NULL,
  first_byte_us bigint NOT NULL,
  transfer_us bigint NOT NULL,
  up integer NOT NULL,
  down integer NOT NULL,
  inconclusive integer NOT NULL,
  min_us integer NOT NULL,
  max_us integer NOT NULL,
  kind smallint NOT NULL,
  region smallint NOT NULL,
  spans bytea NOT NULL,
  histogram bytea NOT NULL,
  CONSTRAINT check_rollup_pkey PRIMARY KEY (monitor_key, starts_at, kind, region)
) WITH (fillfactor=95);
CREATE INDEX check_rollup_starts_idx ON check_rollup USING brin (starts_at);

CREATE TABLE check_rollup_day (
  monitor_key bigint NOT NULL,
  starts_at timestamp(3) with time zone NOT NULL,
  total_us bigint NOT NULL,
  dns_us bigint NOT NULL,
  connect_us bigint NOT NULL,
  tls_us bigint NOT NULL,
  first_byte_us bigint NOT NULL,
  transfer_us bigint NOT NULL,
  up integer NOT NULL,
  down integer NOT NULL,
  inconclusive integer NOT NULL,
  min_us integer NOT NULL,
  max_us integer NOT NULL,
  kind smallint NOT NULL,
  region smallint NOT NULL,
  spans bytea NOT NULL,
  histogram bytea NOT NULL,
  CONSTRAINT check_rollup_day_pkey PRIMARY KEY (monitor_key, starts_at, kind, region)
) WITH (fillfactor=95);

CREATE TABLE console_session (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  token_hash bytea NOT NULL,
  created timestamp(3) with time zone NOT NULL,
  last_seen timestamp(3) with time zone NOT NULL,
  expires timestamp(3) with time zone NOT NULL,
  user_agent text,
  remote_address text,
  id_token bytea,
  CONSTRAINT console_session_pkey PRIMARY KEY (id),
  CONSTRAINT console_session_token_key UNIQUE (token_hash),
  CONSTRAINT console_session_user_fk FOREIGN KEY (user_id) REFERENCES user_account(id) ON DELETE CASCADE
);
CREATE INDEX console_session_user_idx ON console_session USING btree (user_id, last_seen, id);

CREATE TABLE daily_budget (
  principal bytea NOT NULL,
  day date NOT NULL,
  kind text NOT NULL,
  spent integer NOT NULL,
  CONSTRAINT daily_budget_pkey PRIMARY KEY (principal, day, kind)
) WITH (fillfactor=70);
CREATE INDEX daily_budget_day_idx ON daily_budget USING btree (day);

CREATE TABLE delivery (
  id uuid NOT NULL,
  seq bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  workspace_id uuid NOT NULL,
  event_id uuid NOT NULL,
  group_id uuid,
  channel text NOT NULL,
  address text NOT NULL,
  lane text NOT NULL,
  purpose text NOT NULL,
  extra jsonb DEFAULT '{}'::jsonb NOT NULL,
  state text NOT NULL,
  throttled boolean DEFAULT false NOT NULL,
  message_id uuid,
  attempts integer DEFAULT 0 NOT NULL,
  next_attempt_at timestamp(3) with time zone,
  last_attempt_at timestamp(3) with time zone,
  status_code integer,
  answer text,
  error text,
  created timestamp(3) with time zone NOT NULL,
  finished_at timestamp(3) with time zone,
  attempt_log jsonb DEFAULT '[]'::jsonb NOT NULL,
  CONSTRAINT delivery_pkey PRIMARY KEY (id),
  CONSTRAINT delivery_once_key UNIQUE (event_id, lane, purpose),
  CONSTRAINT delivery_state_check CHECK (state = ANY (ARRAY['waiting'::text, 'delivered'::text, 'failed'::text, 'cancelled'::text])),
  CONSTRAINT delivery_event_fk FOREIGN KEY (event_id) REFERENCES alert_event(id) ON DELETE CASCADE,
  CONSTRAINT delivery_group_fk FOREIGN KEY (group_id) REFERENCES action_group(id) ON DELETE CASCADE,
  CONSTRAINT delivery_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON DELETE CASCADE
);
CREATE INDEX delivery_failed_idx ON delivery USING btree (workspace_id, finished_at) WHERE state = 'failed'::text;
CREATE INDEX delivery_group_idx ON delivery USING btree (group_id, seq DESC);
CREATE INDEX delivery_oldest_idx ON delivery USING btree (created) WHERE state = 'waiting'::text;
CREATE INDEX delivery_throttle_idx ON delivery USING btree (workspace_id, lane, finished_at) WHERE (channel = ANY (ARRAY['sms'::text, 'voice'::text])) AND state = 'delivered'::text;
CREATE INDEX delivery_waiting_idx ON delivery USING btree (workspace_id, lane, seq) WHERE state = 'waiting'::text;
CREATE INDEX delivery_workspace_idx ON delivery USING btree (workspace_id, seq DESC);
CREATE TRIGGER delivery_added_event AFTER INSERT ON delivery REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION delivery_event();
CREATE TRIGGER delivery_finished_event AFTER UPDATE ON delivery REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION delivery_event();

CREATE TABLE delivery_lane (
  workspace_id uuid NOT NULL,
  lane text NOT NULL,
  owner_id uuid NOT NULL,
  outlet text NOT NULL,
  urgent boolean DEFAULT false NOT NULL,
  ready boolean DEFAULT false NOT NULL,
  due_at timestamp(3) with time zone,
  lease uuid,
  CONSTRAINT delivery_lane_pkey PRIMARY KEY (workspace_id, lane),
  CONSTRAINT delivery_lane_outlet_check CHECK (outlet = ANY (ARRAY['webhook'::text, 'sms'::text, 'alertMail'::text, 'mail'::text])),
  CONSTRAINT delivery_lane_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON DELETE CASCADE
) WITH (fillfactor=70);
CREATE INDEX delivery_lane_due_idx ON delivery_lane USING btree (outlet, due_at) WHERE NOT ready AND due_at IS NOT NULL;
CREATE INDEX delivery_lane_ready_idx ON delivery_lane USING btree (outlet, urgent, owner_id, due_at) WHERE ready;

CREATE TABLE dirty_bucket (
  monitor_key bigint NOT NULL,
  starts_at timestamp(3) with time zone NOT NULL,
  is_day boolean NOT NULL,
  CONSTRAINT dirty_bucket_pkey PRIMARY KEY (monitor_key, starts_at, is_day)
) WITH (fillfactor=80, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=5000);
CREATE INDEX dirty_bucket_order_idx ON dirty_bucket USING btree (is_day, starts_at, monitor_key);

CREATE TABLE domain (
  name text NOT NULL,
  state text,
  expires timestamp(3) with time zone,
  registrar text,
  statuses text[] DEFAULT '{}'::text[] NOT NULL,
  name_servers text[] DEFAULT '{}'::text[] NOT NULL,
  source text,
  checked timestamp(3) with time zone,
  next_query timestamp(3) with time zone NOT NULL,
  unconfirmed_since timestamp(3) with time zone,
  held_until timestamp(3) with time zone,
  CONSTRAINT domain_pkey PRIMARY KEY (name),
  CONSTRAINT domain_state_check CHECK (state = ANY (ARRAY['found'::text, 'notOffered'::text, 'notFound'::text, 'unreachable'::text]))
);
CREATE INDEX domain_next_query_idx ON domain USING btree (next_query);

CREATE TABLE escalation_policy (
  id uuid NOT NULL,
  seq bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  workspace_id uuid NOT NULL,
  team_id uuid NOT NULL,
  name text NOT NULL,
  severities text[] NOT NULL,
  steps jsonb NOT NULL,
  repeat smallint NOT NULL,
  ack_timeout text,
  created timestamp(3) with time zone NOT NULL,
  last_modified timestamp(3) with time zone NOT NULL,
  CONSTRAINT escalation_policy_pkey PRIMARY KEY (id),
  CONSTRAINT escalation_policy_team_fk FOREIGN KEY (team_id) REFERENCES team(id) ON DELETE CASCADE
);
CREATE INDEX escalation_policy_team_idx ON escalation_policy USING btree (team_id, seq);

CREATE TABLE event_stream_lease (
  id uuid NOT NULL,
  principal_id uuid NOT NULL,
  until timestamp(3) with time zone NOT NULL,
  CONSTRAINT event_stream_lease_pkey PRIMARY KEY (id)
);
CREATE INDEX event_stream_lease_principal_idx ON event_stream_lease USING btree (principal_id);

CREATE TABLE evidence_link (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  incident_id uuid NOT NULL,
  channel text NOT NULL,
  created timestamp(3) with time zone NOT NULL,
  CONSTRAINT evidence_link_pkey PRIMARY KEY (id),
  CONSTRAINT evidence_link_once_key UNIQUE (incident_id, channel),
  CONSTRAINT evidence_link_incident_fk FOREIGN KEY (incident_id) REFERENCES incident(id) ON DELETE CASCADE,
  CONSTRAINT evidence_link_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON DELETE CASCADE
);
CREATE INDEX evidence_link_workspace_idx ON evidence_link USING btree (workspace_id);

CREATE TABLE fleet_lease (
  agent_id uuid NOT NULL,
  region text NOT NULL,
  process_id uuid NOT NULL,
  session_id uuid NOT NULL,
  connected boolean NOT NULL,
  left_at timestamp(3) with time zone,
  capabilities text[] NOT NULL,
  taken_over_epoch bigint,
  taken_at timestamp(3) with time zone,
  CONSTRAINT fleet_lease_pkey PRIMARY KEY (agent_id),
  CONSTRAINT fleet_lease_agent_fk FOREIGN KEY (agent_id) REFERENCES agent(id) ON DELETE CASCADE
);
CREATE INDEX fleet_lease_region_idx ON fleet_lease USING btree (region);
CREATE TRIGGER fleet_lease_added_event AFTER INSERT ON fleet_lease FOR EACH ROW EXECUTE FUNCTION fleet_event();
CREATE TRIGGER fleet_lease_event AFTER UPDATE ON fleet_lease FOR EACH ROW WHEN (old.connected <> new.connected) EXECUTE FUNCTION fleet_event();

CREATE TABLE fleet_process (
  id uuid NOT NULL,
  live_since timestamp(3) with time zone NOT NULL,
  seen timestamp(3) with time zone NOT NULL,
  stopped boolean DEFAULT false NOT NULL,
  CONSTRAINT fleet_process_pkey PRIMARY KEY (id)
);

CREATE TABLE fleet_region (
  region text NOT NULL,
  epoch bigint DEFAULT 1 NOT NULL,
  members uuid[] DEFAULT '{}'::uuid[] NOT NULL,
  former jsonb DEFAULT '[]'::jsonb NOT NULL,
  CONSTRAINT fleet_region_pkey PRIMARY KEY (region)
);
CREATE TRIGGER fleet_region_event AFTER UPDATE ON fleet_region FOR EACH ROW WHEN (old.members IS DISTINCT FROM new.members) EXECUTE FUNCTION fleet_event();

CREATE TABLE former_schedule (
  monitor_key bigint NOT NULL,
  known_since timestamp(3) with time zone NOT NULL,
  changes timestamp with time zone[] NOT NULL,
  intervals_ms integer[] NOT NULL,
  CONSTRAINT former_schedule_pkey PRIMARY KEY (monitor_key),
  CONSTRAINT former_schedule_monitor_key_fkey FOREIGN KEY (monitor_key) REFERENCES monitor(key) ON DELETE CASCADE
);

CREATE TABLE heartbeat (
  monitor_key bigint NOT NULL,
  workspace_id uuid NOT NULL,
  counts_from timestamp(3) with time zone NOT NULL,
  last_ping timestamp(3) with time zone,
  due_from timestamp(3) with time zone,
  succeeded timestamp(3) with time zone,
  runs jsonb DEFAULT '[]'::jsonb NOT NULL,
  failure jsonb,
  expected_by timestamp(3) with time zone,
  CONSTRAINT heartbeat_pkey PRIMARY KEY (monitor_key),
  CONSTRAINT heartbeat_monitor_fk FOREIGN KEY (monitor_key) REFERENCES monitor(key) ON DELETE CASCADE
) WITH (fillfactor=80);

CREATE TABLE heartbeat_change (
  monitor_key bigint NOT NULL,
  at timestamp(3) with time zone NOT NULL,
  verdict text NOT NULL,
  CONSTRAINT heartbeat_change_pkey PRIMARY KEY (monitor_key, at),
  CONSTRAINT heartbeat_change_verdict_check CHECK (verdict = ANY (ARRAY['available'::text, 'unavailable'::text, 'unknown'::text]))
);
CREATE INDEX heartbeat_change_at_idx ON heartbeat_change USING brin (at);

CREATE TABLE idempotency_key (
  principal_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  operation text NOT NULL,
  key text NOT NULL,
  fingerprint bytea NOT NULL,
  stage text DEFAULT 'claimed'::text NOT NULL,
  owner uuid NOT NULL,
  locked_until timestamp(3) with time zone NOT NULL,
  expires timestamp(3) with time zone NOT NULL,
  answer bytea,
  location text,
  CONSTRAINT idempotency_key_pkey PRIMARY KEY (principal_id, workspace_id, operation, key),
  CONSTRAINT idempotency_key_stage_check CHECK (stage = ANY (ARRAY['claimed'::text, 'committed'::text, 'done'::text]))
);
CREATE INDEX idempotency_key_expires_idx ON idempotency_key USING btree (expires);

CREATE TABLE idempotency_usage (
  principal_id uuid NOT NULL,
  bytes bigint NOT NULL,
  CONSTRAINT idempotency_usage_pkey PRIMARY KEY (principal_id),
  CONSTRAINT idempotency_usage_bytes_check CHECK (bytes >= 0)
);

CREATE TABLE imported_ping_token (
  monitor_id uuid NOT NULL,
  hash bytea NOT NULL,
  CONSTRAINT imported_ping_token_pkey PRIMARY KEY (monitor_id),
  CONSTRAINT imported_ping_token_monitor_fk FOREIGN KEY (monitor_id) REFERENCES monitor(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX imported_ping_token_hash_key ON imported_ping_token USING btree (hash);

CREATE TABLE incident (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  monitor_key bigint NOT NULL,
  monitor_id uuid NOT NULL,
  monitor_name text NOT NULL,
  incident_type text NOT NULL,
  status text DEFAULT 'Ongoing'::text NOT NULL,
  is_closed boolean DEFAULT false NOT NULL,
  severity text NOT NULL,
  regions text[] DEFAULT '{}'::text[] NOT NULL,
  acknowledged boolean DEFAULT false NOT NULL,
  acknowledged_at timestamp(3) with time zone,
  acknowledged_by uuid,
  closed_by uuid,
  started timestamp(3) with time zone NOT NULL,
  ended timestamp(3) with time zone,
  failure_reason text NOT NULL,
  context jsonb DEFAULT '{}'::jsonb NOT NULL,
  created timestamp(3) with time zone NOT NULL,
  last_modified timestamp(3) with time zone NOT NULL,
  worst_severity text,
  CONSTRAINT incident_pkey PRIMARY KEY (id),
  CONSTRAINT incident_severity_check CHECK (severity = ANY (ARRAY['down'::text, 'partial'::text, 'warning'::text])),
  CONSTRAINT incident_status_check CHECK (status = ANY (ARRAY['Ongoing'::text, 'Investigating'::text, 'Resolved'::text])),
  CONSTRAINT incident_type_check CHECK (incident_type = ANY (ARRAY['Availability'::text, 'Assertion'::text, 'SslExpiry'::text, 'Latency'::text, 'Dns'::text, 'Domain'::text, 'Heartbeat'::text])),
  CONSTRAINT incident_worst_severity_check CHECK (worst_severity = ANY (ARRAY['down'::text, 'partial'::text, 'warning'::text])),
  CONSTRAINT incident_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON DELETE CASCADE
);
CREATE INDEX incident_closed_idx ON incident USING btree (workspace_id, last_modified) WHERE is_closed;
CREATE INDEX incident_monitor_idx ON incident USING btree (monitor_key, started DESC, id DESC);
CREATE UNIQUE INDEX incident_open_key ON incident USING btree (workspace_id, monitor_key, incident_type) WHERE NOT is_closed;
CREATE INDEX incident_workspace_idx ON incident USING btree (workspace_id, started DESC, id DESC);
CREATE TRIGGER incident_added_event AFTER INSERT ON incident REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION incident_changed_event();
CREATE TRIGGER incident_changed_event AFTER UPDATE ON incident REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION incident_changed_event();

CREATE TABLE incident_dependent (
  incident_id uuid NOT NULL,
  monitor_key bigint NOT NULL,
  workspace_id uuid NOT NULL,
  monitor_id uuid NOT NULL,
  monitor_name text NOT NULL,
  incident_type text NOT NULL,
  severity text NOT NULL,
  regions text[] NOT NULL,
  failure_reason text NOT NULL,
  context jsonb NOT NULL,
  failed timestamp(3) with time zone NOT NULL,
  ended timestamp(3) with time zone,
  own_incident_id uuid,
  CONSTRAINT incident_dependent_pkey PRIMARY KEY (incident_id, monitor_key),
  CONSTRAINT incident_dependent_incident_fk FOREIGN KEY (incident_id) REFERENCES incident(id) ON DELETE CASCADE
);
CREATE INDEX incident_dependent_failing_idx ON incident_dependent USING btree (monitor_key) WHERE ended IS NULL;

CREATE TABLE incident_event (
  workspace_id uuid NOT NULL,
  incident_id uuid NOT NULL,
  seq bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  at timestamp(3) with time zone NOT NULL,
  type text NOT NULL,
  actor uuid,
  detail jsonb DEFAULT '{}'::jsonb NOT NULL,
  CONSTRAINT incident_event_pkey PRIMARY KEY (incident_id, seq, workspace_id),
  CONSTRAINT incident_event_incident_fk FOREIGN KEY (incident_id) REFERENCES incident(id) ON DELETE CASCADE
);
CREATE TRIGGER incident_event_event AFTER INSERT ON incident_event REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION incident_entries_event();

CREATE TABLE incident_note (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  incident_id uuid NOT NULL,
  note text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  created_by uuid NOT NULL,
  last_modified timestamp(3) with time zone NOT NULL,
  modified_by uuid NOT NULL,
  CONSTRAINT incident_note_pkey PRIMARY KEY (id),
  CONSTRAINT incident_note_incident_fk FOREIGN KEY (incident_id) REFERENCES incident(id) ON DELETE CASCADE
);
CREATE INDEX incident_note_incident_idx ON incident_note USING btree (incident_id, created_at DESC, id DESC);
CREATE TRIGGER incident_note_event AFTER INSERT OR DELETE OR UPDATE ON incident_note FOR EACH ROW EXECUTE FUNCTION incident_entry_event();

CREATE TABLE incident_paging (
  workspace_id uuid NOT NULL,
  incident_id uuid NOT NULL,
  team_id uuid NOT NULL,
  monitor_key bigint NOT NULL,
  step smallint DEFAULT 0 NOT NULL,
  round smallint DEFAULT 0 NOT NULL,
  policy_id uuid,
  awaited uuid[],
  awaited_count smallint DEFAULT 0 NOT NULL,
  ack_expires_at timestamp(3) with time zone,
  began timestamp(3) with time zone NOT NULL,
  due_at timestamp(3) with time zone,
  waited_until timestamp(3) with time zone,
  CONSTRAINT incident_paging_pkey PRIMARY KEY (incident_id, team_id),
  CONSTRAINT incident_paging_incident_fk FOREIGN KEY (incident_id) REFERENCES incident(id) ON DELETE CASCADE,
  CONSTRAINT incident_paging_team_fk FOREIGN KEY (team_id) REFERENCES team(id) ON DELETE CASCADE
);
CREATE INDEX incident_paging_due_idx ON incident_paging USING btree (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX incident_paging_expiry_idx ON incident_paging USING btree (ack_expires_at) WHERE ack_expires_at IS NOT NULL;
CREATE INDEX incident_paging_team_idx ON incident_paging USING btree (team_id);

CREATE TABLE installation (
  id uuid NOT NULL,
  is_only boolean DEFAULT true NOT NULL,
  key_mark bytea,
  CONSTRAINT installation_pkey PRIMARY KEY (id),
  CONSTRAINT installation_only_key UNIQUE (is_only),
  CONSTRAINT installation_only_check CHECK (is_only)
);

CREATE TABLE invitation (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  email text NOT NULL,
  role text NOT NULL,
  status text DEFAULT 'pending'::text NOT NULL,
  invited_by uuid NOT NULL,
  token_hash bytea NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  created timestamp(3) with time zone NOT NULL,
  last_modified timestamp(3) with time zone NOT NULL,
  CONSTRAINT invitation_pkey PRIMARY KEY (id),
  CONSTRAINT invitation_token_key UNIQUE (token_hash),
  CONSTRAINT invitation_role_check CHECK (role = ANY (ARRAY['Viewer'::text, 'Responder'::text, 'Editor'::text, 'Admin'::text])),
  CONSTRAINT invitation_status_check CHECK (status = ANY (ARRAY['pending'::text, 'accepted'::text, 'declined'::text, 'revoked'::text])),
  CONSTRAINT invitation_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX invitation_pending_key ON invitation USING btree (workspace_id, email) WHERE status = 'pending'::text;
CREATE INDEX invitation_settled_idx ON invitation USING btree (last_modified) WHERE status <> 'pending'::text;
CREATE INDEX invitation_workspace_idx ON invitation USING btree (workspace_id, created DESC, id DESC);
CREATE TRIGGER invitation_event AFTER INSERT OR DELETE OR UPDATE ON invitation FOR EACH ROW EXECUTE FUNCTION workspace_object_event('invitation');

CREATE TABLE invitation_link (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  email text NOT NULL,
  owner_id uuid NOT NULL,
  invited_by uuid NOT NULL,
  created timestamp(3) with time zone NOT NULL,
  CONSTRAINT invitation_link_pkey PRIMARY KEY (id)
);
CREATE INDEX invitation_link_created_idx ON invitation_link USING btree (created);
CREATE INDEX invitation_link_email_idx ON invitation_link USING btree (email, created);
CREATE INDEX invitation_link_inviter_idx ON invitation_link USING btree (invited_by, created);

CREATE TABLE last_answer (
  monitor_key bigint NOT NULL,
  kind smallint NOT NULL,
  region smallint NOT NULL,
  target text NOT NULL,
  checked_at timestamp(3) with time zone NOT NULL,
  started_at timestamp(3) with time zone NOT NULL,
  message text,
  answered_at timestamp(3) with time zone,
  hash uuid,
  answer jsonb,
  seen jsonb,
  CONSTRAINT last_answer_pkey PRIMARY KEY (monitor_key, kind, region)
) WITH (fillfactor=70);

CREATE TABLE late_result (
  monitor_key bigint NOT NULL,
  day timestamp(3) with time zone NOT NULL
) WITH (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=5000);
CREATE INDEX late_result_day_idx ON late_result USING btree (day, monitor_key);

CREATE TABLE local_mail (
  id uuid NOT NULL,
  at timestamp(3) with time zone NOT NULL,
  recipient text NOT NULL,
  subject text NOT NULL,
  text text NOT NULL,
  html text NOT NULL,
  CONSTRAINT local_mail_pkey PRIMARY KEY (id)
);

CREATE TABLE maintenance_cancellation (
  window_id uuid NOT NULL,
  starts timestamp(3) with time zone NOT NULL,
  ends timestamp(3) with time zone NOT NULL,
  cancelled timestamp(3) with time zone NOT NULL,
  CONSTRAINT maintenance_cancellation_pkey PRIMARY KEY (window_id, starts),
  CONSTRAINT maintenance_cancellation_window_fk FOREIGN KEY (window_id) REFERENCES maintenance_window(id) ON DELETE CASCADE
);
CREATE INDEX maintenance_cancellation_ends_idx ON maintenance_cancellation USING btree (ends);

CREATE TABLE maintenance_occurrence (
  window_id uuid NOT NULL,
  starts timestamp(3) with time zone NOT NULL,
  ends timestamp(3) with time zone NOT NULL,
  stage text DEFAULT 'planned'::text NOT NULL,
  changed timestamp(3) with time zone,
  CONSTRAINT maintenance_occurrence_pkey PRIMARY KEY (window_id, starts),
  CONSTRAINT maintenance_occurrence_order_check CHECK (starts < ends),
  CONSTRAINT maintenance_occurrence_stage_check CHECK (stage = ANY (ARRAY['planned'::text, 'opened'::text, 'running'::text, 'over'::text])),
  CONSTRAINT maintenance_occurrence_window_fk FOREIGN KEY (window_id) REFERENCES maintenance_window(id) ON DELETE CASCADE
);
CREATE INDEX maintenance_occurrence_due_idx ON maintenance_occurrence USING btree (starts) WHERE stage <> 'over'::text;
CREATE TRIGGER maintenance_stage_event AFTER UPDATE ON maintenance_occurrence FOR EACH ROW WHEN (old.stage <> new.stage AND (new.stage = ANY (ARRAY['running'::text, 'over'::text]))) EXECUTE FUNCTION maintenance_stage_event();

CREATE TABLE maintenance_period (
  monitor_key bigint NOT NULL,
  window_id uuid NOT NULL,
  starts timestamp(3) with time zone NOT NULL,
  ends timestamp(3) with time zone NOT NULL,
  workspace_id uuid NOT NULL,
  occurrence_starts timestamp(3) with time zone NOT NULL,
  pauses_checks boolean NOT NULL,
  CONSTRAINT maintenance_period_pkey PRIMARY KEY (monitor_key, window_id, starts),
  CONSTRAINT maintenance_period_order_check CHECK (starts < ends),
  CONSTRAINT maintenance_period_window_fk FOREIGN KEY (window_id) REFERENCES maintenance_window(id) ON DELETE CASCADE
);
CREATE INDEX maintenance_period_monitor_idx ON maintenance_period USING btree (monitor_key, ends);
CREATE INDEX maintenance_period_window_idx ON maintenance_period USING btree (window_id, ends);
CREATE INDEX maintenance_period_workspace_idx ON maintenance_period USING btree (workspace_id, ends);

CREATE TABLE maintenance_window (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  name text NOT NULL,
  description text NOT NULL,
  starts_at text NOT NULL,
  timezone text NOT NULL,
  duration_ms integer NOT NULL,
  recurrence text,
  started_now timestamp(3) with time zone,
  monitor_ids uuid[] NOT NULL,
  service_group_ids uuid[] NOT NULL,
  tags text[] NOT NULL,
  covers_all boolean NOT NULL,
  pauses_checks boolean NOT NULL,
  status_page_ids uuid[] NOT NULL,
  notify_subscribers boolean NOT NULL,
  stored_until timestamp(3) with time zone,
  created timestamp(3) with time zone NOT NULL,
  last_modified timestamp(3) with time zone NOT NULL,
  deleted_at timestamp(3) with time zone,
  CONSTRAINT maintenance_window_pkey PRIMARY KEY (id),
  CONSTRAINT maintenance_window_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON DELETE CASCADE
);
CREATE INDEX maintenance_window_stored_idx ON maintenance_window USING btree (stored_until) WHERE stored_until IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX maintenance_window_workspace_idx ON maintenance_window USING btree (workspace_id, created, id) WHERE deleted_at IS NULL;
CREATE TRIGGER maintenance_window_event AFTER INSERT OR UPDATE ON maintenance_window FOR EACH ROW EXECUTE FUNCTION workspace_object_event('maintenance');

CREATE TABLE managed_object (
  workspace_id uuid NOT NULL,
  project text NOT NULL,
  kind text NOT NULL,
  key text NOT NULL,
  object_id uuid NOT NULL,
  CONSTRAINT managed_object_pkey PRIMARY KEY (workspace_id, project, kind, key),
  CONSTRAINT managed_object_object_key UNIQUE (workspace_id, kind, object_id),
  CONSTRAINT managed_object_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON DELETE CASCADE
);

CREATE TABLE mark (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  at timestamp(3) with time zone NOT NULL,
  text text NOT NULL,
  tags text[] NOT NULL,
  url text,
  created timestamp(3) with time zone NOT NULL,
  CONSTRAINT mark_pkey PRIMARY KEY (id),
  CONSTRAINT mark_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON DELETE CASCADE
);
CREATE INDEX mark_at_idx ON mark USING btree (at);
CREATE INDEX mark_workspace_idx ON mark USING btree (workspace_id, at, id);

CREATE TABLE mcp_ended_session (
  id uuid NOT NULL,
  expires timestamp with time zone NOT NULL,
  CONSTRAINT mcp_ended_session_pkey PRIMARY KEY (id)
);
CREATE INDEX mcp_ended_session_expires ON mcp_ended_session USING btree (expires DESC, id);

CREATE TABLE monitor (
  id uuid NOT NULL,
  key bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  workspace_id uuid NOT NULL,
  owner_id uuid,
  name text NOT NULL,
  url text,
  site text DEFAULT ''::text NOT NULL,
  monitor_types text[] NOT NULL,
  monitoring_status text DEFAULT 'enabled'::text NOT NULL,
  check_interval_ms integer NOT NULL,
  check_timeout_ms integer NOT NULL,
  checks_before_alert smallint NOT NULL,
  checks_before_recovery smallint NOT NULL,
  enabled_regions text[] DEFAULT '{}'::text[] NOT NULL,
  home_region boolean DEFAULT true NOT NULL,
  private_locations smallint[] DEFAULT '{}'::smallint[] NOT NULL,
  service_group_id uuid,
  reporting jsonb NOT NULL,
  settings jsonb DEFAULT '{}'::jsonb NOT NULL,
  secrets bytea,
  created timestamp(3) with time zone NOT NULL,
  last_modified timestamp(3) with time zone NOT NULL,
  checks_changed timestamp(3) with time zone NOT NULL,
  revision bigint NOT NULL,
  deleted_at timestamp(3) with time zone,
  buried_with uuid,
  tags text[] DEFAULT '{}'::text[] NOT NULL,
  checks_held boolean DEFAULT false NOT NULL,
  heartbeat jsonb,
  depends_on uuid[] DEFAULT '{}'::uuid[] NOT NULL,
  team_id uuid,
  CONSTRAINT monitor_pkey PRIMARY KEY (id),
  CONSTRAINT monitor_key_key UNIQUE (key),
  CONSTRAINT monitor_status_check CHECK (monitoring_status = ANY (ARRAY['enabled'::text, 'disabled'::text, 'paused'::text])),
  CONSTRAINT monitor_buried_with_fk FOREIGN KEY (buried_with) REFERENCES service_group(id) ON DELETE SET NULL,
  CONSTRAINT monitor_service_group_fk FOREIGN KEY (service_group_id) REFERENCES service_group(id) ON DELETE SET NULL,
  CONSTRAINT monitor_team_fk FOREIGN KEY (team_id) REFERENCES team(id) ON DELETE SET NULL
);
CREATE INDEX monitor_buried_with_idx ON monitor USING btree (buried_with) WHERE buried_with IS NOT NULL;
CREATE INDEX monitor_count_idx ON monitor USING btree (workspace_id, monitoring_status, enabled_regions) INCLUDE (key, service_group_id) WHERE deleted_at IS NULL;
CREATE INDEX monitor_domain_idx ON monitor USING btree (url) WHERE monitor_types = '{Domain}'::text[] AND deleted_at IS NULL;
CREATE INDEX monitor_held_idx ON monitor USING btree (key) WHERE checks_held;
CREATE INDEX monitor_reporting_idx ON monitor USING btree (workspace_id) WHERE deleted_at IS NULL AND reporting @? '$.*?(@ == true)'::jsonpath;
CREATE INDEX monitor_revision_idx ON monitor USING btree (revision, key);
CREATE INDEX monitor_service_group_idx ON monitor USING btree (service_group_id) WHERE service_group_id IS NOT NULL;
CREATE INDEX monitor_shard_idx ON monitor USING btree ((key % 16384::bigint));
CREATE INDEX monitor_tag_idx ON monitor USING gin (array_prepend(workspace_id::text, tags)) WHERE deleted_at IS NULL AND tags <> '{}'::text[];
CREATE INDEX monitor_team_idx ON monitor USING btree (team_id) WHERE team_id IS NOT NULL;
CREATE INDEX monitor_tombstone_idx ON monitor USING btree (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX monitor_workspace_idx ON monitor USING btree (workspace_id, created DESC, id DESC) WHERE deleted_at IS NULL;
CREATE TRIGGER monitor_added_event AFTER INSERT ON monitor REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION monitor_event();
CREATE TRIGGER monitor_event AFTER UPDATE ON monitor REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION monitor_event();
CREATE TRIGGER monitor_owner BEFORE INSERT OR UPDATE ON monitor FOR EACH ROW EXECUTE FUNCTION monitor_owner();
CREATE TRIGGER monitor_regions_added AFTER INSERT ON monitor REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION count_region_owners();
CREATE TRIGGER monitor_regions_changed AFTER UPDATE ON monitor REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION count_region_owners();
CREATE TRIGGER monitor_regions_removed AFTER DELETE ON monitor REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION count_region_owners();
CREATE TRIGGER monitor_schedule_kept AFTER UPDATE ON monitor FOR EACH ROW WHEN (old.checks_changed <> new.checks_changed OR old.check_interval_ms <> new.check_interval_ms) EXECUTE FUNCTION monitor_keep_schedule();
CREATE TRIGGER monitor_touch BEFORE INSERT OR UPDATE ON monitor FOR EACH ROW EXECUTE FUNCTION monitor_touch();

CREATE TABLE monitor_day (
  monitor_key bigint NOT NULL,
  until timestamp(3) with time zone NOT NULL,
  uptime double precision,
  p95_us integer,
  CONSTRAINT monitor_day_pkey PRIMARY KEY (monitor_key)
) WITH (fillfactor=80);

CREATE TABLE monitor_state (
  monitor_key bigint NOT NULL,
  workspace_id uuid NOT NULL,
  health_status text,
  verdict text DEFAULT 'unknown'::text NOT NULL,
  verdict_since timestamp(3) with time zone NOT NULL,
  decide_at timestamp(3) with time zone,
  memory jsonb DEFAULT '{}'::jsonb NOT NULL,
  CONSTRAINT monitor_state_pkey PRIMARY KEY (monitor_key),
  CONSTRAINT monitor_state_health_check CHECK (health_status = ANY (ARRAY['available'::text, 'unavailable'::text, 'degraded'::text])),
  CONSTRAINT monitor_state_verdict_check CHECK (verdict = ANY (ARRAY['available'::text, 'partial'::text, 'unavailable'::text, 'unknown'::text]))
) WITH (fillfactor=80);
CREATE INDEX monitor_state_decide_idx ON monitor_state USING btree (decide_at) WHERE decide_at IS NOT NULL;
CREATE INDEX monitor_state_workspace_idx ON monitor_state USING btree (workspace_id);
CREATE TRIGGER monitor_state_event AFTER UPDATE ON monitor_state REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION monitor_state_event();

CREATE TABLE notification_wait (
  group_id uuid NOT NULL,
  subject_id uuid NOT NULL,
  reason text NOT NULL,
  workspace_id uuid NOT NULL,
  event_id uuid,
  due_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT notification_wait_pkey PRIMARY KEY (group_id, subject_id, reason),
  CONSTRAINT notification_wait_reason_check CHECK (reason = ANY (ARRAY['first'::text, 'held'::text, 'repeat'::text])),
  CONSTRAINT notification_wait_group_fk FOREIGN KEY (group_id) REFERENCES action_group(id) ON DELETE CASCADE,
  CONSTRAINT notification_wait_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON DELETE CASCADE
);
CREATE INDEX notification_wait_due_idx ON notification_wait USING btree (due_at);
CREATE INDEX notification_wait_workspace_idx ON notification_wait USING btree (workspace_id, due_at);

CREATE TABLE notified_change (
  monitor_key bigint NOT NULL,
  workspace_id uuid NOT NULL,
  memory jsonb DEFAULT '{}'::jsonb NOT NULL,
  CONSTRAINT notified_change_pkey PRIMARY KEY (monitor_key)
);

CREATE TABLE on_call_calendar_link (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  team_id uuid NOT NULL,
  user_id uuid NOT NULL,
  hash bytea NOT NULL,
  name text NOT NULL,
  created timestamp(3) with time zone NOT NULL,
  last_read timestamp(3) with time zone,
  CONSTRAINT on_call_calendar_link_pkey PRIMARY KEY (id),
  CONSTRAINT on_call_calendar_link_member_fk FOREIGN KEY (workspace_id, user_id) REFERENCES workspace_member(workspace_id, user_id) ON DELETE CASCADE,
  CONSTRAINT on_call_calendar_link_team_fk FOREIGN KEY (team_id) REFERENCES team(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX on_call_calendar_link_hash_key ON on_call_calendar_link USING btree (hash);
CREATE INDEX on_call_calendar_link_member_idx ON on_call_calendar_link USING btree (workspace_id, user_id);
CREATE INDEX on_call_calendar_link_team_idx ON on_call_calendar_link USING btree (team_id, created DESC, id DESC);

CREATE TABLE on_call_override (
  id uuid NOT NULL,
  seq bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  workspace_id uuid NOT NULL,
  team_id uuid NOT NULL,
  schedule_id uuid NOT NULL,
  user_id uuid NOT NULL,
  starts timestamp(3) with time zone NOT NULL,
  ends timestamp(3) with time zone NOT NULL,
  reason text,
  swap_id uuid,
  created timestamp(3) with time zone NOT NULL,
  CONSTRAINT on_call_override_pkey PRIMARY KEY (id),
  CONSTRAINT on_call_override_span_check CHECK (starts < ends),
  CONSTRAINT on_call_override_member_fk FOREIGN KEY (team_id, user_id) REFERENCES team_member(team_id, user_id) ON DELETE CASCADE,
  CONSTRAINT on_call_override_schedule_fk FOREIGN KEY (schedule_id) REFERENCES on_call_schedule(id) ON DELETE CASCADE,
  CONSTRAINT on_call_override_swap_fk FOREIGN KEY (swap_id) REFERENCES on_call_swap(id) ON DELETE CASCADE
);
CREATE INDEX on_call_override_schedule_idx ON on_call_override USING btree (schedule_id);
CREATE INDEX on_call_override_swap_idx ON on_call_override USING btree (swap_id);
CREATE INDEX on_call_override_team_idx ON on_call_override USING btree (team_id, user_id);

CREATE TABLE on_call_participant (
  schedule_id uuid NOT NULL,
  layer integer NOT NULL,
  turn integer NOT NULL,
  user_id uuid NOT NULL,
  team_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  CONSTRAINT on_call_participant_pkey PRIMARY KEY (schedule_id, layer, turn),
  CONSTRAINT on_call_participant_member_fk FOREIGN KEY (team_id, user_id) REFERENCES team_member(team_id, user_id) ON DELETE CASCADE,
  CONSTRAINT on_call_participant_schedule_fk FOREIGN KEY (schedule_id) REFERENCES on_call_schedule(id) ON DELETE CASCADE
);
CREATE INDEX on_call_participant_member_idx ON on_call_participant USING btree (team_id, user_id);
CREATE UNIQUE INDEX on_call_participant_user_key ON on_call_participant USING btree (schedule_id, layer, user_id);

CREATE TABLE on_call_schedule (
  id uuid NOT NULL,
  seq bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  workspace_id uuid NOT NULL,
  team_id uuid NOT NULL,
  name text NOT NULL,
  timezone text NOT NULL,
  layers jsonb NOT NULL,
  former jsonb DEFAULT '[]'::jsonb NOT NULL,
  holidays jsonb DEFAULT '[]'::jsonb NOT NULL,
  holiday_calendar jsonb,
  holidays_due timestamp(3) with time zone,
  remind_at timestamp(3) with time zone,
  created timestamp(3) with time zone NOT NULL,
  last_modified timestamp(3) with time zone NOT NULL,
  CONSTRAINT on_call_schedule_pkey PRIMARY KEY (id),
  CONSTRAINT on_call_schedule_team_fk FOREIGN KEY (team_id) REFERENCES team(id) ON DELETE CASCADE
);
CREATE INDEX on_call_schedule_holidays_idx ON on_call_schedule USING btree (holidays_due);
CREATE INDEX on_call_schedule_remind_idx ON on_call_schedule USING btree (remind_at);
CREATE INDEX on_call_schedule_team_idx ON on_call_schedule USING btree (team_id, seq);

CREATE TABLE on_call_swap (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  team_id uuid NOT NULL,
  schedule_id uuid NOT NULL,
  user_id uuid NOT NULL,
  with_user_id uuid,
  taken_by uuid,
  state text NOT NULL,
  shift_start timestamp(3) with time zone NOT NULL,
  shift_end timestamp(3) with time zone NOT NULL,
  created timestamp(3) with time zone NOT NULL,
  last_modified timestamp(3) with time zone NOT NULL,
  CONSTRAINT on_call_swap_pkey PRIMARY KEY (id),
  CONSTRAINT on_call_swap_state_check CHECK (state = ANY (ARRAY['open'::text, 'taken'::text, 'declined'::text, 'expired'::text, 'withdrawn'::text, 'void'::text])),
  CONSTRAINT on_call_swap_taken_check CHECK (state <> 'taken'::text OR taken_by IS NOT NULL),
  CONSTRAINT on_call_swap_schedule_fk FOREIGN KEY (schedule_id) REFERENCES on_call_schedule(id) ON DELETE CASCADE
);
CREATE INDEX on_call_swap_schedule_idx ON on_call_swap USING btree (schedule_id, created DESC, id DESC);
CREATE INDEX on_call_swap_state_idx ON on_call_swap USING btree (state, shift_start);

CREATE TABLE operator_notice (
  id uuid NOT NULL,
  created timestamp(3) with time zone NOT NULL,
  kind text NOT NULL,
  region text,
  message text NOT NULL,
  detail jsonb NOT NULL,
  CONSTRAINT operator_notice_pkey PRIMARY KEY (id)
);
CREATE INDEX operator_notice_created_idx ON operator_notice USING btree (created);
CREATE TRIGGER operator_notice_event AFTER INSERT ON operator_notice FOR EACH ROW WHEN (new.region IS NOT NULL) EXECUTE FUNCTION fleet_event();

CREATE TABLE outgoing_mail (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  recipient text NOT NULL,
  lane text NOT NULL,
  content jsonb NOT NULL,
  once_key text,
  state text DEFAULT 'waiting'::text NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  answer text,
  created timestamp(3) with time zone NOT NULL,
  CONSTRAINT outgoing_mail_pkey PRIMARY KEY (id),
  CONSTRAINT outgoing_mail_once_key UNIQUE (once_key),
  CONSTRAINT outgoing_mail_state_check CHECK (state = ANY (ARRAY['waiting'::text, 'delivered'::text, 'failed'::text])),
  CONSTRAINT outgoing_mail_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON DELETE CASCADE
);
CREATE INDEX outgoing_mail_created_idx ON outgoing_mail USING btree (created);
CREATE INDEX outgoing_mail_oldest_idx ON outgoing_mail USING btree (created) WHERE state = 'waiting'::text;
CREATE INDEX outgoing_mail_waiting_idx ON outgoing_mail USING btree (workspace_id, lane, id) WHERE state = 'waiting'::text;
CREATE INDEX outgoing_mail_workspace_idx ON outgoing_mail USING btree (workspace_id);

CREATE TABLE packed_result (
  monitor_key bigint NOT NULL,
  starts_at timestamp(3) with time zone NOT NULL,
  ends_at timestamp(3) with time zone NOT NULL,
  step_ms integer NOT NULL,
  results smallint NOT NULL,
  kind smallint NOT NULL,
  region smallint NOT NULL,
  bits bit varying NOT NULL,
  CONSTRAINT packed_result_pkey PRIMARY KEY (monitor_key, starts_at, kind, region)
) PARTITION BY RANGE (starts_at);

CREATE TABLE packing_progress (
  is_only boolean DEFAULT true NOT NULL,
  packed_until timestamp(3) with time zone,
  day timestamp(3) with time zone,
  after_key bigint DEFAULT 0 NOT NULL,
  complete_at timestamp(3) with time zone,
  CONSTRAINT packing_progress_pkey PRIMARY KEY (is_only),
  CONSTRAINT packing_progress_only_check CHECK (is_only)
);

CREATE TABLE page_reminder (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  incident_id uuid NOT NULL,
  team_id uuid NOT NULL,
  user_id uuid NOT NULL,
  monitor_key bigint NOT NULL,
  channel text NOT NULL,
  paged timestamp(3) with time zone NOT NULL,
  due_at timestamp(3) with time zone NOT NULL,
  about jsonb NOT NULL,
  CONSTRAINT page_reminder_pkey PRIMARY KEY (id),
  CONSTRAINT page_reminder_incident_fk FOREIGN KEY (incident_id) REFERENCES incident(id) ON DELETE CASCADE,
  CONSTRAINT page_reminder_team_fk FOREIGN KEY (team_id) REFERENCES team(id) ON DELETE CASCADE
);
CREATE INDEX page_reminder_due_idx ON page_reminder USING btree (due_at);
CREATE INDEX page_reminder_incident_idx ON page_reminder USING btree (incident_id);
CREATE INDEX page_reminder_team_idx ON page_reminder USING btree (team_id);

CREATE TABLE ping (
  monitor_key bigint NOT NULL,
  at timestamp(3) with time zone NOT NULL,
  seq bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  kind smallint NOT NULL,
  exit_code smallint,
  rid text,
  runtime_ms bigint,
  remote_address text,
  user_agent text,
  body text,
  CONSTRAINT ping_pkey PRIMARY KEY (monitor_key, at, seq)
);
CREATE INDEX ping_at_idx ON ping USING brin (at);

CREATE TABLE ping_outage (
  started timestamp(3) with time zone NOT NULL,
  ended timestamp(3) with time zone NOT NULL,
  CONSTRAINT ping_outage_pkey PRIMARY KEY (started)
);
CREATE INDEX ping_outage_ended_idx ON ping_outage USING btree (ended);

CREATE TABLE ping_reception (
  id smallint NOT NULL,
  received_until timestamp(3) with time zone NOT NULL,
  CONSTRAINT ping_reception_pkey PRIMARY KEY (id),
  CONSTRAINT ping_reception_one_check CHECK (id = 1)
);

CREATE TABLE ping_token (
  monitor_id uuid NOT NULL,
  hash bytea NOT NULL,
  sealed bytea NOT NULL,
  CONSTRAINT ping_token_pkey PRIMARY KEY (monitor_id),
  CONSTRAINT ping_token_monitor_fk FOREIGN KEY (monitor_id) REFERENCES monitor(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX ping_token_hash_key ON ping_token USING btree (hash);

CREATE TABLE private_location (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  code smallint NOT NULL,
  name text NOT NULL,
  slug text NOT NULL,
  allow_cidrs text[] NOT NULL,
  deny_cidrs text[] NOT NULL,
  labels jsonb NOT NULL,
  reachability text NOT NULL,
  notify_action_group_ids uuid[] NOT NULL,
  silent_since timestamp(3) with time zone,
  deleted_at timestamp(3) with time zone,
  created timestamp(3) with time zone NOT NULL,
  last_modified timestamp(3) with time zone NOT NULL,
  CONSTRAINT private_location_pkey PRIMARY KEY (id),
  CONSTRAINT private_location_code_key UNIQUE (workspace_id, code),
  CONSTRAINT private_location_code_check CHECK (code >= 100),
  CONSTRAINT private_location_reachability_check CHECK (reachability = ANY (ARRAY['advisory'::text, 'voting'::text])),
  CONSTRAINT private_location_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX private_location_slug_key ON private_location USING btree (workspace_id, slug) WHERE deleted_at IS NULL;

CREATE TABLE provider_account (
  id text NOT NULL,
  email text NOT NULL,
  name text NOT NULL,
  password_hash text NOT NULL,
  created timestamp(3) with time zone NOT NULL,
  CONSTRAINT provider_account_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX provider_account_email_key ON provider_account USING btree (lower(email));

CREATE TABLE provider_entity (
  kind text NOT NULL,
  id text NOT NULL,
  payload json NOT NULL,
  grant_id text,
  user_code text,
  uid text,
  consumed_at timestamp(3) with time zone,
  expires_at timestamp(3) with time zone,
  CONSTRAINT provider_entity_pkey PRIMARY KEY (kind, id)
);
CREATE INDEX provider_entity_expires_idx ON provider_entity USING btree (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX provider_entity_grant_idx ON provider_entity USING btree (grant_id) WHERE grant_id IS NOT NULL;
CREATE INDEX provider_entity_uid_idx ON provider_entity USING btree (kind, uid) WHERE uid IS NOT NULL;
CREATE INDEX provider_entity_user_code_idx ON provider_entity USING btree (kind, user_code) WHERE user_code IS NOT NULL;

CREATE TABLE provider_setup (
  id boolean DEFAULT true NOT NULL,
  secrets bytea NOT NULL,
  issuer text NOT NULL,
  audience text NOT NULL,
  created timestamp(3) with time zone NOT NULL,
  CONSTRAINT provider_setup_pkey PRIMARY KEY (id),
  CONSTRAINT provider_setup_one_check CHECK (id)
);

CREATE TABLE purged_revision (
  is_only boolean DEFAULT true NOT NULL,
  revision bigint NOT NULL,
  CONSTRAINT purged_revision_pkey PRIMARY KEY (is_only),
  CONSTRAINT purged_revision_only_check CHECK (is_only)
);

CREATE TABLE region_owner (
  owner_id uuid NOT NULL,
  region text NOT NULL,
  monitors integer NOT NULL,
  sites integer DEFAULT 0 NOT NULL,
  CONSTRAINT region_owner_pkey PRIMARY KEY (owner_id, region)
);
CREATE INDEX region_owner_region_idx ON region_owner USING btree (region);

CREATE TABLE region_site (
  owner_id uuid NOT NULL,
  region text NOT NULL,
  site text NOT NULL,
  monitors integer NOT NULL,
  CONSTRAINT region_site_pkey PRIMARY KEY (owner_id, region, site)
);

CREATE TABLE report_sent (
  workspace_id uuid NOT NULL,
  kind text NOT NULL,
  starts date NOT NULL,
  sent timestamp(3) with time zone NOT NULL,
  CONSTRAINT report_sent_pkey PRIMARY KEY (workspace_id, kind, starts),
  CONSTRAINT report_sent_kind_check CHECK (kind = ANY (ARRAY['daily'::text, 'weekly'::text, 'monthly'::text])),
  CONSTRAINT report_sent_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON DELETE CASCADE
);

CREATE TABLE rollup_progress (
  is_only boolean DEFAULT true NOT NULL,
  closed_until timestamp(3) with time zone,
  CONSTRAINT rollup_progress_pkey PRIMARY KEY (is_only),
  CONSTRAINT rollup_progress_only_check CHECK (is_only)
);

CREATE TABLE schema_version (
  is_only boolean DEFAULT true NOT NULL,
  readable_from integer NOT NULL,
  program text NOT NULL,
  CONSTRAINT schema_version_pkey PRIMARY KEY (is_only),
  CONSTRAINT schema_version_only_check CHECK (is_only)
);

CREATE TABLE second_opinion (
  monitor_key bigint NOT NULL,
  kind smallint NOT NULL,
  region smallint NOT NULL,
  streak_since timestamp(3) with time zone NOT NULL,
  asked timestamp(3) with time zone NOT NULL,
  asked_region smallint,
  answered timestamp(3) with time zone,
  outcome smallint,
  result jsonb,
  refusal text,
  CONSTRAINT second_opinion_pkey PRIMARY KEY (monitor_key, kind, region, streak_since)
);
CREATE INDEX second_opinion_asked_idx ON second_opinion USING btree (asked);

CREATE TABLE series (
  monitor_key bigint NOT NULL,
  counts_from timestamp(3) with time zone NOT NULL,
  last_scheduled_at timestamp(3) with time zone,
  last_started_at timestamp(3) with time zone,
  conclusive_at timestamp(3) with time zone,
  fresh_until timestamp(3) with time zone,
  streak_since timestamp(3) with time zone,
  last_total_us integer DEFAULT 0 NOT NULL,
  streak integer DEFAULT 0 NOT NULL,
  fresh_most_ms integer DEFAULT 7260000 NOT NULL,
  slow_above_us integer,
  kind smallint NOT NULL,
  region smallint NOT NULL,
  last_outcome smallint DEFAULT 0 NOT NULL,
  streak_outcome smallint DEFAULT 0 NOT NULL,
  last_status_code smallint DEFAULT 0 NOT NULL,
  alert_after smallint NOT NULL,
  recover_after smallint NOT NULL,
  failing boolean,
  settled boolean DEFAULT false NOT NULL,
  stale boolean DEFAULT false NOT NULL,
  is_slow boolean DEFAULT false NOT NULL,
  is_warning boolean DEFAULT false NOT NULL,
  answer_verified boolean DEFAULT false NOT NULL,
  is_partial boolean DEFAULT false NOT NULL,
  failed_network text,
  last_message text,
  answer_digest integer,
  CONSTRAINT series_pkey PRIMARY KEY (monitor_key, kind, region)
) WITH (fillfactor=60, autovacuum_vacuum_scale_factor=0.05);
CREATE INDEX series_failing_idx ON series USING btree (streak_since) WHERE streak_outcome = 2;

CREATE TABLE service_call (
  group_id uuid NOT NULL,
  digest bytea NOT NULL,
  answer jsonb,
  at timestamp(3) with time zone NOT NULL,
  CONSTRAINT service_call_pkey PRIMARY KEY (group_id, digest),
  CONSTRAINT service_call_group_fk FOREIGN KEY (group_id) REFERENCES action_group(id) ON DELETE CASCADE
);
CREATE INDEX service_call_at_idx ON service_call USING btree (at);

CREATE TABLE service_group (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  name text NOT NULL,
  hostname text,
  deleted_at timestamp(3) with time zone,
  purge_at timestamp(3) with time zone,
  created timestamp(3) with time zone NOT NULL,
  last_modified timestamp(3) with time zone NOT NULL,
  CONSTRAINT service_group_pkey PRIMARY KEY (id),
  CONSTRAINT service_group_purge_check CHECK ((deleted_at IS NULL) = (purge_at IS NULL)),
  CONSTRAINT service_group_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON DELETE CASCADE
);
CREATE INDEX service_group_purge_idx ON service_group USING btree (purge_at) WHERE purge_at IS NOT NULL;
CREATE INDEX service_group_workspace_idx ON service_group USING btree (workspace_id, created DESC, id DESC);

CREATE TABLE shift_reminder (
  workspace_id uuid NOT NULL,
  schedule_id uuid NOT NULL,
  user_id uuid NOT NULL,
  shift_start timestamp(3) with time zone NOT NULL,
  kind text NOT NULL,
  CONSTRAINT shift_reminder_pkey PRIMARY KEY (schedule_id, user_id, shift_start, kind),
  CONSTRAINT shift_reminder_schedule_fk FOREIGN KEY (schedule_id) REFERENCES on_call_schedule(id) ON DELETE CASCADE
);

CREATE TABLE spent_trial (
  principal bytea NOT NULL,
  spent timestamp(3) with time zone NOT NULL,
  CONSTRAINT spent_trial_pkey PRIMARY KEY (principal)
);

CREATE TABLE status_page (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  name text NOT NULL,
  slug text NOT NULL,
  description text NOT NULL,
  is_published boolean NOT NULL,
  show_incident_history boolean NOT NULL,
  notify_incidents boolean DEFAULT false NOT NULL,
  theme text NOT NULL,
  banner jsonb,
  group_names text[] NOT NULL,
  created timestamp(3) with time zone NOT NULL,
  last_modified timestamp(3) with time zone NOT NULL,
  CONSTRAINT status_page_pkey PRIMARY KEY (id),
  CONSTRAINT status_page_theme_check CHECK (theme = ANY (ARRAY['light'::text, 'dark'::text, 'auto'::text])),
  CONSTRAINT status_page_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX status_page_slug_key ON status_page USING btree (slug);
CREATE INDEX status_page_workspace_idx ON status_page USING btree (workspace_id, created DESC, id DESC);

CREATE TABLE status_page_notice (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  page_id uuid NOT NULL,
  subject text NOT NULL,
  body text NOT NULL,
  post_id uuid,
  created timestamp(3) with time zone NOT NULL,
  sent_through uuid,
  done boolean DEFAULT false NOT NULL,
  CONSTRAINT status_page_notice_pkey PRIMARY KEY (id),
  CONSTRAINT status_page_notice_page_fk FOREIGN KEY (page_id) REFERENCES status_page(id) ON DELETE CASCADE
);
CREATE INDEX status_page_notice_open_idx ON status_page_notice USING btree (created, id) WHERE NOT done;

CREATE TABLE status_page_notified_maintenance (
  page_id uuid NOT NULL,
  window_id uuid NOT NULL,
  starts timestamp(3) with time zone NOT NULL,
  ends timestamp(3) with time zone NOT NULL,
  name text NOT NULL,
  is_over boolean DEFAULT false NOT NULL,
  CONSTRAINT status_page_notified_maintenance_pkey PRIMARY KEY (page_id, window_id, starts),
  CONSTRAINT status_page_notified_maintenance_page_fk FOREIGN KEY (page_id) REFERENCES status_page(id) ON DELETE CASCADE,
  CONSTRAINT status_page_notified_maintenance_window_fk FOREIGN KEY (window_id) REFERENCES maintenance_window(id) ON DELETE CASCADE
);
CREATE INDEX status_page_notified_maintenance_ends_idx ON status_page_notified_maintenance USING btree (ends);
CREATE INDEX status_page_notified_maintenance_open_idx ON status_page_notified_maintenance USING btree (page_id) WHERE NOT is_over;
CREATE INDEX status_page_notified_maintenance_window_idx ON status_page_notified_maintenance USING btree (window_id);

CREATE TABLE status_page_notified_outage (
  page_id uuid NOT NULL,
  incident_id uuid NOT NULL,
  notified_at timestamp(3) with time zone NOT NULL,
  end_notified boolean DEFAULT false NOT NULL,
  CONSTRAINT status_page_notified_outage_pkey PRIMARY KEY (page_id, incident_id),
  CONSTRAINT status_page_notified_outage_incident_fk FOREIGN KEY (incident_id) REFERENCES incident(id) ON DELETE CASCADE,
  CONSTRAINT status_page_notified_outage_page_fk FOREIGN KEY (page_id) REFERENCES status_page(id) ON DELETE CASCADE
);
CREATE INDEX status_page_notified_outage_incident_idx ON status_page_notified_outage USING btree (incident_id);
CREATE INDEX status_page_notified_outage_open_idx ON status_page_notified_outage USING btree (page_id) WHERE NOT end_notified;

CREATE TABLE status_page_post (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  page_id uuid NOT NULL,
  title text NOT NULL,
  body text NOT NULL,
  kind text NOT NULL,
  status text NOT NULL,
  system_ids uuid[] NOT NULL,
  scheduled_start timestamp(3) with time zone,
  scheduled_end timestamp(3) with time zone,
  created_by uuid NOT NULL,
  created timestamp(3) with time zone NOT NULL,
  last_modified timestamp(3) with time zone NOT NULL,
  CONSTRAINT status_page_post_pkey PRIMARY KEY (id),
  CONSTRAINT status_page_post_kind_check CHECK (kind = ANY (ARRAY['incident'::text, 'update'::text, 'maintenance'::text])),
  CONSTRAINT status_page_post_status_check CHECK (status = ANY (ARRAY['investigating'::text, 'identified'::text, 'monitoring'::text, 'resolved'::text, 'scheduled'::text])),
  CONSTRAINT status_page_post_page_fk FOREIGN KEY (page_id) REFERENCES status_page(id) ON DELETE CASCADE
);
CREATE INDEX status_page_post_page_idx ON status_page_post USING btree (page_id, created DESC, id DESC);

CREATE TABLE status_page_post_update (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  post_id uuid NOT NULL,
  status text NOT NULL,
  body text,
  created_by uuid NOT NULL,
  created timestamp(3) with time zone NOT NULL,
  CONSTRAINT status_page_post_update_pkey PRIMARY KEY (id),
  CONSTRAINT status_page_post_update_post_fk FOREIGN KEY (post_id) REFERENCES status_page_post(id) ON DELETE CASCADE
);
CREATE INDEX status_page_post_update_post_idx ON status_page_post_update USING btree (post_id, created DESC, id DESC);

CREATE TABLE status_page_subscriber (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  page_id uuid NOT NULL,
  email text NOT NULL,
  email_key text NOT NULL,
  confirmed_at timestamp(3) with time zone,
  confirm_hash bytea,
  confirm_until timestamp(3) with time zone,
  asked_since timestamp(3) with time zone NOT NULL,
  asked integer DEFAULT 0 NOT NULL,
  created timestamp(3) with time zone NOT NULL,
  CONSTRAINT status_page_subscriber_pkey PRIMARY KEY (id),
  CONSTRAINT status_page_subscriber_address_key UNIQUE (page_id, email_key),
  CONSTRAINT status_page_subscriber_confirm_check CHECK ((confirm_hash IS NULL) = (confirm_until IS NULL)),
  CONSTRAINT status_page_subscriber_page_fk FOREIGN KEY (page_id) REFERENCES status_page(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX status_page_subscriber_confirm_key ON status_page_subscriber USING btree (confirm_hash) WHERE confirm_hash IS NOT NULL;
CREATE INDEX status_page_subscriber_email_idx ON status_page_subscriber USING btree (email_key);
CREATE INDEX status_page_subscriber_pending_idx ON status_page_subscriber USING btree (confirm_until) WHERE confirmed_at IS NULL;

CREATE TABLE status_page_system (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  page_id uuid NOT NULL,
  group_index smallint NOT NULL,
  place smallint NOT NULL,
  name text NOT NULL,
  monitor_id uuid,
  service_group_id uuid,
  override_status text,
  override_message text,
  CONSTRAINT status_page_system_pkey PRIMARY KEY (id),
  CONSTRAINT status_page_system_override_check CHECK (override_status = ANY (ARRAY['operational'::text, 'degraded'::text, 'partialOutage'::text, 'majorOutage'::text, 'maintenance'::text])),
  CONSTRAINT status_page_system_target_check CHECK (num_nonnulls(monitor_id, service_group_id) = 1),
  CONSTRAINT status_page_system_monitor_fk FOREIGN KEY (monitor_id) REFERENCES monitor(id) ON DELETE CASCADE,
  CONSTRAINT status_page_system_page_fk FOREIGN KEY (page_id) REFERENCES status_page(id) ON DELETE CASCADE,
  CONSTRAINT status_page_system_service_group_fk FOREIGN KEY (service_group_id) REFERENCES service_group(id) ON DELETE CASCADE
);
CREATE INDEX status_page_system_monitor_idx ON status_page_system USING btree (monitor_id) WHERE monitor_id IS NOT NULL;
CREATE INDEX status_page_system_page_idx ON status_page_system USING btree (page_id, group_index, place);
CREATE INDEX status_page_system_service_group_idx ON status_page_system USING btree (service_group_id) WHERE service_group_id IS NOT NULL;

CREATE TABLE suspect_period (
  id uuid NOT NULL,
  region smallint NOT NULL,
  reason text NOT NULL,
  onset timestamp(3) with time zone NOT NULL,
  noticed timestamp(3) with time zone NOT NULL,
  calm_since timestamp(3) with time zone,
  ended timestamp(3) with time zone,
  facts jsonb NOT NULL,
  CONSTRAINT suspect_period_pkey PRIMARY KEY (id),
  CONSTRAINT suspect_period_reason_check CHECK (reason = ANY (ARRAY['correlated_failures'::text, 'blind_agents'::text]))
);
CREATE INDEX suspect_period_ended_idx ON suspect_period USING btree (region, ended);
CREATE UNIQUE INDEX suspect_period_open_key ON suspect_period USING btree (region) WHERE ended IS NULL;

CREATE TABLE swap_link (
  hash bytea NOT NULL,
  workspace_id uuid NOT NULL,
  swap_id uuid NOT NULL,
  user_id uuid NOT NULL,
  CONSTRAINT swap_link_pkey PRIMARY KEY (hash),
  CONSTRAINT swap_link_swap_fk FOREIGN KEY (swap_id) REFERENCES on_call_swap(id) ON DELETE CASCADE,
  CONSTRAINT swap_link_user_fk FOREIGN KEY (user_id) REFERENCES user_account(id) ON DELETE CASCADE
);
CREATE INDEX swap_link_swap_idx ON swap_link USING btree (swap_id);
CREATE INDEX swap_link_user_idx ON swap_link USING btree (user_id);

CREATE TABLE team (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  name text NOT NULL,
  description text,
  readiness_mailed timestamp(3) with time zone,
  created timestamp(3) with time zone NOT NULL,
  last_modified timestamp(3) with time zone NOT NULL,
  CONSTRAINT team_pkey PRIMARY KEY (id),
  CONSTRAINT team_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON DELETE CASCADE
);
CREATE INDEX team_workspace_idx ON team USING btree (workspace_id, created DESC, id DESC);

CREATE TABLE team_member (
  team_id uuid NOT NULL,
  user_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  team_role text NOT NULL,
  created timestamp(3) with time zone NOT NULL,
  last_modified timestamp(3) with time zone NOT NULL,
  CONSTRAINT team_member_pkey PRIMARY KEY (team_id, user_id),
  CONSTRAINT team_member_role_check CHECK (team_role = ANY (ARRAY['lead'::text, 'member'::text])),
  CONSTRAINT team_member_team_fk FOREIGN KEY (team_id) REFERENCES team(id) ON DELETE CASCADE,
  CONSTRAINT team_member_workspace_member_fk FOREIGN KEY (workspace_id, user_id) REFERENCES workspace_member(workspace_id, user_id) ON DELETE CASCADE
);
CREATE INDEX team_member_workspace_member_idx ON team_member USING btree (workspace_id, user_id);

CREATE TABLE team_service_group (
  team_id uuid NOT NULL,
  service_group_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  created timestamp(3) with time zone NOT NULL,
  CONSTRAINT team_service_group_pkey PRIMARY KEY (team_id, service_group_id),
  CONSTRAINT team_service_group_group_fk FOREIGN KEY (service_group_id) REFERENCES service_group(id) ON DELETE CASCADE,
  CONSTRAINT team_service_group_team_fk FOREIGN KEY (team_id) REFERENCES team(id) ON DELETE CASCADE
);
CREATE INDEX team_service_group_group_idx ON team_service_group USING btree (service_group_id);

CREATE TABLE user_account (
  id uuid NOT NULL,
  issuer text NOT NULL,
  subject text NOT NULL,
  email text,
  email_verified boolean DEFAULT false NOT NULL,
  email_as_of timestamp(3) with time zone,
  name text,
  plan text DEFAULT 'Starter'::text NOT NULL,
  plan_limits jsonb DEFAULT '{}'::jsonb NOT NULL,
  trial_plan text,
  trial_started timestamp(3) with time zone,
  trial_ends timestamp(3) with time zone,
  trial_fallback text,
  suspended_at timestamp(3) with time zone,
  last_sign_in timestamp(3) with time zone,
  preferences jsonb DEFAULT '{}'::jsonb NOT NULL,
  created timestamp(3) with time zone NOT NULL,
  last_modified timestamp(3) with time zone NOT NULL,
  CONSTRAINT user_account_pkey PRIMARY KEY (id),
  CONSTRAINT user_account_principal_key UNIQUE (issuer, subject),
  CONSTRAINT user_account_plan_check CHECK (plan = ANY (ARRAY['Starter'::text, 'Growth'::text, 'Pro'::text, 'Enterprise'::text])),
  CONSTRAINT user_account_trial_check CHECK ((num_nulls(trial_plan, trial_started, trial_ends) = ANY (ARRAY[0, 3])) AND (trial_plan = ANY (ARRAY['Growth'::text, 'Pro'::text, 'Enterprise'::text])) AND (trial_fallback = ANY (ARRAY['Starter'::text, 'Growth'::text, 'Pro'::text, 'Enterprise'::text])) AND (trial_fallback IS NULL OR trial_plan IS NOT NULL))
);
CREATE INDEX user_account_email_idx ON user_account USING btree (lower(email));
CREATE INDEX user_account_suspended_idx ON user_account USING btree (id) WHERE suspended_at IS NOT NULL;
CREATE INDEX user_account_trial_idx ON user_account USING btree (trial_ends) WHERE trial_fallback IS NOT NULL;
CREATE TRIGGER keep_user_name AFTER INSERT OR UPDATE OF name, email ON user_account FOR EACH ROW EXECUTE FUNCTION keep_user_name();
CREATE TRIGGER user_account_monitors AFTER UPDATE ON user_account FOR EACH ROW WHEN (old.plan IS DISTINCT FROM new.plan OR old.plan_limits IS DISTINCT FROM new.plan_limits OR old.suspended_at IS DISTINCT FROM new.suspended_at) EXECUTE FUNCTION monitor_touch_of_owner();

CREATE TABLE user_name (
  user_id uuid NOT NULL,
  since timestamp(3) with time zone NOT NULL,
  name text,
  CONSTRAINT user_name_pkey PRIMARY KEY (user_id, since),
  CONSTRAINT user_name_user_fk FOREIGN KEY (user_id) REFERENCES user_account(id) ON DELETE CASCADE
);

CREATE TABLE workspace (
  id uuid NOT NULL,
  name text NOT NULL,
  is_personal boolean DEFAULT false NOT NULL,
  owner_id uuid NOT NULL,
  owned_since timestamp(3) with time zone,
  timezone text DEFAULT 'UTC'::text NOT NULL,
  auto_close_incidents boolean DEFAULT true NOT NULL,
  incident_quorum text DEFAULT 'majority'::text NOT NULL,
  default_action_group_ids uuid[] DEFAULT '{}'::uuid[] NOT NULL,
  role_mapping jsonb DEFAULT '{}'::jsonb NOT NULL,
  created timestamp(3) with time zone NOT NULL,
  last_modified timestamp(3) with time zone NOT NULL,
  CONSTRAINT workspace_pkey PRIMARY KEY (id),
  CONSTRAINT workspace_quorum_check CHECK (incident_quorum = ANY (ARRAY['any'::text, 'majority'::text, 'all'::text])),
  CONSTRAINT workspace_owner_fk FOREIGN KEY (owner_id) REFERENCES user_account(id)
);
CREATE INDEX workspace_owner_idx ON workspace USING btree (owner_id);
CREATE UNIQUE INDEX workspace_personal_key ON workspace USING btree (owner_id) WHERE is_personal;
CREATE INDEX workspace_role_mapping_idx ON workspace USING gin (role_mapping) WHERE role_mapping <> '{}'::jsonb;
CREATE TRIGGER workspace_monitors AFTER UPDATE ON workspace FOR EACH ROW WHEN (old.owner_id IS DISTINCT FROM new.owner_id) EXECUTE FUNCTION monitor_touch_of_workspace();
CREATE TRIGGER workspace_monitors_buried AFTER DELETE ON workspace FOR EACH ROW EXECUTE FUNCTION monitor_bury_of_workspace();

CREATE TABLE workspace_day (
  workspace_id uuid NOT NULL,
  until timestamp(3) with time zone NOT NULL,
  figures jsonb NOT NULL,
  CONSTRAINT workspace_day_pkey PRIMARY KEY (workspace_id),
  CONSTRAINT workspace_day_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON DELETE CASCADE
) WITH (fillfactor=80);

CREATE TABLE workspace_event (
  seq bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  workspace_id uuid NOT NULL,
  kind text NOT NULL,
  object_id text NOT NULL,
  xid xid8 DEFAULT pg_current_xact_id() NOT NULL,
  at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
  CONSTRAINT workspace_event_pkey PRIMARY KEY (seq),
  CONSTRAINT workspace_event_kind_check CHECK (kind = ANY (ARRAY['monitor'::text, 'incident'::text, 'maintenance'::text, 'fleet'::text, 'delivery'::text, 'member'::text, 'invitation'::text, 'apiKey'::text]))
);
CREATE INDEX workspace_event_workspace_idx ON workspace_event USING btree (workspace_id, xid);

CREATE TABLE workspace_member (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  user_id uuid NOT NULL,
  role text NOT NULL,
  status text DEFAULT 'active'::text NOT NULL,
  role_source text DEFAULT 'hand'::text NOT NULL,
  notification_preferences jsonb DEFAULT '{}'::jsonb NOT NULL,
  joined timestamp(3) with time zone NOT NULL,
  last_used timestamp(3) with time zone NOT NULL,
  last_modified timestamp(3) with time zone,
  CONSTRAINT workspace_member_pkey PRIMARY KEY (id),
  CONSTRAINT workspace_member_user_key UNIQUE (workspace_id, user_id),
  CONSTRAINT workspace_member_role_check CHECK (role = ANY (ARRAY['Viewer'::text, 'Responder'::text, 'Editor'::text, 'Admin'::text, 'Owner'::text])),
  CONSTRAINT workspace_member_role_source_check CHECK (role_source = ANY (ARRAY['hand'::text, 'claim'::text])),
  CONSTRAINT workspace_member_status_check CHECK (status = ANY (ARRAY['active'::text, 'suspended'::text])),
  CONSTRAINT workspace_member_user_fk FOREIGN KEY (user_id) REFERENCES user_account(id) ON DELETE CASCADE,
  CONSTRAINT workspace_member_workspace_fk FOREIGN KEY (workspace_id) REFERENCES workspace(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX workspace_member_owner_key ON workspace_member USING btree (workspace_id) WHERE role = 'Owner'::text;
CREATE INDEX workspace_member_user_idx ON workspace_member USING btree (user_id);
CREATE TRIGGER workspace_member_changed_event AFTER UPDATE ON workspace_member FOR EACH ROW WHEN (old.role <> new.role OR old.status <> new.status OR old.notification_preferences <> new.notification_preferences) EXECUTE FUNCTION workspace_object_event('member');
CREATE TRIGGER workspace_member_event AFTER INSERT OR DELETE ON workspace_member FOR EACH ROW EXECUTE FUNCTION workspace_object_event('member');

CREATE VIEW account_channel_usage AS
 SELECT workspace.owner_id,
    action_group.type AS channel,
    count(*) AS used
   FROM workspace
     JOIN action_group ON action_group.workspace_id = workspace.id
  GROUP BY workspace.owner_id, action_group.type;

CREATE VIEW account_group_usage AS
 SELECT workspace.owner_id,
    count(*) FILTER (WHERE action_group.type = 'email'::text) AS email_groups,
    count(*) FILTER (WHERE action_group.type = 'slack'::text) AS slack_groups,
    count(*) FILTER (WHERE action_group.type = 'teams'::text) AS ms_teams_groups,
    count(*) FILTER (WHERE action_group.type = ANY (ARRAY['sms'::text, 'voice'::text])) AS sms_groups,
    count(*) FILTER (WHERE action_group.type = 'webhook'::text) AS webhook_groups
   FROM workspace
     JOIN action_group ON action_group.workspace_id = workspace.id
  GROUP BY workspace.owner_id;

CREATE VIEW account_usage AS
 SELECT owner.owner_id,
    monitors.used AS monitors,
    monitors.extra_regions,
    teams.used AS teams,
    locations.used AS private_locations
   FROM ( SELECT DISTINCT workspace.owner_id
           FROM workspace) owner
     CROSS JOIN LATERAL ( SELECT count(*) AS used,
            max(cardinality(monitor.enabled_regions)) AS extra_regions
           FROM workspace
             JOIN monitor ON monitor.workspace_id = workspace.id AND monitor.deleted_at IS NULL
          WHERE workspace.owner_id = owner.owner_id) monitors
     CROSS JOIN LATERAL ( SELECT count(*) AS used
           FROM workspace
             JOIN team ON team.workspace_id = workspace.id
          WHERE workspace.owner_id = owner.owner_id) teams
     CROSS JOIN LATERAL ( SELECT count(*) AS used
           FROM workspace
             JOIN private_location ON private_location.workspace_id = workspace.id
          WHERE workspace.owner_id = owner.owner_id AND private_location.deleted_at IS NULL) locations;

CREATE VIEW agent_kind AS
 SELECT lease.region,
    kind.kind
   FROM fleet_lease lease
     CROSS JOIN LATERAL unnest(lease.capabilities) kind(kind)
     JOIN fleet_process process ON process.id = lease.process_id
     JOIN agent ON agent.id = lease.agent_id
  WHERE lease.connected AND NOT process.stopped AND process.seen > (clock_timestamp() - '00:01:00'::interval) AND agent.status <> 'revoked'::text;

CREATE VIEW agent_visibility AS
 SELECT region,
    visibility,
    last_seen
   FROM agent
  WHERE status <> 'revoked'::text AND workspace_id IS NULL;

CREATE VIEW alert_incident AS
 SELECT workspace_id,
    id,
    jsonb_build_object('id', id, 'workspaceId', workspace_id, 'monitorId', monitor_id, 'monitorName', monitor_name, 'incidentType', incident_type, 'status', status, 'isClosed', is_closed, 'severity', severity, 'worstSeverity', COALESCE(worst_severity, severity), 'regions', ( SELECT COALESCE(jsonb_agg(COALESCE('private:'::text || place.slug, of.named) ORDER BY of.at), '[]'::jsonb) AS "coalesce"
           FROM unnest(i.regions) WITH ORDINALITY of(named, at)
             LEFT JOIN private_location place ON of.named ~~ 'private:#%'::text AND place.workspace_id = i.workspace_id AND ('private:#'::text || place.code) = of.named), 'acknowledged', acknowledged, 'acknowledgedByName', ( SELECT COALESCE(user_account.name, user_account.email) AS "coalesce"
           FROM user_account
          WHERE user_account.id = i.acknowledged_by), 'started', started, 'ended', ended, 'failureReason', failure_reason, 'dependentCount', ( SELECT count(*) AS count
           FROM incident_dependent
          WHERE incident_dependent.incident_id = i.id), 'created', created, 'lastModified', last_modified) AS summary
   FROM incident i;

CREATE VIEW alert_monitor AS
 SELECT workspace_id,
    key,
    jsonb_build_object('id', id, 'name', name, 'url', url, 'monitorTypes', monitor_types) AS summary
   FROM monitor m;

CREATE VIEW check_allowance AS
 SELECT key AS monitor_key,
    2 * check_interval_ms + check_timeout_ms +
        CASE
            WHEN settings @? '$."http"."steps"[*]?(@."always" == true)'::jsonpath THEN 40000
            ELSE 0
        END AS fresh_ms
   FROM monitor;

CREATE VIEW contact_method AS
 SELECT account.id,
    account.workspace_id,
    member.user_id,
    account.type,
    account.account_id AS address,
    ( SELECT g.id
           FROM action_group g
          WHERE g.workspace_id = account.workspace_id AND g.type = account.type AND g.is_enabled
          ORDER BY g.created, g.id
         LIMIT 1) AS lender_id
   FROM chat_account account
     JOIN workspace_member member ON member.id = account.member_id
  WHERE account.use = 'page'::text AND account.confirmed_at IS NOT NULL AND member.status = 'active'::text;

CREATE VIEW group_attachment AS
 SELECT action_group_monitor.group_id,
    action_group_monitor.monitor_key
   FROM action_group_monitor
UNION ALL
 SELECT g.id AS group_id,
    monitor.key AS monitor_key
   FROM action_group g
     JOIN monitor ON monitor.workspace_id = g.workspace_id AND monitor.deleted_at IS NULL AND (g.attach_all OR g.attach_tags && monitor.tags)
  WHERE (g.attach_all OR g.attach_tags <> '{}'::text[]) AND NOT (EXISTS ( SELECT
           FROM action_group_monitor own
          WHERE own.group_id = g.id AND own.monitor_key = monitor.key));

CREATE VIEW group_recipient AS
 SELECT g.workspace_id,
    g.id AS group_id,
    g.is_enabled,
    consent.channel,
    place.address,
    lower(place.address) AS address_key,
    place."position",
    workspace.owner_id,
    COALESCE(account.trial_fallback, account.plan) <> 'Starter'::text AS is_paid,
    known.confirmed_at IS NOT NULL AS is_confirmed,
    known.refused_at IS NOT NULL AS is_refused,
    known.id IS NOT NULL AS is_known,
    g.type = 'email'::text AND (EXISTS ( SELECT
           FROM workspace_member member
             JOIN user_account person ON person.id = member.user_id
          WHERE member.workspace_id = g.workspace_id AND member.status = 'active'::text AND person.email_verified AND lower(person.email) = lower(place.address))) AS is_member
   FROM action_group g
     JOIN workspace ON workspace.id = g.workspace_id
     JOIN user_account account ON account.id = workspace.owner_id
     CROSS JOIN LATERAL ( SELECT
                CASE g.type
                    WHEN 'voice'::text THEN 'sms'::text
                    ELSE g.type
                END AS channel) consent
     CROSS JOIN LATERAL jsonb_array_elements_text(
        CASE consent.channel
            WHEN 'email'::text THEN g.settings -> 'recipients'::text
            WHEN 'sms'::text THEN g.settings -> 'phoneNumbers'::text
            ELSE NULL::jsonb
        END) WITH ORDINALITY place(address, "position")
     LEFT JOIN alert_recipient known ON known.owner_id = workspace.owner_id AND known.channel = consent.channel AND known.address_key = lower(place.address);

CREATE VIEW heartbeat_subject AS
 SELECT key AS monitor_key,
    id AS monitor_id,
    workspace_id,
    owner_id,
    heartbeat AS settings,
    checks_changed,
    monitoring_status = 'enabled'::text AS is_enabled
   FROM monitor
  WHERE heartbeat IS NOT NULL AND deleted_at IS NULL;

CREATE VIEW known_schedule AS
 SELECT monitor.key AS monitor_key,
    monitor.created,
    monitor.checks_changed,
    monitor.check_interval_ms AS interval_ms,
    COALESCE(former.known_since, monitor.created) AS known_since,
    COALESCE(former.changes, '{}'::timestamp with time zone[]) AS former_changes,
    COALESCE(former.intervals_ms, '{}'::integer[]) AS former_intervals_ms
   FROM monitor
     LEFT JOIN former_schedule former ON former.monitor_key = monitor.key;

CREATE VIEW maintenance_page AS
 SELECT workspace_id,
    id AS status_page_id
   FROM status_page;

CREATE VIEW maintenance_subject AS
 SELECT workspace_id,
    key AS monitor_key,
    id AS monitor_id,
    service_group_id,
    tags,
    checks_held,
    heartbeat IS NOT NULL AS is_heartbeat
   FROM monitor
  WHERE deleted_at IS NULL;

CREATE VIEW monitor_dependency AS
 SELECT monitor.workspace_id,
    monitor.id AS monitor_id,
    monitor.key AS monitor_key,
    cause.id AS cause_id,
    cause.key AS cause_key,
    cause.name AS cause_name
   FROM monitor
     CROSS JOIN LATERAL unnest(monitor.depends_on) named(id)
     CROSS JOIN LATERAL ( SELECT one.id,
            one.key,
            one.name
           FROM monitor one
          WHERE one.id = named.id AND one.workspace_id = monitor.workspace_id AND one.deleted_at IS NULL
         LIMIT 1) cause;

CREATE VIEW monitor_maintenance AS
 SELECT workspace_id,
    monitor_key,
    window_id,
    starts,
    ends,
    pauses_checks
   FROM maintenance_period;

CREATE VIEW monitor_view AS
 SELECT monitor.key,
    monitor.id,
    monitor.workspace_id,
    monitor.name,
    monitor.url,
    monitor.monitor_types,
    monitor.monitoring_status,
    monitor.check_interval_ms,
    monitor.check_timeout_ms,
    monitor.checks_before_alert,
    monitor.checks_before_recovery,
    monitor.enabled_regions,
    monitor.home_region,
    monitor.private_locations,
    monitor.service_group_id,
    monitor.team_id,
    monitor.reporting,
    monitor.settings,
    monitor.created,
    monitor.last_modified,
    monitor.checks_changed,
    plan.plan,
    plan.plan_limits,
    state.health_status,
    states.series,
    latest_incident.latest_incident,
    certificate.ssl_status,
    ( SELECT jsonb_agg(jsonb_build_object('kind', found.kind, 'region', found.region, 'scheduledMs', (EXTRACT(epoch FROM found.scheduled_at) * 1000::numeric)::bigint, 'addresses', found.addresses, 'warnings', found.warnings, 'steps', found.steps, 'ping', found.ping) ORDER BY found.kind, found.region) AS jsonb_agg
           FROM check_finding found
          WHERE found.monitor_key = monitor.key) AS findings,
    monitor.tags,
    monitor.heartbeat,
        CASE
            WHEN monitor.heartbeat IS NOT NULL THEN ( SELECT ping_token.sealed
               FROM ping_token
              WHERE ping_token.monitor_id = monitor.id)
            ELSE NULL::bytea
        END AS ping_token,
        CASE
            WHEN monitor.heartbeat IS NOT NULL THEN ( SELECT heartbeat.last_ping
               FROM heartbeat
              WHERE heartbeat.monitor_key = monitor.key)
            ELSE NULL::timestamp with time zone
        END AS last_ping,
        CASE
            WHEN monitor.heartbeat IS NOT NULL THEN ( SELECT heartbeat.expected_by
               FROM heartbeat
              WHERE heartbeat.monitor_key = monitor.key)
            ELSE NULL::timestamp with time zone
        END AS expected_by
   FROM monitor
     JOIN workspace_plan plan ON plan.workspace_id = monitor.workspace_id
     LEFT JOIN monitor_state state ON state.monitor_key = monitor.key
     LEFT JOIN LATERAL ( SELECT jsonb_agg(jsonb_build_object('kind', series.kind, 'region', series.region, 'outcome', series.last_outcome, 'startedMs', (EXTRACT(epoch FROM series.last_started_at) * 1000::numeric)::bigint, 'totalUs', series.last_total_us, 'statusCode', series.last_status_code, 'message', series.last_message, 'failing', series.failing, 'stale', series.stale, 'lastMs', (EXTRACT(epoch FROM series.last_scheduled_at) * 1000::numeric)::bigint, 'conclusiveMs', (EXTRACT(epoch FROM series.conclusive_at) * 1000::numeric)::bigint, 'freshUntilMs', (EXTRACT(epoch FROM NULLIF(series.fresh_until, 'infinity'::timestamp with time zone)) * 1000::numeric)::bigint)) AS series
           FROM series
          WHERE series.monitor_key = monitor.key) states ON true
     LEFT JOIN LATERAL ( SELECT jsonb_build_object('id', incident.id, 'status', incident.status, 'startedMs', (EXTRACT(epoch FROM incident.started) * 1000::numeric)::bigint, 'endedMs', (EXTRACT(epoch FROM incident.ended) * 1000::numeric)::bigint, 'failureReason', incident.failure_reason) AS latest_incident
           FROM incident
          WHERE incident.monitor_key = monitor.key AND incident.workspace_id = monitor.workspace_id
          ORDER BY incident.started DESC, incident.id DESC
         LIMIT 1) latest_incident ON true
     LEFT JOIN LATERAL ( SELECT jsonb_build_object('region', latest.region, 'message', latest.message, 'checkedMs', (EXTRACT(epoch FROM latest.started_at) * 1000::numeric)::bigint, 'detail',
                CASE
                    WHEN latest.answered_at = latest.checked_at THEN latest.answer
                    ELSE NULL::jsonb
                END) AS ssl_status
           FROM last_answer latest
          WHERE ('SslCertificate'::text = ANY (monitor.monitor_types)) AND latest.monitor_key = monitor.key AND latest.kind = 2 AND latest.target = monitor.url
          ORDER BY latest.checked_at DESC, latest.region
         LIMIT 1) certificate ON true
  WHERE monitor.deleted_at IS NULL;

CREATE VIEW nameable_team AS
 SELECT id,
    workspace_id
   FROM team;

CREATE VIEW paged_team AS
 SELECT monitor.workspace_id,
    monitor.key AS monitor_key,
    routing.team_id,
    routing.name AS service_group_name
   FROM monitor
     JOIN routed_service_group routing ON routing.workspace_id = monitor.workspace_id AND routing.service_group_id = monitor.service_group_id
UNION ALL
 SELECT monitor.workspace_id,
    monitor.key AS monitor_key,
    monitor.team_id,
    NULL::text AS service_group_name
   FROM monitor
  WHERE monitor.service_group_id IS NULL AND monitor.team_id IS NOT NULL;

CREATE VIEW reachable_member AS
 SELECT member.workspace_id,
    member.user_id,
    member.role,
    member.notification_preferences AS preferences,
    account.email,
    account.name
   FROM workspace_member member
     JOIN user_account account ON account.id = member.user_id
  WHERE member.status = 'active'::text;

CREATE VIEW report_incident AS
 SELECT workspace_id,
    monitor_id,
    id,
    incident_type,
    severity,
    regions,
    started,
    ended,
    failure_reason,
    COALESCE(worst_severity, severity) AS worst_severity
   FROM incident;

CREATE VIEW report_reader AS
 SELECT g.workspace_id,
    attached.monitor_key,
    address.email
   FROM action_group g
     JOIN group_attachment attached ON attached.group_id = g.id
     CROSS JOIN LATERAL jsonb_array_elements_text(g.settings -> 'recipients'::text) address(email)
  WHERE g.type = 'email'::text AND g.is_enabled;

CREATE VIEW reported_monitor AS
 SELECT workspace_id,
    key,
    id,
    name,
    (reporting ->> 'dailyReport'::text)::boolean AS daily,
    (reporting ->> 'weeklyReport'::text)::boolean AS weekly,
    (reporting ->> 'monthlyReport'::text)::boolean AS monthly
   FROM monitor
  WHERE deleted_at IS NULL AND monitoring_status <> 'disabled'::text AND reporting @? '$.*?(@ == true)'::jsonpath;

CREATE VIEW rollup_subject AS
 SELECT key AS monitor_key
   FROM monitor;

CREATE VIEW routed_service_group AS
 SELECT routing.workspace_id,
    routing.team_id,
    routing.service_group_id,
    routing.created,
    service_group.name
   FROM team_service_group routing
     JOIN service_group ON service_group.id = routing.service_group_id AND service_group.deleted_at IS NULL;

CREATE VIEW service_group_routing AS
 SELECT service_group_id,
    array_agg(team_id ORDER BY created, team_id) AS team_ids
   FROM team_service_group
  GROUP BY service_group_id;

CREATE VIEW shared_monitor AS
 SELECT workspace_id,
    monitor_id
   FROM status_page_system
  WHERE monitor_id IS NOT NULL;

CREATE VIEW status_page_announcement AS
 SELECT plan.workspace_id,
    page.page_id,
    plan.id AS window_id,
    plan.name,
    plan.description,
    occurrence.starts,
    occurrence.ends,
    ARRAY( SELECT DISTINCT shown.system_id
           FROM status_page_monitor shown
             JOIN maintenance_subject subject ON subject.monitor_key = shown.monitor_key
          WHERE shown.page_id = page.page_id AND subject.workspace_id = plan.workspace_id AND (plan.covers_all OR (subject.monitor_id = ANY (plan.monitor_ids)) OR (subject.service_group_id = ANY (plan.service_group_ids)) OR subject.tags && plan.tags)
          ORDER BY shown.system_id) AS system_ids,
    plan.notify_subscribers,
    plan.recurrence IS NOT NULL AS recurs,
    occurrence.stage
   FROM maintenance_window plan
     JOIN maintenance_occurrence occurrence ON occurrence.window_id = plan.id
     CROSS JOIN LATERAL unnest(plan.status_page_ids) page(page_id)
  WHERE plan.deleted_at IS NULL;

CREATE VIEW status_page_calendar AS
 SELECT plan.workspace_id,
    page_id.page_id,
    plan.id AS window_id,
    plan.name,
    plan.description,
    plan.created,
    occurrence.starts,
    occurrence.ends,
    GREATEST(plan.last_modified, occurrence.changed) AS changed,
    false AS is_cancelled
   FROM maintenance_window plan
     JOIN maintenance_occurrence occurrence ON occurrence.window_id = plan.id
     CROSS JOIN LATERAL unnest(plan.status_page_ids) page_id(page_id)
UNION ALL
 SELECT plan.workspace_id,
    page_id.page_id,
    plan.id AS window_id,
    plan.name,
    plan.description,
    plan.created,
    gone.starts,
    gone.ends,
    gone.cancelled AS changed,
    true AS is_cancelled
   FROM maintenance_window plan
     JOIN maintenance_cancellation gone ON gone.window_id = plan.id
     CROSS JOIN LATERAL unnest(plan.status_page_ids) page_id(page_id)
  WHERE NOT (EXISTS ( SELECT
           FROM maintenance_occurrence occurrence
          WHERE occurrence.window_id = gone.window_id AND occurrence.starts = gone.starts));

CREATE VIEW status_page_maintenance AS
 SELECT period.workspace_id,
    page_id.page_id,
    period.monitor_key,
    period.starts,
    period.ends
   FROM maintenance_period period
     JOIN maintenance_window plan ON plan.id = period.window_id
     CROSS JOIN LATERAL unnest(plan.status_page_ids) page_id(page_id);

CREATE VIEW status_page_monitor AS
 SELECT system.page_id,
    system.id AS system_id,
    member.key AS monitor_key,
    member.monitoring_status,
    state.verdict,
    state.health_status,
    NOT member.monitor_types <@ ARRAY['SslCertificate'::text, 'Dns'::text] AS checks_reachability
   FROM status_page_system system
     CROSS JOIN LATERAL ( SELECT monitor.key,
            monitor.monitoring_status,
            monitor.monitor_types
           FROM monitor
          WHERE monitor.id = system.monitor_id AND monitor.deleted_at IS NULL
        UNION ALL
         SELECT monitor.key,
            monitor.monitoring_status,
            monitor.monitor_types
           FROM monitor
          WHERE monitor.service_group_id = system.service_group_id AND monitor.deleted_at IS NULL) member
     LEFT JOIN monitor_state state ON state.monitor_key = member.key;

CREATE VIEW status_page_outage AS
 SELECT workspace_id,
    monitor_key,
    id,
    severity,
    started,
    ended,
    COALESCE(worst_severity, severity) AS worst_severity,
    is_closed,
    COALESCE(( SELECT max(event.at) AS max
           FROM incident_event event
          WHERE event.incident_id = incident.id AND event.type = 'status_changed'::text AND event.actor IS NULL AND (event.detail ->> 'status'::text) = 'Ongoing'::text AND (event.detail -> 'flapping'::text) IS NULL), started) AS began
   FROM incident
  WHERE incident_type = ANY (ARRAY['Availability'::text, 'Heartbeat'::text]);

CREATE VIEW status_page_shown_system AS
 SELECT system.id,
    system.workspace_id,
    system.page_id,
    system.group_index,
    system.place,
    system.name,
    system.monitor_id,
    system.service_group_id,
    system.override_status,
    system.override_message
   FROM status_page_system system
     LEFT JOIN monitor ON monitor.id = system.monitor_id
     LEFT JOIN service_group ON service_group.id = system.service_group_id
  WHERE monitor.id IS NOT NULL AND monitor.deleted_at IS NULL OR service_group.id IS NOT NULL AND service_group.deleted_at IS NULL;

CREATE VIEW suspect_subject AS
 SELECT key AS monitor_key,
    owner_id,
    site
   FROM monitor
  WHERE deleted_at IS NULL AND owner_id IS NOT NULL;

CREATE VIEW suspended_workspace AS
 SELECT workspace.id AS workspace_id,
    owner.id AS owner_id,
    owner.suspended_at
   FROM workspace
     JOIN user_account owner ON owner.id = workspace.owner_id
  WHERE owner.suspended_at IS NOT NULL;

CREATE VIEW team_rank AS
 SELECT team.id AS team_id,
    workspace.owner_id,
    row_number() OVER (PARTITION BY workspace.owner_id ORDER BY (GREATEST(team.created, workspace.owned_since)), (COALESCE(workspace.owned_since >= team.created, false)), team.created, team.id) AS rank
   FROM team
     JOIN workspace ON workspace.id = team.workspace_id;

CREATE VIEW verdict_subject AS
 SELECT monitor.key AS monitor_key,
    monitor.id AS monitor_id,
    monitor.workspace_id,
    monitor.name,
    monitor.monitor_types,
    monitor.monitoring_status = 'enabled'::text AND NOT monitor.checks_held AS is_enabled,
    monitor.enabled_regions,
    monitor.home_region,
    monitor.private_locations,
    monitor.check_interval_ms,
    monitor.checks_before_alert,
    monitor.checks_before_recovery,
    (
        CASE
            WHEN monitor.home_region THEN '{northeurope}'::text[]
            ELSE '{}'::text[]
        END || monitor.enabled_regions) || (ARRAY( SELECT 'private:#'::text || code.code
           FROM unnest(monitor.private_locations) code(code))) AS checked_from,
    monitor.checks_changed,
    workspace.incident_quorum,
    workspace.auto_close_incidents,
    monitor.url,
    monitor.settings
   FROM monitor
     LEFT JOIN workspace ON workspace.id = monitor.workspace_id
  WHERE monitor.deleted_at IS NULL;

CREATE VIEW workspace_plan AS
 SELECT workspace.id AS workspace_id,
    account.id AS owner_id,
    account.plan,
    account.plan_limits
   FROM workspace
     JOIN user_account account ON account.id = workspace.owner_id;

CREATE OR REPLACE FUNCTION public.audit_entry_append_only()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  BEGIN
    IF TG_OP = 'DELETE' AND current_setting('watchpost.purge_audit', true) = 'on' THEN
      RETURN NULL;
    END IF;
    RAISE EXCEPTION 'audit_entry is append-only' USING ERRCODE = 'insufficient_privilege';
  END $function$;

CREATE OR REPLACE FUNCTION public.count_region_owners()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  DECLARE
    changed bigint;
    moved text := 'WITH moved AS (
      SELECT owner_id, region, site, sum(change) AS monitors, sum(change) FILTER (WHERE check_interval_ms <= 600000) AS frequent
      FROM (' || CASE TG_OP
        WHEN 'INSERT' THEN 'SELECT 1 AS change, * FROM after'
        WHEN 'DELETE' THEN 'SELECT -1 AS change, * FROM before'
        ELSE 'SELECT 1 AS change, * FROM after UNION ALL SELECT -1, * FROM before' END || ') AS row,
        unnest(CASE WHEN home_region THEN array_append(enabled_regions, ''northeurope'') ELSE enabled_regions END) AS region
      WHERE owner_id IS NOT NULL AND deleted_at IS NULL AND monitoring_status = ''enabled''
        AND NOT monitor_types <@ ''{SslCertificate,Dns,Domain,Heartbeat}''
      GROUP BY owner_id, region, site HAVING sum(change) <> 0 OR sum(change) FILTER (WHERE check_interval_ms <= 600000) <> 0
    )';
  BEGIN
    EXECUTE moved || 'INSERT INTO region_owner AS known (owner_id, region, monitors)
      SELECT owner_id, region, sum(monitors) FROM moved GROUP BY owner_id, region ORDER BY owner_id, region
      ON CONFLICT (owner_id, region) DO UPDATE SET monitors = known.monitors + excluded.monitors';
    GET DIAGNOSTICS changed = ROW_COUNT;
    IF changed = 0 THEN
      RETURN NULL;
    END IF;
    EXECUTE moved || ', counted AS (
        INSERT INTO region_site AS known (owner_id, region, site, monitors)
        SELECT owner_id, region, site, frequent FROM moved WHERE frequent <> 0 ORDER BY owner_id, region, site
        ON CONFLICT (owner_id, region, site) DO UPDATE SET monitors = known.monitors + excluded.monitors
        RETURNING owner_id, region, site, monitors
      ), gained AS (
        SELECT owner_id, region, sum((counted.monitors > 0)::integer - (counted.monitors - frequent > 0)::integer) AS sites
        FROM counted JOIN moved USING (owner_id, region, site) GROUP BY owner_id, region
      )
      UPDATE region_owner SET sites = region_owner.sites + gained.sites FROM gained
      WHERE region_owner.owner_id = gained.owner_id AND region_owner.region = gained.region AND gained.sites <> 0';
    IF TG_OP <> 'INSERT' THEN
      EXECUTE moved || 'DELETE FROM region_site USING moved WHERE region_site.owner_id = moved.owner_id
        AND region_site.region = moved.region AND region_site.site = moved.site AND region_site.monitors <= 0';
      DELETE FROM region_owner WHERE region_owner.monitors <= 0 AND owner_id IN (SELECT owner_id FROM before);
    END IF;
    RETURN NULL;
  END $function$;

CREATE OR REPLACE FUNCTION public.delivery_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  BEGIN
    IF TG_OP = 'INSERT' THEN
      INSERT INTO workspace_event (workspace_id, kind, object_id)
      SELECT workspace_id, 'delivery', id::text FROM after WHERE state <> 'waiting';
    ELSE
      INSERT INTO workspace_event (workspace_id, kind, object_id)
      SELECT workspace_id, 'delivery', id::text
      FROM (SELECT workspace_id, id, state FROM after EXCEPT SELECT workspace_id, id, state FROM before) AS changed;
    END IF;
    IF FOUND THEN PERFORM workspace_event_notify(); END IF;
    RETURN NULL;
  END $function$;

CREATE OR REPLACE FUNCTION public.fleet_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  BEGIN
    -- A private location is of its workspace alone; every workspace sees the regions.
    PERFORM workspace_event_add(coalesce((SELECT workspace_id FROM private_location WHERE id::text = NEW.region),
      '00000000-0000-0000-0000-000000000000'), 'fleet', NEW.region);
    RETURN NULL;
  END $function$;

CREATE OR REPLACE FUNCTION public.incident_changed_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  BEGIN
    INSERT INTO workspace_event (workspace_id, kind, object_id) SELECT workspace_id, 'incident', id::text FROM after;
    IF FOUND THEN PERFORM workspace_event_notify(); END IF;
    RETURN NULL;
  END $function$;

CREATE OR REPLACE FUNCTION public.incident_entries_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  BEGIN
    INSERT INTO workspace_event (workspace_id, kind, object_id)
    SELECT DISTINCT workspace_id, 'incident', incident_id::text FROM after;
    IF FOUND THEN PERFORM workspace_event_notify(); END IF;
    RETURN NULL;
  END $function$;

CREATE OR REPLACE FUNCTION public.incident_entry_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  BEGIN
    IF TG_OP = 'DELETE' THEN
      PERFORM workspace_event_add(OLD.workspace_id, 'incident', OLD.incident_id::text);
    ELSE
      PERFORM workspace_event_add(NEW.workspace_id, 'incident', NEW.incident_id::text);
    END IF;
    RETURN NULL;
  END $function$;

CREATE OR REPLACE FUNCTION public.keep_user_name()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  BEGIN
    IF TG_OP = 'UPDATE' AND coalesce(NEW.name, NEW.email) IS NOT DISTINCT FROM coalesce(OLD.name, OLD.email) THEN
      RETURN NULL;
    END IF;
    INSERT INTO user_name (user_id, since, name) VALUES (NEW.id, NEW.last_modified, coalesce(NEW.name, NEW.email))
      ON CONFLICT ON CONSTRAINT user_name_pkey DO UPDATE SET name = excluded.name;
    RETURN NULL;
  END $function$;

CREATE OR REPLACE FUNCTION public.maintenance_stage_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  BEGIN
    PERFORM workspace_event_add(workspace_id, 'maintenance', id::text) FROM maintenance_window WHERE id = NEW.window_id;
    RETURN NULL;
  END $function$;

CREATE OR REPLACE FUNCTION public.monitor_bury_of_workspace()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  BEGIN
    UPDATE monitor SET deleted_at = coalesce(deleted_at, now()), last_modified = now(), secrets = NULL,
      buried_with = NULL
    WHERE workspace_id = OLD.id AND (deleted_at IS NULL OR secrets IS NOT NULL);
    RETURN NULL;
  END $function$;

CREATE OR REPLACE FUNCTION public.monitor_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  BEGIN
    INSERT INTO workspace_event (workspace_id, kind, object_id) SELECT workspace_id, 'monitor', id::text FROM after;
    IF FOUND THEN PERFORM workspace_event_notify(); END IF;
    RETURN NULL;
  END $function$;

CREATE OR REPLACE FUNCTION public.monitor_keep_schedule()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  BEGIN
    INSERT INTO former_schedule AS former (monitor_key, known_since, changes, intervals_ms)
    VALUES (OLD.key, OLD.created, ARRAY[OLD.checks_changed], ARRAY[OLD.check_interval_ms])
    ON CONFLICT (monitor_key) DO UPDATE SET
      known_since = greatest(former.known_since,
        CASE WHEN cardinality(former.changes) >= 100 THEN former.changes[1] + interval '1 ms' END,
        CASE WHEN cardinality(former.intervals_ms) >= 20 AND OLD.check_interval_ms <> ALL (former.intervals_ms)
             THEN now() + interval '37 days' END),
      changes = CASE WHEN OLD.checks_changed = ANY (former.changes) THEN former.changes
        ELSE (former.changes || OLD.checks_changed)[greatest(1, cardinality(former.changes) - 98):] END,
      intervals_ms = CASE WHEN OLD.check_interval_ms = ANY (former.intervals_ms) THEN former.intervals_ms
        ELSE (former.intervals_ms || OLD.check_interval_ms)[greatest(1, cardinality(former.intervals_ms) - 18):] END;
    RETURN NULL;
  END $function$;

CREATE OR REPLACE FUNCTION public.monitor_owner()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  DECLARE
    owner uuid;
  BEGIN
    IF TG_OP = 'INSERT' THEN
      SELECT owner_id INTO owner FROM workspace WHERE id = NEW.workspace_id FOR SHARE;
    ELSE
      SELECT owner_id INTO owner FROM workspace WHERE id = NEW.workspace_id;
    END IF;
    NEW.owner_id := coalesce(owner, NEW.owner_id);
    RETURN NEW;
  END $function$;

CREATE OR REPLACE FUNCTION public.monitor_state_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  BEGIN
    INSERT INTO workspace_event (workspace_id, kind, object_id)
    SELECT changed.workspace_id, 'monitor', monitor.id::text
    FROM (SELECT monitor_key, workspace_id, verdict, health_status, verdict_since FROM after
          EXCEPT SELECT monitor_key, workspace_id, verdict, health_status, verdict_since FROM before) AS changed
      CROSS JOIN LATERAL (SELECT id FROM monitor WHERE key = changed.monitor_key LIMIT 1) AS monitor;
    IF FOUND THEN PERFORM workspace_event_notify(); END IF;
    RETURN NULL;
  END $function$;

CREATE OR REPLACE FUNCTION public.monitor_touch()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  BEGIN
    NEW.revision := pg_current_xact_id()::text::bigint;
    RETURN NEW;
  END $function$;

CREATE OR REPLACE FUNCTION public.monitor_touch_of_owner()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  BEGIN
    UPDATE monitor SET revision = 0 FROM workspace
    WHERE workspace.id = monitor.workspace_id AND workspace.owner_id = NEW.id AND monitor.deleted_at IS NULL;
    RETURN NULL;
  END $function$;

CREATE OR REPLACE FUNCTION public.monitor_touch_of_workspace()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  BEGIN
    UPDATE monitor SET revision = 0 WHERE workspace_id = NEW.id AND deleted_at IS NULL;
    RETURN NULL;
  END $function$;

CREATE OR REPLACE FUNCTION public.note_late_result()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  BEGIN
    -- The packer waits for this transaction before it merges late results, and this one for the packer.
    PERFORM pg_advisory_xact_lock_shared(7761003);
    IF TG_OP = 'INSERT' AND EXISTS (
      SELECT FROM unpacked_result(ARRAY[NEW.monitor_key], NEW.scheduled_at, NEW.scheduled_at + interval '1 ms', 'infinity') packed
      WHERE packed.kind = NEW.kind AND packed.region = NEW.region
    ) THEN
      RETURN NULL;
    END IF;
    INSERT INTO late_result (monitor_key, day) VALUES (NEW.monitor_key, date_trunc('day', NEW.scheduled_at, 'UTC'));
    RETURN NEW;
  END $function$;

CREATE OR REPLACE FUNCTION public.packed_value(bits bit varying, "position" integer, rare integer, choices_at integer, usual_at integer, usual_width integer, usual_base integer, rare_at integer, rare_width integer, rare_base integer)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
    SELECT CASE
      WHEN rare = 0 THEN usual_base + substring(bits, usual_at + "position" * usual_width + 1, usual_width)::bigint
      WHEN get_bit(bits, choices_at + "position") = 0 THEN usual_base + substring(bits,
        usual_at + ("position" - bit_count(substring(bits, choices_at + 1, "position"))::integer) * usual_width + 1, usual_width)::bigint
      ELSE rare_base + substring(bits,
        rare_at + bit_count(substring(bits, choices_at + 1, "position"))::integer * rare_width + 1, rare_width)::bigint
    END $function$;

CREATE OR REPLACE FUNCTION public.result_row(monitor_keys bigint[], from_at timestamp with time zone, to_at timestamp with time zone)
 RETURNS SETOF check_result
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
    SELECT * FROM check_result
    WHERE monitor_key = ANY (monitor_keys) AND scheduled_at >= from_at AND scheduled_at < to_at
    UNION ALL
    SELECT * FROM unpacked_result(monitor_keys, from_at, to_at, (SELECT packed_until FROM packing_progress))
    WHERE from_at < (SELECT packed_until FROM packing_progress) $function$;

CREATE OR REPLACE FUNCTION public.unpacked_result(monitor_keys bigint[], from_at timestamp with time zone, to_at timestamp with time zone, packed_before timestamp with time zone)
 RETURNS SETOF check_result
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE STRICT ROWS 50
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
    BEGIN
      RETURN QUERY
  SELECT packed.monitor_key,
    (packed.starts_at + (result."position" + result.slot) * packed.step_ms * interval '1 ms')::timestamptz(3),
    -- the sum modulo 2^32, as it was packed
    (((result.extra_us + result.dns_us + result.connect_us + result.tls_us + result.first_byte_us + result.transfer_us
      + 2147483648) & 4294967295) - 2147483648)::integer,
    result.dns_us::integer, result.connect_us::integer, result.tls_us::integer, result.first_byte_us::integer,
    result.transfer_us::integer, result.agent_key::integer, result.start_lag_ms::smallint, result.fresh_s::smallint,
    result.status_code::smallint, packed.kind, packed.region, result.outcome::smallint
  FROM packed_result packed
    CROSS JOIN LATERAL (SELECT packed.bits || B'' AS bits OFFSET 0) AS stored
    CROSS JOIN LATERAL (
      SELECT substring(stored.bits, 1, 8)::integer AS slot_usual_width, substring(stored.bits, 9, 8)::integer AS slot_rare_width, substring(stored.bits, 17, 16)::integer AS slot_rare, substring(stored.bits, 33, 32)::integer AS slot_usual_base, substring(stored.bits, 65, 32)::integer AS slot_rare_base,
        substring(stored.bits, 97, 8)::integer AS extra_us_usual_width, substring(stored.bits, 105, 8)::integer AS extra_us_rare_width, substring(stored.bits, 113, 16)::integer AS extra_us_rare, substring(stored.bits, 129, 32)::integer AS extra_us_usual_base, substring(stored.bits, 161, 32)::integer AS extra_us_rare_base,
        substring(stored.bits, 193, 8)::integer AS dns_us_usual_width, substring(stored.bits, 201, 8)::integer AS dns_us_rare_width, substring(stored.bits, 209, 16)::integer AS dns_us_rare, substring(stored.bits, 225, 32)::integer AS dns_us_usual_base, substring(stored.bits, 257, 32)::integer AS dns_us_rare_base,
        substring(stored.bits, 289, 8)::integer AS connect_us_usual_width, substring(stored.bits, 297, 8)::integer AS connect_us_rare_width, substring(stored.bits, 305, 16)::integer AS connect_us_rare, substring(stored.bits, 321, 32)::integer AS connect_us_usual_base, substring(stored.bits, 353, 32)::integer AS connect_us_rare_base,
        substring(stored.bits, 385, 8)::integer AS tls_us_usual_width, substring(stored.bits, 393, 8)::integer AS tls_us_rare_width, substring(stored.bits, 401, 16)::integer AS tls_us_rare, substring(stored.bits, 417, 32)::integer AS tls_us_usual_base, substring(stored.bits, 449, 32)::integer AS tls_us_rare_base,
        substring(stored.bits, 481, 8)::integer AS first_byte_us_usual_width, substring(stored.bits, 489, 8)::integer AS first_byte_us_rare_width, substring(stored.bits, 497, 16)::integer AS first_byte_us_rare, substring(stored.bits, 513, 32)::integer AS first_byte_us_usual_base, substring(stored.bits, 545, 32)::integer AS first_byte_us_rare_base,
        substring(stored.bits, 577, 8)::integer AS transfer_us_usual_width, substring(stored.bits, 585, 8)::integer AS transfer_us_rare_width, substring(stored.bits, 593, 16)::integer AS transfer_us_rare, substring(stored.bits, 609, 32)::integer AS transfer_us_usual_base, substring(stored.bits, 641, 32)::integer AS transfer_us_rare_base,
        substring(stored.bits, 673, 8)::integer AS agent_key_usual_width, substring(stored.bits, 681, 8)::integer AS agent_key_rare_width, substring(stored.bits, 689, 16)::integer AS agent_key_rare, substring(stored.bits, 705, 32)::integer AS agent_key_usual_base, substring(stored.bits, 737, 32)::integer AS agent_key_rare_base,
        substring(stored.bits, 769, 8)::integer AS start_lag_ms_usual_width, substring(stored.bits, 777, 8)::integer AS start_lag_ms_rare_width, substring(stored.bits, 785, 16)::integer AS start_lag_ms_rare, substring(stored.bits, 801, 32)::integer AS start_lag_ms_usual_base, substring(stored.bits, 833, 32)::integer AS start_lag_ms_rare_base,
        substring(stored.bits, 865, 8)::integer AS fresh_s_usual_width, substring(stored.bits, 873, 8)::integer AS fresh_s_rare_width, substring(stored.bits, 881, 16)::integer AS fresh_s_rare, substring(stored.bits, 897, 32)::integer AS fresh_s_usual_base, substring(stored.bits, 929, 32)::integer AS fresh_s_rare_base,
        substring(stored.bits, 961, 8)::integer AS status_code_usual_width, substring(stored.bits, 969, 8)::integer AS status_code_rare_width, substring(stored.bits, 977, 16)::integer AS status_code_rare, substring(stored.bits, 993, 32)::integer AS status_code_usual_base, substring(stored.bits, 1025, 32)::integer AS status_code_rare_base,
        substring(stored.bits, 1057, 8)::integer AS outcome_usual_width, substring(stored.bits, 1065, 8)::integer AS outcome_rare_width, substring(stored.bits, 1073, 16)::integer AS outcome_rare, substring(stored.bits, 1089, 32)::integer AS outcome_usual_base, substring(stored.bits, 1121, 32)::integer AS outcome_rare_base
      OFFSET 0) AS frame
    CROSS JOIN LATERAL (
      SELECT CASE WHEN frame.slot_rare > 0 THEN (packed.results + 7) / 8 * 8 ELSE 0 END AS slot_choices,
          ((packed.results - frame.slot_rare) * frame.slot_usual_width + 7) / 8 * 8 AS slot_usual,
          (frame.slot_rare * frame.slot_rare_width + 7) / 8 * 8 AS slot_rare,
        CASE WHEN frame.extra_us_rare > 0 THEN (packed.results + 7) / 8 * 8 ELSE 0 END AS extra_us_choices,
          ((packed.results - frame.extra_us_rare) * frame.extra_us_usual_width + 7) / 8 * 8 AS extra_us_usual,
          (frame.extra_us_rare * frame.extra_us_rare_width + 7) / 8 * 8 AS extra_us_rare,
        CASE WHEN frame.dns_us_rare > 0 THEN (packed.results + 7) / 8 * 8 ELSE 0 END AS dns_us_choices,
          ((packed.results - frame.dns_us_rare) * frame.dns_us_usual_width + 7) / 8 * 8 AS dns_us_usual,
          (frame.dns_us_rare * frame.dns_us_rare_width + 7) / 8 * 8 AS dns_us_rare,
        CASE WHEN frame.connect_us_rare > 0 THEN (packed.results + 7) / 8 * 8 ELSE 0 END AS connect_us_choices,
          ((packed.results - frame.connect_us_rare) * frame.connect_us_usual_width + 7) / 8 * 8 AS connect_us_usual,
          (frame.connect_us_rare * frame.connect_us_rare_width + 7) / 8 * 8 AS connect_us_rare,
        CASE WHEN frame.tls_us_rare > 0 THEN (packed.results + 7) / 8 * 8 ELSE 0 END AS tls_us_choices,
          ((packed.results - frame.tls_us_rare) * frame.tls_us_usual_width + 7) / 8 * 8 AS tls_us_usual,
          (frame.tls_us_rare * frame.tls_us_rare_width + 7) / 8 * 8 AS tls_us_rare,
        CASE WHEN frame.first_byte_us_rare > 0 THEN (packed.results + 7) / 8 * 8 ELSE 0 END AS first_byte_us_choices,
          ((packed.results - frame.first_byte_us_rare) * frame.first_byte_us_usual_width + 7) / 8 * 8 AS first_byte_us_usual,
          (frame.first_byte_us_rare * frame.first_byte_us_rare_width + 7) / 8 * 8 AS first_byte_us_rare,
        CASE WHEN frame.transfer_us_rare > 0 THEN (packed.results + 7) / 8 * 8 ELSE 0 END AS transfer_us_choices,
          ((packed.results - frame.transfer_us_rare) * frame.transfer_us_usual_width + 7) / 8 * 8 AS transfer_us_usual,
          (frame.transfer_us_rare * frame.transfer_us_rare_width + 7) / 8 * 8 AS transfer_us_rare,
        CASE WHEN frame.agent_key_rare > 0 THEN (packed.results + 7) / 8 * 8 ELSE 0 END AS agent_key_choices,
          ((packed.results - frame.agent_key_rare) * frame.agent_key_usual_width + 7) / 8 * 8 AS agent_key_usual,
          (frame.agent_key_rare * frame.agent_key_rare_width + 7) / 8 * 8 AS agent_key_rare,
        CASE WHEN frame.start_lag_ms_rare > 0 THEN (packed.results + 7) / 8 * 8 ELSE 0 END AS start_lag_ms_choices,
          ((packed.results - frame.start_lag_ms_rare) * frame.start_lag_ms_usual_width + 7) / 8 * 8 AS start_lag_ms_usual,
          (frame.start_lag_ms_rare * frame.start_lag_ms_rare_width + 7) / 8 * 8 AS start_lag_ms_rare,
        CASE WHEN frame.fresh_s_rare > 0 THEN (packed.results + 7) / 8 * 8 ELSE 0 END AS fresh_s_choices,
          ((packed.results - frame.fresh_s_rare) * frame.fresh_s_usual_width + 7) / 8 * 8 AS fresh_s_usual,
          (frame.fresh_s_rare * frame.fresh_s_rare_width + 7) / 8 * 8 AS fresh_s_rare,
        CASE WHEN frame.status_code_rare > 0 THEN (packed.results + 7) / 8 * 8 ELSE 0 END AS status_code_choices,
          ((packed.results - frame.status_code_rare) * frame.status_code_usual_width + 7) / 8 * 8 AS status_code_usual,
          (frame.status_code_rare * frame.status_code_rare_width + 7) / 8 * 8 AS status_code_rare,
        CASE WHEN frame.outcome_rare > 0 THEN (packed.results + 7) / 8 * 8 ELSE 0 END AS outcome_choices,
          ((packed.results - frame.outcome_rare) * frame.outcome_usual_width + 7) / 8 * 8 AS outcome_usual,
          (frame.outcome_rare * frame.outcome_rare_width + 7) / 8 * 8 AS outcome_rare
      OFFSET 0) AS length
    CROSS JOIN LATERAL (
      SELECT 1152 AS slot_choices, 1152 + length.slot_choices AS slot_usual,
          1152 + length.slot_choices + length.slot_usual AS slot_rare,
        1152 + length.slot_choices + length.slot_usual + length.slot_rare AS extra_us_choices, 1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices AS extra_us_usual,
          1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices + length.extra_us_usual AS extra_us_rare,
        1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices + length.extra_us_usual + length.extra_us_rare AS dns_us_choices, 1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices + length.extra_us_usual + length.extra_us_rare + length.dns_us_choices AS dns_us_usual,
          1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices + length.extra_us_usual + length.extra_us_rare + length.dns_us_choices + length.dns_us_usual AS dns_us_rare,
        1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices + length.extra_us_usual + length.extra_us_rare + length.dns_us_choices + length.dns_us_usual + length.dns_us_rare AS connect_us_choices, 1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices + length.extra_us_usual + length.extra_us_rare + length.dns_us_choices + length.dns_us_usual + length.dns_us_rare + length.connect_us_choices AS connect_us_usual,
          1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices + length.extra_us_usual + length.extra_us_rare + length.dns_us_choices + length.dns_us_usual + length.dns_us_rare + length.connect_us_choices + length.connect_us_usual AS connect_us_rare,
        1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices + length.extra_us_usual + length.extra_us_rare + length.dns_us_choices + length.dns_us_usual + length.dns_us_rare + length.connect_us_choices + length.connect_us_usual + length.connect_us_rare AS tls_us_choices, 1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices + length.extra_us_usual + length.extra_us_rare + length.dns_us_choices + length.dns_us_usual + length.dns_us_rare + length.connect_us_choices + length.connect_us_usual + length.connect_us_rare + length.tls_us_choices AS tls_us_usual,
          1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices + length.extra_us_usual + length.extra_us_rare + length.dns_us_choices + length.dns_us_usual + length.dns_us_rare + length.connect_us_choices + length.connect_us_usual + length.connect_us_rare + length.tls_us_choices + length.tls_us_usual AS tls_us_rare,
        1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices + length.extra_us_usual + length.extra_us_rare + length.dns_us_choices + length.dns_us_usual + length.dns_us_rare + length.connect_us_choices + length.connect_us_usual + length.connect_us_rare + length.tls_us_choices + length.tls_us_usual + length.tls_us_rare AS first_byte_us_choices, 1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices + length.extra_us_usual + length.extra_us_rare + length.dns_us_choices + length.dns_us_usual + length.dns_us_rare + length.connect_us_choices + length.connect_us_usual + length.connect_us_rare + length.tls_us_choices + length.tls_us_usual + length.tls_us_rare + length.first_byte_us_choices AS first_byte_us_usual,
          1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices + length.extra_us_usual + length.extra_us_rare + length.dns_us_choices + length.dns_us_usual + length.dns_us_rare + length.connect_us_choices + length.connect_us_usual + length.connect_us_rare + length.tls_us_choices + length.tls_us_usual + length.tls_us_rare + length.first_byte_us_choices + length.first_byte_us_usual AS first_byte_us_rare,
        1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices + length.extra_us_usual + length.extra_us_rare + length.dns_us_choices + length.dns_us_usual + length.dns_us_rare + length.connect_us_choices + length.connect_us_usual + length.connect_us_rare + length.tls_us_choices + length.tls_us_usual + length.tls_us_rare + length.first_byte_us_choices + length.first_byte_us_usual + length.first_byte_us_rare AS transfer_us_choices, 1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices + length.extra_us_usual + length.extra_us_rare + length.dns_us_choices + length.dns_us_usual + length.dns_us_rare + length.connect_us_choices + length.connect_us_usual + length.connect_us_rare + length.tls_us_choices + length.tls_us_usual + length.tls_us_rare + length.first_byte_us_choices + length.first_byte_us_usual + length.first_byte_us_rare + length.transfer_us_choices AS transfer_us_usual,
          1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices + length.extra_us_usual + length.extra_us_rare + length.dns_us_choices + length.dns_us_usual + length.dns_us_rare + length.connect_us_choices + length.connect_us_usual + length.connect_us_rare + length.tls_us_choices + length.tls_us_usual + length.tls_us_rare + length.first_byte_us_choices + length.first_byte_us_usual + length.first_byte_us_rare + length.transfer_us_choices + length.transfer_us_usual AS transfer_us_rare,
        1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices + length.extra_us_usual + length.extra_us_rare + length.dns_us_choices + length.dns_us_usual + length.dns_us_rare + length.connect_us_choices + length.connect_us_usual + length.connect_us_rare + length.tls_us_choices + length.tls_us_usual + length.tls_us_rare + length.first_byte_us_choices + length.first_byte_us_usual + length.first_byte_us_rare + length.transfer_us_choices + length.transfer_us_usual + length.transfer_us_rare AS agent_key_choices, 1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices + length.extra_us_usual + length.extra_us_rare + length.dns_us_choices + length.dns_us_usual + length.dns_us_rare + length.connect_us_choices + length.connect_us_usual + length.connect_us_rare + length.tls_us_choices + length.tls_us_usual + length.tls_us_rare + length.first_byte_us_choices + length.first_byte_us_usual + length.first_byte_us_rare + length.transfer_us_choices + length.transfer_us_usual + length.transfer_us_rare + length.agent_key_choices AS agent_key_usual,
          1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices + length.extra_us_usual + length.extra_us_rare + length.dns_us_choices + length.dns_us_usual + length.dns_us_rare + length.connect_us_choices + length.connect_us_usual + length.connect_us_rare + length.tls_us_choices + length.tls_us_usual + length.tls_us_rare + length.first_byte_us_choices + length.first_byte_us_usual + length.first_byte_us_rare + length.transfer_us_choices + length.transfer_us_usual + length.transfer_us_rare + length.agent_key_choices + length.agent_key_usual AS agent_key_rare,
        1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices + length.extra_us_usual + length.extra_us_rare + length.dns_us_choices + length.dns_us_usual + length.dns_us_rare + length.connect_us_choices + length.connect_us_usual + length.connect_us_rare + length.tls_us_choices + length.tls_us_usual + length.tls_us_rare + length.first_byte_us_choices + length.first_byte_us_usual + length.first_byte_us_rare + length.transfer_us_choices + length.transfer_us_usual + length.transfer_us_rare + length.agent_key_choices + length.agent_key_usual + length.agent_key_rare AS start_lag_ms_choices, 1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices + length.extra_us_usual + length.extra_us_rare + length.dns_us_choices + length.dns_us_usual + length.dns_us_rare + length.connect_us_choices + length.connect_us_usual + length.connect_us_rare + length.tls_us_choices + length.tls_us_usual + length.tls_us_rare + length.first_byte_us_choices + length.first_byte_us_usual + length.first_byte_us_rare + length.transfer_us_choices + length.transfer_us_usual + length.transfer_us_rare + length.agent_key_choices + length.agent_key_usual + length.agent_key_rare + length.start_lag_ms_choices AS start_lag_ms_usual,
          1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices + length.extra_us_usual + length.extra_us_rare + length.dns_us_choices + length.dns_us_usual + length.dns_us_rare + length.connect_us_choices + length.connect_us_usual + length.connect_us_rare + length.tls_us_choices + length.tls_us_usual + length.tls_us_rare + length.first_byte_us_choices + length.first_byte_us_usual + length.first_byte_us_rare + length.transfer_us_choices + length.transfer_us_usual + length.transfer_us_rare + length.agent_key_choices + length.agent_key_usual + length.agent_key_rare + length.start_lag_ms_choices + length.start_lag_ms_usual AS start_lag_ms_rare,
        1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices + length.extra_us_usual + length.extra_us_rare + length.dns_us_choices + length.dns_us_usual + length.dns_us_rare + length.connect_us_choices + length.connect_us_usual + length.connect_us_rare + length.tls_us_choices + length.tls_us_usual + length.tls_us_rare + length.first_byte_us_choices + length.first_byte_us_usual + length.first_byte_us_rare + length.transfer_us_choices + length.transfer_us_usual + length.transfer_us_rare + length.agent_key_choices + length.agent_key_usual + length.agent_key_rare + length.start_lag_ms_choices + length.start_lag_ms_usual + length.start_lag_ms_rare AS fresh_s_choices, 1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices + length.extra_us_usual + length.extra_us_rare + length.dns_us_choices + length.dns_us_usual + length.dns_us_rare + length.connect_us_choices + length.connect_us_usual + length.connect_us_rare + length.tls_us_choices + length.tls_us_usual + length.tls_us_rare + length.first_byte_us_choices + length.first_byte_us_usual + length.first_byte_us_rare + length.transfer_us_choices + length.transfer_us_usual + length.transfer_us_rare + length.agent_key_choices + length.agent_key_usual + length.agent_key_rare + length.start_lag_ms_choices + length.start_lag_ms_usual + length.start_lag_ms_rare + length.fresh_s_choices AS fresh_s_usual,
          1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices + length.extra_us_usual + length.extra_us_rare + length.dns_us_choices + length.dns_us_usual + length.dns_us_rare + length.connect_us_choices + length.connect_us_usual + length.connect_us_rare + length.tls_us_choices + length.tls_us_usual + length.tls_us_rare + length.first_byte_us_choices + length.first_byte_us_usual + length.first_byte_us_rare + length.transfer_us_choices + length.transfer_us_usual + length.transfer_us_rare + length.agent_key_choices + length.agent_key_usual + length.agent_key_rare + length.start_lag_ms_choices + length.start_lag_ms_usual + length.start_lag_ms_rare + length.fresh_s_choices + length.fresh_s_usual AS fresh_s_rare,
        1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices + length.extra_us_usual + length.extra_us_rare + length.dns_us_choices + length.dns_us_usual + length.dns_us_rare + length.connect_us_choices + length.connect_us_usual + length.connect_us_rare + length.tls_us_choices + length.tls_us_usual + length.tls_us_rare + length.first_byte_us_choices + length.first_byte_us_usual + length.first_byte_us_rare + length.transfer_us_choices + length.transfer_us_usual + length.transfer_us_rare + length.agent_key_choices + length.agent_key_usual + length.agent_key_rare + length.start_lag_ms_choices + length.start_lag_ms_usual + length.start_lag_ms_rare + length.fresh_s_choices + length.fresh_s_usual + length.fresh_s_rare AS status_code_choices, 1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices + length.extra_us_usual + length.extra_us_rare + length.dns_us_choices + length.dns_us_usual + length.dns_us_rare + length.connect_us_choices + length.connect_us_usual + length.connect_us_rare + length.tls_us_choices + length.tls_us_usual + length.tls_us_rare + length.first_byte_us_choices + length.first_byte_us_usual + length.first_byte_us_rare + length.transfer_us_choices + length.transfer_us_usual + length.transfer_us_rare + length.agent_key_choices + length.agent_key_usual + length.agent_key_rare + length.start_lag_ms_choices + length.start_lag_ms_usual + length.start_lag_ms_rare + length.fresh_s_choices + length.fresh_s_usual + length.fresh_s_rare + length.status_code_choices AS status_code_usual,
          1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices + length.extra_us_usual + length.extra_us_rare + length.dns_us_choices + length.dns_us_usual + length.dns_us_rare + length.connect_us_choices + length.connect_us_usual + length.connect_us_rare + length.tls_us_choices + length.tls_us_usual + length.tls_us_rare + length.first_byte_us_choices + length.first_byte_us_usual + length.first_byte_us_rare + length.transfer_us_choices + length.transfer_us_usual + length.transfer_us_rare + length.agent_key_choices + length.agent_key_usual + length.agent_key_rare + length.start_lag_ms_choices + length.start_lag_ms_usual + length.start_lag_ms_rare + length.fresh_s_choices + length.fresh_s_usual + length.fresh_s_rare + length.status_code_choices + length.status_code_usual AS status_code_rare,
        1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices + length.extra_us_usual + length.extra_us_rare + length.dns_us_choices + length.dns_us_usual + length.dns_us_rare + length.connect_us_choices + length.connect_us_usual + length.connect_us_rare + length.tls_us_choices + length.tls_us_usual + length.tls_us_rare + length.first_byte_us_choices + length.first_byte_us_usual + length.first_byte_us_rare + length.transfer_us_choices + length.transfer_us_usual + length.transfer_us_rare + length.agent_key_choices + length.agent_key_usual + length.agent_key_rare + length.start_lag_ms_choices + length.start_lag_ms_usual + length.start_lag_ms_rare + length.fresh_s_choices + length.fresh_s_usual + length.fresh_s_rare + length.status_code_choices + length.status_code_usual + length.status_code_rare AS outcome_choices, 1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices + length.extra_us_usual + length.extra_us_rare + length.dns_us_choices + length.dns_us_usual + length.dns_us_rare + length.connect_us_choices + length.connect_us_usual + length.connect_us_rare + length.tls_us_choices + length.tls_us_usual + length.tls_us_rare + length.first_byte_us_choices + length.first_byte_us_usual + length.first_byte_us_rare + length.transfer_us_choices + length.transfer_us_usual + length.transfer_us_rare + length.agent_key_choices + length.agent_key_usual + length.agent_key_rare + length.start_lag_ms_choices + length.start_lag_ms_usual + length.start_lag_ms_rare + length.fresh_s_choices + length.fresh_s_usual + length.fresh_s_rare + length.status_code_choices + length.status_code_usual + length.status_code_rare + length.outcome_choices AS outcome_usual,
          1152 + length.slot_choices + length.slot_usual + length.slot_rare + length.extra_us_choices + length.extra_us_usual + length.extra_us_rare + length.dns_us_choices + length.dns_us_usual + length.dns_us_rare + length.connect_us_choices + length.connect_us_usual + length.connect_us_rare + length.tls_us_choices + length.tls_us_usual + length.tls_us_rare + length.first_byte_us_choices + length.first_byte_us_usual + length.first_byte_us_rare + length.transfer_us_choices + length.transfer_us_usual + length.transfer_us_rare + length.agent_key_choices + length.agent_key_usual + length.agent_key_rare + length.start_lag_ms_choices + length.start_lag_ms_usual + length.start_lag_ms_rare + length.fresh_s_choices + length.fresh_s_usual + length.fresh_s_rare + length.status_code_choices + length.status_code_usual + length.status_code_rare + length.outcome_choices + length.outcome_usual AS outcome_rare
      OFFSET 0) AS place
    CROSS JOIN LATERAL (
      SELECT (date_part('epoch', packed.ends_at - packed.starts_at) * 1000)::bigint / packed.step_ms - packed.results + 1 AS gaps,
        date_part('epoch', greatest(from_at, packed.starts_at) - packed.starts_at) * 1000 / packed.step_ms AS first_slot,
        date_part('epoch', least(to_at, packed.ends_at + interval '1 ms') - packed.starts_at) * 1000 / packed.step_ms AS end_slot
      OFFSET 0) AS bound
    CROSS JOIN LATERAL generate_series(
      greatest(0, ceil(bound.first_slot) - bound.gaps)::integer,
      least(packed.results - 1, ceil(bound.end_slot) - 1)::integer) AS "position"
    CROSS JOIN LATERAL (
      SELECT "position", packed_value(stored.bits, "position", frame.slot_rare, place.slot_choices, place.slot_usual,
          frame.slot_usual_width, frame.slot_usual_base, place.slot_rare, frame.slot_rare_width, frame.slot_rare_base) AS slot,
        packed_value(stored.bits, "position", frame.extra_us_rare, place.extra_us_choices, place.extra_us_usual,
          frame.extra_us_usual_width, frame.extra_us_usual_base, place.extra_us_rare, frame.extra_us_rare_width, frame.extra_us_rare_base) AS extra_us,
        packed_value(stored.bits, "position", frame.dns_us_rare, place.dns_us_choices, place.dns_us_usual,
          frame.dns_us_usual_width, frame.dns_us_usual_base, place.dns_us_rare, frame.dns_us_rare_width, frame.dns_us_rare_base) AS dns_us,
        packed_value(stored.bits, "position", frame.connect_us_rare, place.connect_us_choices, place.connect_us_usual,
          frame.connect_us_usual_width, frame.connect_us_usual_base, place.connect_us_rare, frame.connect_us_rare_width, frame.connect_us_rare_base) AS connect_us,
        packed_value(stored.bits, "position", frame.tls_us_rare, place.tls_us_choices, place.tls_us_usual,
          frame.tls_us_usual_width, frame.tls_us_usual_base, place.tls_us_rare, frame.tls_us_rare_width, frame.tls_us_rare_base) AS tls_us,
        packed_value(stored.bits, "position", frame.first_byte_us_rare, place.first_byte_us_choices, place.first_byte_us_usual,
          frame.first_byte_us_usual_width, frame.first_byte_us_usual_base, place.first_byte_us_rare, frame.first_byte_us_rare_width, frame.first_byte_us_rare_base) AS first_byte_us,
        packed_value(stored.bits, "position", frame.transfer_us_rare, place.transfer_us_choices, place.transfer_us_usual,
          frame.transfer_us_usual_width, frame.transfer_us_usual_base, place.transfer_us_rare, frame.transfer_us_rare_width, frame.transfer_us_rare_base) AS transfer_us,
        packed_value(stored.bits, "position", frame.agent_key_rare, place.agent_key_choices, place.agent_key_usual,
          frame.agent_key_usual_width, frame.agent_key_usual_base, place.agent_key_rare, frame.agent_key_rare_width, frame.agent_key_rare_base) AS agent_key,
        packed_value(stored.bits, "position", frame.start_lag_ms_rare, place.start_lag_ms_choices, place.start_lag_ms_usual,
          frame.start_lag_ms_usual_width, frame.start_lag_ms_usual_base, place.start_lag_ms_rare, frame.start_lag_ms_rare_width, frame.start_lag_ms_rare_base) AS start_lag_ms,
        packed_value(stored.bits, "position", frame.fresh_s_rare, place.fresh_s_choices, place.fresh_s_usual,
          frame.fresh_s_usual_width, frame.fresh_s_usual_base, place.fresh_s_rare, frame.fresh_s_rare_width, frame.fresh_s_rare_base) AS fresh_s,
        packed_value(stored.bits, "position", frame.status_code_rare, place.status_code_choices, place.status_code_usual,
          frame.status_code_usual_width, frame.status_code_usual_base, place.status_code_rare, frame.status_code_rare_width, frame.status_code_rare_base) AS status_code,
        packed_value(stored.bits, "position", frame.outcome_rare, place.outcome_choices, place.outcome_usual,
          frame.outcome_usual_width, frame.outcome_usual_base, place.outcome_rare, frame.outcome_rare_width, frame.outcome_rare_base) AS outcome
      OFFSET 0) AS result
  WHERE packed.monitor_key = ANY (monitor_keys) AND packed.starts_at < packed_before
    AND packed.starts_at >= date_trunc('day', from_at, 'UTC') AND packed.starts_at < to_at AND packed.ends_at >= from_at
    AND packed.starts_at + (result."position" + result.slot) * packed.step_ms * interval '1 ms' >= from_at
    AND packed.starts_at + (result."position" + result.slot) * packed.step_ms * interval '1 ms' < to_at;
    END $function$;

CREATE OR REPLACE FUNCTION public.workspace_event_add(workspace uuid, kind text, object text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
  BEGIN
    INSERT INTO workspace_event (workspace_id, kind, object_id) VALUES (workspace, kind, object);
    IF pg_try_advisory_xact_lock(hashtextextended('watchpost.workspace_event', 0)) THEN
      PERFORM pg_notify('watchpost_workspace_event', '');
    END IF;
  END $function$;

CREATE OR REPLACE FUNCTION public.workspace_event_notify()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
  BEGIN
    IF pg_try_advisory_xact_lock(hashtextextended('watchpost.workspace_event', 0)) THEN
      PERFORM pg_notify('watchpost_workspace_event', '');
    END IF;
  END $function$;

CREATE OR REPLACE FUNCTION public.workspace_object_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  DECLARE
    changed jsonb := to_jsonb(coalesce(NEW, OLD));
  BEGIN
    PERFORM workspace_event_add((changed ->> 'workspace_id')::uuid, TG_ARGV[0], changed ->> 'id');
    RETURN NULL;
  END $function$;
