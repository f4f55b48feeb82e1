import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Recipients1763700000050 implements MigrationInterface {
  name = 'Recipients1763700000050';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Addresses and numbers that an owner wants to send alerts to, and what their users answered. A row is of the
      -- owner and not of a group: it survives every edit, and holds in all workspaces of the owner.
      CREATE TABLE alert_recipient (
        id uuid CONSTRAINT alert_recipient_pkey PRIMARY KEY,
        owner_id uuid NOT NULL CONSTRAINT alert_recipient_owner_fk REFERENCES user_account (id) ON DELETE CASCADE,
        -- where the request comes from: the workspace that had it last
        workspace_id uuid CONSTRAINT alert_recipient_workspace_fk REFERENCES workspace (id) ON DELETE SET NULL,
        channel text NOT NULL,
        -- as it was typed, and as it is compared
        address text NOT NULL,
        address_key text NOT NULL,
        confirmed_at timestamptz(3),
        -- the user asked not to be asked again
        refused_at timestamptz(3),
        -- when the next request is sent; null: none is to be sent
        ask_at timestamptz(3),
        -- requests sent within a day from asked_since on, and in all
        asked_since timestamptz(3),
        asked integer NOT NULL DEFAULT 0,
        asked_ever integer NOT NULL DEFAULT 0,
        -- of a link: the SHA-256 of its token; of a code: its signature
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

      -- Each address and number of each group, with what decides whether it may be sent alerts.
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

      -- What owners had sent on a day. By a hash of the principal: deleting the account gives no new budget.
      CREATE TABLE daily_budget (
        principal bytea NOT NULL,
        day date NOT NULL,
        kind text NOT NULL,
        spent integer NOT NULL,
        CONSTRAINT daily_budget_pkey PRIMARY KEY (principal, day, kind)
      ) WITH (fillfactor = 70);
      CREATE INDEX daily_budget_day_idx ON daily_budget (day);

      -- why a delivery was refused, as a code; null where it was tried
      ALTER TABLE delivery ADD COLUMN error text;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE delivery DROP COLUMN error;
      DROP VIEW group_recipient;
      DROP TABLE daily_budget, alert_recipient;
    `);
  }
}
