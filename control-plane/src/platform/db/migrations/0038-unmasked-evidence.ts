import type { MigrationInterface, QueryRunner } from 'typeorm';

const SECRET_NAME = '^(authorization|cookie)$|token|secret|key|auth|password|session|signature';
/** Monitors that send a secret, sealed or stored before its name was one of a secret. */
const SENDS_SECRETS = `(monitor.http_secrets IS NOT NULL
  OR EXISTS (SELECT FROM jsonb_object_keys(monitor.http -> 'headers') AS name WHERE name ~* '${SECRET_NAME}'))`;

/**
 * Evidence was stored as the target sent it, with the secrets that it repeated. A migration cannot open those to find
 * them: of monitors that send some, headers and bodies go.
 */
export class UnmaskedEvidence1763700000038 implements MigrationInterface {
  name = 'UnmaskedEvidence1763700000038';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE check_failure SET evidence = evidence - ARRAY['headers', 'bodyStart', 'hops']
      FROM monitor WHERE monitor.key = check_failure.monitor_key AND kind = 1 AND evidence IS NOT NULL AND ${SENDS_SECRETS};
      UPDATE incident SET context = jsonb_set(context, '{failures}', (
        SELECT coalesce(jsonb_agg(failure #- '{evidence,headers}' #- '{evidence,bodyStart}' #- '{evidence,hops}'), '[]')
        FROM jsonb_array_elements(context -> 'failures') AS failure))
      FROM monitor WHERE monitor.key = incident.monitor_key AND jsonb_typeof(context -> 'failures') = 'array' AND ${SENDS_SECRETS};
    `);
  }

  /** What is gone does not come back. */
  async down(): Promise<void> {}
}
