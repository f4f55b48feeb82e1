import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Processes1763700000020 implements MigrationInterface {
  name = 'Processes1763700000020';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Names this database among those that share a Redis, and knows the key that its processes have to have.
      CREATE TABLE installation (
        id uuid CONSTRAINT installation_pkey PRIMARY KEY,
        is_only boolean NOT NULL DEFAULT true,
        -- a constant, sealed by the first process
        key_mark bytea,
        CONSTRAINT installation_only_key UNIQUE (is_only),
        CONSTRAINT installation_only_check CHECK (is_only)
      );
      INSERT INTO installation (id) VALUES (gen_random_uuid());

      -- The processes that serve agents. All times are the database's own.
      CREATE TABLE fleet_process (
        id uuid CONSTRAINT fleet_process_pkey PRIMARY KEY,
        -- since when without a gap
        live_since timestamptz(3) NOT NULL,
        seen timestamptz(3) NOT NULL,
        stopped boolean NOT NULL DEFAULT false
      );

      -- Which process holds an agent's stream, or held it last.
      CREATE TABLE fleet_lease (
        agent_id uuid CONSTRAINT fleet_lease_pkey PRIMARY KEY
          CONSTRAINT fleet_lease_agent_fk REFERENCES agent (id) ON DELETE CASCADE,
        region text NOT NULL,
        process_id uuid NOT NULL,
        -- of the stream: a newer one takes over
        session_id uuid NOT NULL,
        connected boolean NOT NULL,
        left_at timestamptz(3),
        -- what it can run by its own account; what it is taken to run at an epoch is in agent.capabilities
        capabilities text[] NOT NULL,
        -- up to which epoch of its region the agent has acknowledged what it gained
        gained_epoch bigint
      );
      CREATE INDEX fleet_lease_region_idx ON fleet_lease (region);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE fleet_lease, fleet_process, installation');
  }
}
