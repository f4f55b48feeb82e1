import { expect } from 'chai';
import { appForSuite } from '../../support/suite.js';

describe('Idempotency keys that have expired', () => {
  const app = appForSuite();

  it('are all gone after one purge, also where callers used more in an hour than a statement deletes', async () => {
    await app.sql(
      `INSERT INTO idempotency_key (principal_id, workspace_id, operation, key, fingerprint, owner, locked_until, expires)
       SELECT $1, $2, 'createMonitor', 'k' || n, '\\x00', $1, $3::timestamptz, CASE WHEN n = 0 THEN $4::timestamptz ELSE $3 END
       FROM generate_series(0, 12000) AS n`,
      [app.owner.userId, app.owner.workspaceId, new Date(app.clock.now() - 1), new Date(app.clock.now() + 1)],
    );
    await app.plane.jobs.find(({ name }) => name === 'purge_idempotency_keys')!.run();
    expect(await app.sql('SELECT key FROM idempotency_key')).to.deep.equal([{ key: 'k0' }]);
  });
});
