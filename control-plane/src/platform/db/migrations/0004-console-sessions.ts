import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the sessions of the console. */
export class ConsoleSessions1763900000004 implements MigrationInterface {
  name = 'ConsoleSessions1763900000004';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- A browser that is signed in to the console.
      CREATE TABLE console_session (
        id uuid CONSTRAINT console_session_pkey PRIMARY KEY,
        user_id uuid NOT NULL CONSTRAINT console_session_user_fk REFERENCES user_account ON DELETE CASCADE,
        -- SHA-256 of the value of the cookie.
        token_hash bytea NOT NULL CONSTRAINT console_session_token_key UNIQUE,
        created timestamptz(3) NOT NULL,
        -- To the minute.
        last_seen timestamptz(3) NOT NULL,
        -- When the session ends whatever happens.
        expires timestamptz(3) NOT NULL,
        user_agent text,
        remote_address text,
        -- Sealed, for the sign-out at the provider.
        id_token bytea
      );
      CREATE INDEX console_session_user_idx ON console_session (user_id, last_seen, id);
    `);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
