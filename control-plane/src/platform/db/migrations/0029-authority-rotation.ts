import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AuthorityRotation1763700000029 implements MigrationInterface {
  name = 'AuthorityRotation1763700000029';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE agent_certificate
        -- null: of the authority that there was before there could be two
        ADD COLUMN authority_id uuid CONSTRAINT agent_certificate_authority_fk
          REFERENCES certificate_authority (id) ON DELETE CASCADE,
        -- the agent first came with it: it has it, and all that was given with it
        ADD COLUMN shown timestamptz(3);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE agent_certificate DROP COLUMN authority_id, DROP COLUMN shown;');
  }
}
