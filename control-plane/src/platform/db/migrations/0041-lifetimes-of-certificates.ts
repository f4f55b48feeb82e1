import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';
import { inBatches } from '../migration-steps.js';

/** Monitors with the former default judge certificates by their lifetime: 7 days are more than some certificates have at all. */
export class LifetimesOfCertificates1763900000041 implements Migration {
  readonly name = 'LifetimesOfCertificates1763900000041';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await inBatches(runner, (tx) =>
      tx.execute(
        `UPDATE monitor SET ssl = jsonb_set(ssl, '{incidentDays}', 'null')
         WHERE key IN (
           SELECT key FROM monitor WHERE ssl -> 'incidentDays' = '7' ORDER BY key LIMIT 1000 FOR UPDATE
         )`,
      ),
    );
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
