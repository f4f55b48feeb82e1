import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AgentCertificates1763700000019 implements MigrationInterface {
  name = 'AgentCertificates1763700000019';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Signs the certificates of agents, and of the gRPC port where it has none of its own. The newest signs, all are trusted.
      CREATE TABLE certificate_authority (
        id uuid CONSTRAINT certificate_authority_pkey PRIMARY KEY,
        certificate bytea NOT NULL,
        -- PKCS #8, sealed under the id
        sealed_key bytea NOT NULL,
        created timestamptz(3) NOT NULL
      );

      ALTER TABLE agent
        ADD COLUMN token_spent timestamptz(3),
        -- SHA-256 of the public key that spent the token: the only one that may ask again
        ADD COLUMN enrolled_key bytea;

      -- A certificate that is not in here is refused, whoever signed it.
      CREATE TABLE agent_certificate (
        serial bytea CONSTRAINT agent_certificate_pkey PRIMARY KEY,
        agent_id uuid NOT NULL CONSTRAINT agent_certificate_agent_fk REFERENCES agent (id) ON DELETE CASCADE,
        issued timestamptz(3) NOT NULL,
        expires timestamptz(3) NOT NULL
      );
      CREATE INDEX agent_certificate_agent ON agent_certificate (agent_id, expires);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE agent_certificate, certificate_authority;
      ALTER TABLE agent DROP COLUMN token_spent, DROP COLUMN enrolled_key;
    `);
  }
}
