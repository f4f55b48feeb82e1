import { expect } from 'chai';
import type { QueryRunner } from 'typeorm';
import { UnmaskedEvidence1763700000038 } from '@watchpost/control-plane/platform/db/migrations/0038-unmasked-evidence';
import { startTestApp, type TestApp } from '../../support/app.js';
import { makeWorld } from '../../support/seed.js';
import { seedOutage, seedWatched, type Watched } from './seed-evidence.js';

describe('evidence that was stored before secrets were masked', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp();
  });
  after(() => app?.stop());

  it('loses headers and bodies where the monitor sends secrets, and only there', async () => {
    const world = await makeWorld(app);
    const [plain, clear, sealed] = [await seedWatched(world), await seedWatched(world), await seedWatched(world)];
    const incidents: string[] = [];
    for (const watched of [plain, clear, sealed]) incidents.push(await seedOutage(world, watched));
    // As a former version stored them.
    await app.sql(
      `UPDATE monitor SET http = jsonb_set(http, '{headers}', '{"Private-Token": "glpat-1"}') WHERE id = $1`,
      [clear.id],
    );
    await app.sql(`UPDATE monitor SET http_secrets = '\\x00' WHERE id = $1`, [sealed.id]);
    const runner = { query: (statement: string) => app.db.transaction((tx) => tx.query(statement)) };
    await new UnmaskedEvidence1763700000038().up(runner as unknown as QueryRunner);

    const keysOf = async ({ key }: Watched, incident: string) => {
      const [kept] = await app.sql<{ evidence: object }>(
        'SELECT evidence FROM check_failure WHERE monitor_key = $1 AND evidence IS NOT NULL LIMIT 1',
        [key],
      );
      const { body } = await world.api('GET', `/api/v1/incident/${incident}`);
      return [Object.keys(kept!.evidence), Object.keys(body.context.failures[0].evidence)].map((keys) =>
        keys.toSorted(),
      );
    };
    const whole = ['bodyStart', 'headers', 'resolved'];
    expect(await keysOf(plain, incidents[0]!)).to.deep.equal([whole, whole]);
    expect(await keysOf(clear, incidents[1]!)).to.deep.equal([['resolved'], ['resolved']]);
    expect(await keysOf(sealed, incidents[2]!)).to.deep.equal([['resolved'], ['resolved']]);
    const { body } = await world.api('GET', `/api/v1/monitor/${clear.id}`);
    expect(body.http.headers).to.deep.equal({ 'Private-Token': '***' });
  });
});
