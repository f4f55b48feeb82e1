import { expect } from 'chai';
import { MINUTE_MS } from '@watchpost/shared/time';
import { newId } from '@watchpost/shared/id';
import { deliveryLaneStore } from '@watchpost/control-plane/capabilities/delivery/queue/delivery-lane-store';
import { ingestBatch } from '@watchpost/control-plane/capabilities/results/ingest/ingest-batch';
import { secondOpinionStore } from '@watchpost/control-plane/capabilities/verdicts/trust/second-opinion-store';
import { causeStore } from '@watchpost/control-plane/capabilities/verdicts/verdict/cause-store';
import type { Tx } from '@watchpost/control-plane/platform/db/database';
import { planByIndex } from '@watchpost/control-plane/platform/db/plans-by-index';
import { agentIn, DOWN, NOON, resultOf, resultsDeps, seedMonitors, seedWorkspace } from './seed.js';
import { databaseForEach, startedForEach } from '../../support/suite.js';

const MANY = 300;
const FEW = 3;

describe('In a storm, what a statement reads depends on what it is about, and not on all that fails', () => {
  const test = databaseForEach();
  const deps = startedForEach(() => resultsDeps(test.database));

  /** The rows of a table that `work` reads in a transaction that reads by index, those of its sequential scans too, and how many such scans there are. */
  const readBy = async (table: string, work: (tx: Tx) => Promise<unknown>): Promise<{ rows: number; scans: number }> =>
    test.database.transaction(
      async (tx) => {
        const counts = async () =>
          (
            await tx.query<{ rows: number; scans: number }>(
              'SELECT seq_tup_read + idx_tup_fetch AS rows, seq_scan AS scans FROM pg_stat_xact_user_tables WHERE relname = $1',
              [table],
            )
          )[0]!;
        const before = await counts();
        await work(tx);
        const after = await counts();
        return { rows: after.rows - before.rows, scans: after.scans - before.scans };
      },
      { byIndex: true },
    );

  it('asks for second opinions of some of many failures', async () => {
    const { id } = await seedWorkspace(test.database);
    const monitors = await seedMonitors(test.database, id, MANY);
    deps.clock.set(NOON + MINUTE_MS);
    const failures = monitors.map(({ key }) => resultOf(key, NOON, DOWN));
    await ingestBatch(deps, agentIn('northeurope'), failures);
    const some = failures.slice(0, FEW).map(({ key }) => ({ ...key, region: 'northeurope' as const, sinceMs: NOON }));
    let found: unknown[] = [];
    const read = await readBy('series', async (tx) => {
      found = await secondOpinionStore.firsts(tx, some, new Date(deps.clock.now()));
    });
    expect(found).to.have.length(FEW);
    expect(read.rows).to.be.at.most(2 * FEW);
  });

  it('finds no dependencies without reading the workspace', async () => {
    const { id } = await seedWorkspace(test.database);
    const monitors = await seedMonitors(test.database, id, MANY);
    const keys = monitors.slice(0, FEW).map(({ key }) => key);
    // As the transactions of results join.
    const read = await readBy('monitor', (tx) => causeStore.causes(tx, keys, new Date(NOON)));
    expect(read.rows).to.be.at.most(2 * FEW);
  });

  it('claims lanes by index, soon after there was only one', async () => {
    const { id, userId } = await seedWorkspace(test.database);
    const claim = async (tx: Tx) => {
      await deliveryLaneStore.makeReady(tx, 'webhook', new Date(NOON));
      return deliveryLaneStore.claim(tx, {
        outlet: 'webhook',
        urgent: false,
        leaseEnd: new Date(NOON + MINUTE_MS),
        lease: newId(NOON),
        free: FEW,
        running: new Map(),
        after: '00000000-0000-0000-0000-000000000000',
      });
    };
    // Statistics of a table of one row. After five executions the server keeps the plan.
    const add = (first: number, last: number, ready: boolean) =>
      test.sql(
        `INSERT INTO delivery_lane (workspace_id, lane, outlet, urgent, owner_id, due_at, ready)
           SELECT $1, 'lane ' || number, 'webhook', false, $2, $3, $6 FROM generate_series($4::integer, $5::integer) AS number`,
        [id, userId, new Date(NOON + (ready ? 0 : MINUTE_MS)), first, last, ready],
      );
    await add(0, 0, false);
    await test.sql('ANALYZE delivery_lane');
    for (let time = 0; time < 8; time++) await test.database.transaction(claim, { byIndex: true });
    await add(1, 10 * MANY, true);
    let claimed: unknown[] = [];
    const read = await readBy('delivery_lane', async (tx) => {
      await planByIndex(tx, 0);
      claimed = await claim(tx);
    });
    expect(claimed).to.have.length.within(1, FEW);
    expect(read.scans).to.equal(0);
    expect(read.rows).to.be.below(50);
  });

  it('writes one event for each object that a statement changed', async () => {
    const { id } = await seedWorkspace(test.database);
    const monitors = await seedMonitors(test.database, id, MANY);
    const keys = monitors.map(({ key }) => key);
    const events = async () =>
      test.sql<{ kind: string; id: string }>('SELECT kind, object_id AS id FROM workspace_event ORDER BY seq');
    expect(await events(), 'of new monitors').to.have.length(MANY);
    await test.database.transaction(async (tx) => {
      await tx.query(
        `INSERT INTO monitor_state (monitor_key, workspace_id, verdict_since)
         SELECT key, workspace_id, $2 FROM monitor WHERE key = ANY ($1)`,
        [keys, new Date(NOON)],
      );
      await tx.query('DELETE FROM workspace_event');
      await tx.query(
        `UPDATE monitor_state SET decide_at = $2, verdict = CASE WHEN monitor_key = ANY ($1) THEN 'available' ELSE verdict END`,
        [keys.slice(0, FEW), new Date(NOON)],
      );
    });
    const changed = monitors.slice(0, FEW).map((monitor) => monitor.id);
    expect((await events()).map((event) => event.id)).to.have.members(changed);
  });
});
