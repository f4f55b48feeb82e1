import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Fleet1763700000003 implements MigrationInterface {
  name = 'Fleet1763700000003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE agent (
        id uuid CONSTRAINT agent_pkey PRIMARY KEY,
        key integer GENERATED ALWAYS AS IDENTITY,
        name text NOT NULL,
        region text NOT NULL,
        -- SHA-256 of the token: 256 random bits need no salt and no slow hash
        token_hash bytea NOT NULL,
        status text NOT NULL DEFAULT 'active',
        version text,
        capabilities text[] NOT NULL DEFAULT '{}',
        last_seen timestamptz(3),
        checks integer NOT NULL DEFAULT 0,
        spool_depth integer NOT NULL DEFAULT 0,
        lag_p99_us integer NOT NULL DEFAULT 0,
        created timestamptz(3) NOT NULL,
        last_modified timestamptz(3) NOT NULL,
        CONSTRAINT agent_key_key UNIQUE (key),
        CONSTRAINT agent_token_key UNIQUE (token_hash),
        CONSTRAINT agent_status_check CHECK (status IN ('active', 'draining', 'revoked'))
      );
      CREATE UNIQUE INDEX agent_name_key ON agent (region, name) WHERE status <> 'revoked';

      -- which agents share a region's checks; the epoch moves on when the members do
      CREATE TABLE fleet_region (
        region text CONSTRAINT fleet_region_pkey PRIMARY KEY,
        epoch bigint NOT NULL DEFAULT 1,
        members uuid[] NOT NULL DEFAULT '{}'
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE fleet_region, agent');
  }
}
