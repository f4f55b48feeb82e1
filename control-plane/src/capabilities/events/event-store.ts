import type { Tx } from '../../platform/db/database.js';
import { valuesOf } from '../../platform/db/values-of.js';
import type { EventPosition } from './event-position.js';
import { RESUME_MS, type EventKind, type WorkspaceEvent } from './workspace-event.js';

/** The workspace of events that concern every workspace. */
const EVERY_WORKSPACE = '00000000-0000-0000-0000-000000000000';
/** Well above the time for which clients resume and the length of any transaction. */
const KEPT = '10 minutes';
/** More changes than this between two readings of a workspace are a reset. */
export const MOST_CHANGES = 500;

/** What a reader knows of a workspace. */
export interface ReadingPoint {
  workspaceId: string;
  /** Null: it knows nothing, and begins now. */
  since: EventPosition | null;
}

export interface Reading {
  position: EventPosition;
  /** In the order of the points. */
  found: FoundEvents[];
}

export type FoundEvents =
  /** One event for each object that changed, the last. */
  | { kind: 'events'; events: WorkspaceEvent[]; oldestMs: number | null }
  /** What happened since is not known, or too much. */
  | { kind: 'reset'; reason: 'expired' | 'too_many' };

interface FoundRow {
  place: number;
  isKnown: boolean;
  changes: [EventKind, string, number, number][];
}

export const eventStore = {
  /**
   * What committed in each workspace after a point. A reading sees the events of exactly the transactions that its position
   * sees, so one that starts from this position neither repeats nor misses any. For all workspaces, because one statement
   * reads for all streams of a process; each costs at most `MOST_CHANGES` rows.
   * @param history of the database that is read
   */
  async read(tx: Tx, points: readonly ReadingPoint[], history: string): Promise<Reading> {
    const [row] = await tx.query<{ snapshot: string; atMs: number; found: FoundRow[] | null }>(
      `WITH present AS MATERIALIZED (
         SELECT pg_current_snapshot() AS snapshot, (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS at_ms
       ), asked AS MATERIALIZED (
         SELECT place, workspace_id, since, since_ms, is_of_history AND since_ms BETWEEN at_ms - ${RESUME_MS} AND at_ms + 1000
           AND pg_snapshot_xmax(since) <= pg_snapshot_xmax(snapshot) AS is_known
         FROM present, unnest($1::uuid[], $2::pg_snapshot[], $3::bigint[], $4::boolean[]) WITH ORDINALITY
           AS asked (workspace_id, since, since_ms, is_of_history, place)
       )
       SELECT snapshot::text, at_ms AS "atMs", (
         SELECT json_agg(json_build_object('place', place, 'isKnown', is_known, 'changes', coalesce(changes, '[]')))
         FROM asked LEFT JOIN LATERAL (
           SELECT json_agg(json_build_array(kind, object_id, seq, (extract(epoch FROM at) * 1000)::bigint)) AS changes FROM (
             SELECT kind, object_id, seq, at FROM workspace_event event
             WHERE is_known AND event.workspace_id IN (asked.workspace_id, '${EVERY_WORKSPACE}')
               AND event.xid >= pg_snapshot_xmin(since) AND NOT pg_visible_in_snapshot(event.xid, since)
               -- rows of another server, of which the database was restored
               AND event.xid < pg_snapshot_xmax(snapshot)
             LIMIT ${MOST_CHANGES + 1}
           ) AS change
         ) AS found ON true
         WHERE NOT is_known OR changes IS NOT NULL
       ) AS found
       FROM present`,
      [
        points.map(({ workspaceId }) => workspaceId),
        points.map(({ since }) => since?.snapshot ?? null),
        points.map(({ since }) => since?.atMs ?? null),
        points.map(({ since }) => since === null || since.history === history),
      ],
    );
    const { snapshot, atMs, found } = row!;
    const byPlace = new Map(found?.map((one) => [one.place, one]));
    return {
      position: { snapshot, atMs, history },
      found: points.map((_, index) => eventsOf(byPlace.get(index + 1))),
    };
  },

  /**
   * Records that a monitor changed in a way of which no trigger knows. All others are recorded by triggers
   * (`workspace_event_add`).
   */
  async addOfMonitors(tx: Tx, monitors: readonly { workspaceId: string; monitorId: string }[]): Promise<void> {
    await tx.query(
      `SELECT workspace_event_add(workspace, 'monitor', monitor) FROM unnest($1::uuid[], $2::text[]) AS changed (workspace, monitor)`,
      valuesOf(monitors, 'workspaceId', 'monitorId'),
    );
  },

  /** Deletes old events, of all workspaces. @returns how many, at most `limit` */
  async purge(tx: Tx, limit: number): Promise<number> {
    return tx.execute(
      `DELETE FROM workspace_event WHERE seq IN (SELECT seq FROM workspace_event ORDER BY seq LIMIT $1)
         AND at < clock_timestamp() - interval '${KEPT}'`,
      [limit],
    );
  },
};

function eventsOf(row: FoundRow | undefined): FoundEvents {
  if (!row) return { kind: 'events', events: [], oldestMs: null };
  if (!row.isKnown) return { kind: 'reset', reason: 'expired' };
  if (row.changes.length > MOST_CHANGES) return { kind: 'reset', reason: 'too_many' };
  const last = new Map<string, WorkspaceEvent>();
  let oldestMs = Infinity;
  for (const [kind, id, version, atMs] of row.changes) {
    oldestMs = Math.min(oldestMs, atMs);
    const key = `${kind} ${id}`;
    const known = last.get(key);
    if (!known || known.version < version) last.set(key, { kind, id, version });
  }
  const events = [...last.values()].toSorted((a, b) => a.version - b.version);
  return { kind: 'events', events, oldestMs };
}
