import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Subscribers1763700000023 implements MigrationInterface {
  name = 'Subscribers1763700000023';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- whether subscribers hear of outages too, not only of posts
      ALTER TABLE status_page ADD COLUMN notify_incidents boolean NOT NULL DEFAULT false;

      CREATE TABLE status_page_subscriber (
        id uuid CONSTRAINT status_page_subscriber_pkey PRIMARY KEY,
        workspace_id uuid NOT NULL,
        page_id uuid NOT NULL CONSTRAINT status_page_subscriber_page_fk REFERENCES status_page (id) ON DELETE CASCADE,
        -- as it was typed, and as it is compared
        email text NOT NULL,
        email_key text NOT NULL,
        -- null: nobody has proved that the address wants this
        confirmed_at timestamptz(3),
        -- SHA-256 of the token in the link, and until when it works
        confirm_hash bytea,
        confirm_until timestamptz(3),
        -- what limits the mails that a stranger can have sent to this address
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

      -- What the subscribers of a page are to hear: spread over them in portions, by their ids.
      CREATE TABLE status_page_notice (
        id uuid CONSTRAINT status_page_notice_pkey PRIMARY KEY,
        workspace_id uuid NOT NULL,
        page_id uuid NOT NULL CONSTRAINT status_page_notice_page_fk REFERENCES status_page (id) ON DELETE CASCADE,
        subject text NOT NULL,
        -- Markdown
        body text NOT NULL,
        -- what a reader finds it by: a post, or null for the page itself
        post_id uuid,
        created timestamptz(3) NOT NULL,
        -- the last subscriber that has been told
        told_through uuid,
        done boolean NOT NULL DEFAULT false
      );
      CREATE INDEX status_page_notice_open_idx ON status_page_notice (created, id) WHERE NOT done;

      -- Outages that the subscribers of a page have been told of, and which of them they know to be over.
      CREATE TABLE status_page_told_outage (
        page_id uuid NOT NULL CONSTRAINT status_page_told_outage_page_fk REFERENCES status_page (id) ON DELETE CASCADE,
        incident_id uuid NOT NULL,
        told_at timestamptz(3) NOT NULL,
        told_over boolean NOT NULL DEFAULT false,
        CONSTRAINT status_page_told_outage_pkey PRIMARY KEY (page_id, incident_id)
      );
      CREATE INDEX status_page_told_outage_open_idx ON status_page_told_outage (page_id) WHERE NOT told_over;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE status_page_told_outage, status_page_notice, status_page_subscriber;
      ALTER TABLE status_page DROP COLUMN notify_incidents;
    `);
  }
}
