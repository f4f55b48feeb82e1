export const statusPagesTables = `
  CREATE TABLE status_page (
    id uuid CONSTRAINT status_page_pkey PRIMARY KEY,
    workspace_id uuid NOT NULL CONSTRAINT status_page_workspace_fk REFERENCES workspace (id) ON DELETE CASCADE,
    name text NOT NULL,
    slug text NOT NULL,
    description text NOT NULL,
    is_published boolean NOT NULL,
    show_incident_history boolean NOT NULL,
    -- Whether subscribers are notified of outages too, not only of posts.
    notify_incidents boolean NOT NULL DEFAULT false,
    theme text NOT NULL,
    banner jsonb,
    -- The headings, in order; a system refers to its heading by position.
    group_names text[] NOT NULL,
    created timestamptz(3) NOT NULL,
    last_modified timestamptz(3) NOT NULL,
    CONSTRAINT status_page_theme_check CHECK (theme IN ('light', 'dark', 'auto'))
  );
  -- Slugs are unique over all workspaces.
  CREATE UNIQUE INDEX status_page_slug_key ON status_page (slug);
  CREATE INDEX status_page_workspace_idx ON status_page (workspace_id, created DESC, id DESC);

  CREATE TABLE status_page_system (
    id uuid CONSTRAINT status_page_system_pkey PRIMARY KEY,
    workspace_id uuid NOT NULL,
    page_id uuid NOT NULL CONSTRAINT status_page_system_page_fk REFERENCES status_page (id) ON DELETE CASCADE,
    group_index smallint NOT NULL,
    place smallint NOT NULL,
    name text NOT NULL,
    monitor_id uuid CONSTRAINT status_page_system_monitor_fk REFERENCES monitor (id) ON DELETE CASCADE,
    service_group_id uuid
      CONSTRAINT status_page_system_service_group_fk REFERENCES service_group (id) ON DELETE CASCADE,
    override_status text,
    override_message text,
    CONSTRAINT status_page_system_target_check CHECK (num_nonnulls(monitor_id, service_group_id) = 1),
    CONSTRAINT status_page_system_override_check CHECK (
      override_status IN ('operational', 'degraded', 'partialOutage', 'majorOutage', 'maintenance'))
  );
  CREATE INDEX status_page_system_page_idx ON status_page_system (page_id, group_index, place);
  CREATE INDEX status_page_system_monitor_idx ON status_page_system (monitor_id) WHERE monitor_id IS NOT NULL;
  CREATE INDEX status_page_system_service_group_idx ON status_page_system (service_group_id)
    WHERE service_group_id IS NOT NULL;

  CREATE TABLE status_page_post (
    id uuid CONSTRAINT status_page_post_pkey PRIMARY KEY,
    workspace_id uuid NOT NULL,
    page_id uuid NOT NULL CONSTRAINT status_page_post_page_fk REFERENCES status_page (id) ON DELETE CASCADE,
    title text NOT NULL,
    body text NOT NULL,
    kind text NOT NULL,
    status text NOT NULL,
    system_ids uuid[] NOT NULL,
    scheduled_start timestamptz(3),
    scheduled_end timestamptz(3),
    created_by uuid NOT NULL,
    created timestamptz(3) NOT NULL,
    last_modified timestamptz(3) NOT NULL,
    CONSTRAINT status_page_post_kind_check CHECK (kind IN ('incident', 'update', 'maintenance')),
    CONSTRAINT status_page_post_status_check CHECK (
      status IN ('investigating', 'identified', 'monitoring', 'resolved', 'scheduled'))
  );
  CREATE INDEX status_page_post_page_idx ON status_page_post (page_id, created DESC, id DESC);

  -- What was added to a post after it was published.
  CREATE TABLE status_page_post_update (
    id uuid CONSTRAINT status_page_post_update_pkey PRIMARY KEY,
    workspace_id uuid NOT NULL,
    post_id uuid NOT NULL
      CONSTRAINT status_page_post_update_post_fk REFERENCES status_page_post (id) ON DELETE CASCADE,
    status text NOT NULL,
    body text,
    created_by uuid NOT NULL,
    created timestamptz(3) NOT NULL
  );
  CREATE INDEX status_page_post_update_post_idx ON status_page_post_update (post_id, created DESC, id DESC);

  CREATE TABLE status_page_subscriber (
    id uuid CONSTRAINT status_page_subscriber_pkey PRIMARY KEY,
    workspace_id uuid NOT NULL,
    page_id uuid NOT NULL CONSTRAINT status_page_subscriber_page_fk REFERENCES status_page (id) ON DELETE CASCADE,
    -- As it was typed, and as it is compared.
    email text NOT NULL,
    email_key text NOT NULL,
    -- Null: the owner of the address has not confirmed.
    confirmed_at timestamptz(3),
    -- SHA-256 of the token in the link, and until when the link works.
    confirm_hash bytea,
    confirm_until timestamptz(3),
    -- Limit the mails that a stranger can have sent to this address.
    asked_since timestamptz(3) NOT NULL,
    asked integer NOT NULL DEFAULT 0,
    created timestamptz(3) NOT NULL,
    CONSTRAINT status_page_subscriber_address_key UNIQUE (page_id, email_key),
    CONSTRAINT status_page_subscriber_confirm_check CHECK ((confirm_hash IS NULL) = (confirm_until IS NULL))
  );
  CREATE UNIQUE INDEX status_page_subscriber_confirm_key ON status_page_subscriber (confirm_hash)
    WHERE confirm_hash IS NOT NULL;
  CREATE INDEX status_page_subscriber_email_idx ON status_page_subscriber (email_key);
  CREATE INDEX status_page_subscriber_pending_idx ON status_page_subscriber (confirm_until)
    WHERE confirmed_at IS NULL;

  -- Notices to the subscribers of a page, fanned out to them in batches, in the order of their ids.
  CREATE TABLE status_page_notice (
    id uuid CONSTRAINT status_page_notice_pkey PRIMARY KEY,
    workspace_id uuid NOT NULL,
    page_id uuid NOT NULL CONSTRAINT status_page_notice_page_fk REFERENCES status_page (id) ON DELETE CASCADE,
    subject text NOT NULL,
    -- Markdown
    body text NOT NULL,
    -- The post to which the notice links; null for the page itself.
    post_id uuid,
    created timestamptz(3) NOT NULL,
    -- The cursor: the last subscriber that has been notified.
    sent_through uuid,
    done boolean NOT NULL DEFAULT false
  );
  CREATE INDEX status_page_notice_open_idx ON status_page_notice (created, id) WHERE NOT done;

  -- Outages of which the subscribers of a page were notified, and whether they were notified of the end.
  CREATE TABLE status_page_notified_outage (
    page_id uuid NOT NULL CONSTRAINT status_page_notified_outage_page_fk REFERENCES status_page (id) ON DELETE CASCADE,
    incident_id uuid NOT NULL
      CONSTRAINT status_page_notified_outage_incident_fk REFERENCES incident (id) ON DELETE CASCADE,
    notified_at timestamptz(3) NOT NULL,
    end_notified boolean NOT NULL DEFAULT false,
    CONSTRAINT status_page_notified_outage_pkey PRIMARY KEY (page_id, incident_id)
  );
  CREATE INDEX status_page_notified_outage_open_idx ON status_page_notified_outage (page_id) WHERE NOT end_notified;
  CREATE INDEX status_page_notified_outage_incident_idx ON status_page_notified_outage (incident_id);
`;

export const statusPagesViews = `
  -- For monitors: those that a page shows on their own; they survive the deletion of their service group.
  CREATE VIEW shared_monitor AS
  SELECT workspace_id, monitor_id FROM status_page_system WHERE monitor_id IS NOT NULL;

  -- The systems that a page shows. A system of a deleted monitor or group is hidden; it is shown again when the group is
  -- restored.
  CREATE VIEW status_page_shown_system AS
  SELECT system.*
  FROM status_page_system system
  LEFT JOIN monitor ON monitor.id = system.monitor_id
  LEFT JOIN service_group ON service_group.id = system.service_group_id
  WHERE (monitor.id IS NOT NULL AND monitor.deleted_at IS NULL)
    OR (service_group.id IS NOT NULL AND service_group.deleted_at IS NULL);

  -- The monitors of each system. Latency is measured by the HTTP check, so it is reachability too.
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
`;
