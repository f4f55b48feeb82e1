import { typeOfKind, type CheckKind, type CheckSpec, type ProbeTarget } from '@watchpost/shared/check';
import { factsOf } from '@watchpost/shared/monitor-types';
import { checkTarget } from '@watchpost/control-plane/capabilities/monitors/checks/check-target';
import { OWNERSHIP_SHARDS } from '@watchpost/shared/ownership-shard';
import { regionCode, type Region } from '@watchpost/shared/region';
import type { Bus } from '@watchpost/control-plane/platform/coordination/bus';
import type { Database, Tx } from '@watchpost/control-plane/platform/db/database';
import { WRITTEN_SINCE } from '@watchpost/control-plane/capabilities/monitors/checks/check-source-store';
import type { MonitorChecks, MonitorCheckSource } from '@watchpost/control-plane/capabilities/monitors/index';

interface Row {
  key: number;
  revision: number;
  horizon: number;
  regions: Region[];
  interval_ms: number;
  kinds: CheckKind[];
}

/**
 * Monitors reduced to their checks: a table with the same revisions and horizons as the real one. Each monitor has one
 * check of each kind in each region.
 */
export class CheckTable implements MonitorCheckSource {
  /** The number of ownership shards that were read. */
  shardsRead = 0;
  /** The number of statements that read them. */
  reads = 0;
  /** The newest revision of what was deleted and is in no answer any more. */
  private purged = 0;
  /** Awaited before each statement that reads them. */
  mayRead: () => Promise<void> = () => Promise.resolve();

  constructor(
    private readonly db: Database,
    private readonly bus: Bus,
  ) {}

  async make(): Promise<void> {
    await this.db.transaction((tx) =>
      tx.query(`
        CREATE TABLE fleet_test_monitor (
          key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
          regions text[] NOT NULL,
          interval_ms integer NOT NULL DEFAULT 60000,
          kinds text[] NOT NULL DEFAULT '{http}',
          revision bigint NOT NULL DEFAULT pg_current_xact_id()::text::bigint
        )`),
    );
  }

  async add(
    count: number,
    regions: readonly Region[] = ['northeurope'],
    kinds: readonly CheckKind[] = ['http'],
  ): Promise<number[]> {
    return await this.write(
      `INSERT INTO fleet_test_monitor (regions, kinds) SELECT $2, $3 FROM generate_series(1, $1) RETURNING key`,
      [count, regions, kinds],
    );
  }

  /** Removes the regions, as for a deleted or paused monitor. */
  async change(
    key: number,
    { regions, intervalMs }: { regions?: readonly Region[]; intervalMs?: number },
  ): Promise<void> {
    await this.write(
      `UPDATE fleet_test_monitor SET regions = coalesce($2, regions), interval_ms = coalesce($3, interval_ms),
         revision = pg_current_xact_id()::text::bigint WHERE key = $1 RETURNING key`,
      [key, regions ?? null, intervalMs ?? null],
    );
  }

  /** Raises the revisions as if the rows were restored from a dump of a server with many more transactions. */
  async restore(): Promise<void> {
    await this.db.transaction((tx) => tx.query('UPDATE fleet_test_monitor SET revision = revision + 1e12'));
  }

  /** Deletes a monitor without a trace, as long after its removal. */
  async purge(key: number): Promise<void> {
    const [row] = await this.db.transaction((tx) =>
      tx.query<{ revision: number }>('DELETE FROM fleet_test_monitor WHERE key = $1 RETURNING revision', [key]),
    );
    this.purged = row!.revision;
  }

  async of(tx: Tx, key: number) {
    const { rows } = await find(tx, 'WHERE key = $1', [key]);
    return rows[0] ? checksOf(rows[0]) : { monitorKey: key, revision: 0, places: [] };
  }

  async inShards(tx: Tx, region: Region, shards: readonly number[]) {
    this.shardsRead += shards.length;
    this.reads++;
    await this.mayRead();
    const where = `WHERE key % ${OWNERSHIP_SHARDS} = ANY ($1::bigint[]) AND $2 = ANY (regions) ORDER BY key`;
    const { rows, horizon } = await find(tx, where, [shards, region]);
    const monitors = rows.map((row) => ({
      monitorKey: row.key,
      makeChecks: () => checksOf(row).places.find(({ place }) => place === region)?.checks ?? [],
    }));
    return { monitors, horizon };
  }

  async keysInShards(tx: Tx, shards: readonly number[]) {
    const { rows } = await find(tx, `WHERE key % ${OWNERSHIP_SHARDS} = ANY ($1::bigint[])`, [shards]);
    return rows.map(({ key }) => key);
  }

  async changed(tx: Tx, since: number, limit: number) {
    const { rows, horizon } = await find(tx, `WHERE ${WRITTEN_SINCE} ORDER BY revision FETCH FIRST $2 ROWS WITH TIES`, [
      since,
      limit,
    ]);
    const next = rows.length < limit ? horizon : Math.min(horizon, rows.at(-1)!.revision + 1);
    return { monitors: rows.map(checksOf), horizon: next, purged: this.purged };
  }

  private async write(sql: string, params: readonly unknown[]): Promise<number[]> {
    const answer = await this.db.transaction((tx) => tx.query<{ key: number }>(sql, params));
    // TypeORM answers an UPDATE with [rows, count].
    const rows = (Array.isArray(answer[0]) ? answer[0] : answer) as { key: number }[];
    for (const { key } of rows) this.bus.publish('monitor-changed', { monitorKey: key });
    return rows.map(({ key }) => key);
  }
}

/** The horizon must belong to the same snapshot as the rows, and exist also without rows. */
async function find(tx: Tx, where: string, params: readonly unknown[]): Promise<{ rows: Row[]; horizon: number }> {
  const rows = await tx.query<Row>(
    `SELECT found.*, pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS horizon
       FROM (SELECT) AS always
       LEFT JOIN (SELECT key, revision, regions, kinds, interval_ms FROM fleet_test_monitor ${where}) AS found ON true`,
    params,
  );
  return { rows: rows.filter(({ key }) => key !== null), horizon: rows[0]!.horizon };
}

function checksOf(row: Row): MonitorChecks {
  return {
    monitorKey: row.key,
    revision: row.revision,
    places: row.regions.map((region) => ({
      place: region,
      region,
      checks: row.kinds.map((kind) => check(row.key, kind, row.interval_ms, regionCode(region))),
    })),
  };
}

function check(monitorKey: number, kind: CheckKind, intervalMs: number, phaseMs: number): CheckSpec {
  return {
    key: { monitorKey, kind },
    intervalMs,
    timeoutMs: 30_000,
    phaseMs,
    changedAtMs: 1_763_700_000_000,
    target: targetOf(`site-${monitorKey}.example`, kind),
  };
}

/** As a monitor with the default settings has it. */
function targetOf(host: string, kind: CheckKind): ProbeTarget {
  const [urlKind] = factsOf(typeOfKind(kind)).url.kinds;
  return checkTarget(kind, `${urlKind}://${host}:8080`, {}, () => ({}))!;
}
