import type { MigrationInterface, QueryRunner } from 'typeorm';

const STATEMENTS = `
  CREATE TABLE api_key (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL CONSTRAINT api_key_workspace_fk REFERENCES workspace ON DELETE CASCADE,
    -- With the membership, its keys end for good.
    member_id uuid NOT NULL CONSTRAINT api_key_member_fk REFERENCES workspace_member ON DELETE CASCADE,
    name text NOT NULL,
    -- The part of the key that is shown, and by which a request finds it.
    prefix text NOT NULL CONSTRAINT api_key_prefix_key UNIQUE,
    -- SHA-256 of the whole key.
    hash bytea NOT NULL,
    scopes text[] NOT NULL,
    created timestamptz(3) NOT NULL,
    expires_at timestamptz(3),
    -- To the minute.
    last_used_at timestamptz(3)
  );
  CREATE INDEX api_key_expires_idx ON api_key (expires_at) WHERE expires_at IS NOT NULL;
  CREATE INDEX api_key_member_idx ON api_key (member_id, created, id);
  CREATE INDEX api_key_workspace_idx ON api_key (workspace_id, created, id);
`;

/** Keys with which programs act for a member of a workspace. */
export class ApiKeys1763900000003 implements MigrationInterface {
  name = 'ApiKeys1763900000003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(STATEMENTS);
  }

  /** Migrations only go forward. */
  async down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup of the database.');
  }
}
