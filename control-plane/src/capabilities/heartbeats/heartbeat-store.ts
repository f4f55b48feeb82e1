import type { Tx } from '../../platform/db/database.js';
import { jsonText } from '../../platform/db/json-text.js';
import type { HeartbeatSettings } from '../monitors/index.js';
import type { ReceptionOutage } from './decide-expected-by.js';
import type { HeartbeatState, HeartbeatSubject } from './heartbeat.js';

const MS = (column: string) => `(extract(epoch FROM ${column}) * 1000)::bigint`;
const iso = (ms: number | null) => (ms === null ? null : new Date(ms));

interface SubjectRow extends HeartbeatState {
  monitorKey: number;
  settings: HeartbeatSettings;
  scheduleSinceMs: number;
  receivedUntilMs: number | null;
  outages: [number, number][];
}

export interface WrittenHeartbeat {
  monitorKey: number;
  state: HeartbeatState;
}

export interface HeartbeatChange {
  monitorKey: number;
  atMs: number;
  verdict: 'available' | 'unavailable' | 'unknown';
}

/** Heartbeats of many monitors at once, of any workspace: a ping token is its sender's only credential. */
export const heartbeatStore = {
  /**
   * The heartbeats among these monitors, with the outages that may concern them. To be read while the rows of the monitors in
   * `monitor_state` are locked.
   */
  async subjects(tx: Tx, monitorKeys: readonly number[]): Promise<HeartbeatSubject[]> {
    const rows = await tx.query<SubjectRow>(
      `SELECT monitor_key AS "monitorKey", settings, ${MS('checks_changed')} AS "scheduleSinceMs",
         ${MS('counts_from')} AS "countsFromMs", ${MS('last_ping')} AS "lastPingMs", ${MS('due_from')} AS "dueFromMs",
         ${MS('succeeded')} AS "succeededMs", runs, failure, ${MS('expected_by')} AS "expectedByMs",
         (SELECT ${MS('received_until')} FROM ping_reception) AS "receivedUntilMs",
         (SELECT coalesce(json_agg(json_build_array(${MS('started')}, ${MS('ended')}) ORDER BY started), '[]')
          FROM ping_outage WHERE ended > least(due_from, (SELECT to_timestamp(min((run ->> 'startedMs')::bigint) / 1000.0)
            FROM jsonb_array_elements(runs) AS run))) AS outages
       FROM heartbeat JOIN heartbeat_subject subject USING (monitor_key)
       WHERE monitor_key = ANY ($1) ORDER BY monitor_key`,
      [monitorKeys],
    );
    return rows.map(({ monitorKey, settings, scheduleSinceMs, receivedUntilMs, outages, ...state }) => ({
      monitorKey,
      settings,
      scheduleSinceMs,
      receivedUntilMs: receivedUntilMs ?? 0,
      outages: outages.map(([startedMs, endedMs]): ReceptionOutage => ({ startedMs, endedMs })),
      state,
    }));
  },

  /** Writes the states of heartbeats whose rows in `monitor_state` are locked. */
  async save(tx: Tx, rows: readonly WrittenHeartbeat[]): Promise<void> {
    if (rows.length === 0) return;
    const of = <Value>(read: (state: HeartbeatState) => Value) => rows.map(({ state }) => read(state));
    await tx.query(
      `UPDATE heartbeat SET last_ping = row.last_ping, due_from = row.due_from, succeeded = row.succeeded,
         runs = row.runs::jsonb, failure = row.failure::jsonb, expected_by = row.expected_by
       FROM unnest($1::bigint[], $2::timestamptz[], $3::timestamptz[], $4::timestamptz[], $5::text[], $6::text[], $7::timestamptz[])
         AS row (monitor_key, last_ping, due_from, succeeded, runs, failure, expected_by)
       WHERE heartbeat.monitor_key = row.monitor_key AND heartbeat.monitor_key = ANY ($1::bigint[])`,
      [
        rows.map(({ monitorKey }) => monitorKey),
        of(({ lastPingMs }) => iso(lastPingMs)),
        of(({ dueFromMs }) => iso(dueFromMs)),
        of(({ succeededMs }) => iso(succeededMs)),
        of(({ runs }) => jsonText(runs)),
        of(({ failure }) => (failure === null ? null : jsonText(failure))),
        of(({ expectedByMs }) => iso(expectedByMs)),
      ],
    );
  },

  /** Makes the rows of new heartbeats; other monitors get none. */
  async insert(workspaceId: string, tx: Tx, monitorKeys: readonly number[], now: Date): Promise<void> {
    await tx.query(
      `INSERT INTO heartbeat (monitor_key, workspace_id, counts_from)
       SELECT monitor_key, workspace_id, $3 FROM heartbeat_subject WHERE workspace_id = $1 AND monitor_key = ANY ($2)
       ON CONFLICT (monitor_key) DO NOTHING`,
      [workspaceId, monitorKeys, now],
    );
  },

  /** Counts anew from now on: what failed before, and which runs were under way, no longer matters. */
  async countAnew(workspaceId: string, tx: Tx, monitorKeys: readonly number[], now: Date): Promise<void> {
    await tx.query(
      `UPDATE heartbeat SET counts_from = $3, runs = '[]', failure = NULL, expected_by = NULL
       WHERE workspace_id = $1 AND monitor_key = ANY ($2)`,
      [workspaceId, monitorKeys, now],
    );
  },

  /** Adds changes of state to the timelines. One at the same time as the former change replaces it. */
  async addChanges(tx: Tx, changes: readonly HeartbeatChange[]): Promise<void> {
    if (changes.length === 0) return;
    await tx.query(
      `INSERT INTO heartbeat_change (monitor_key, at, verdict)
       SELECT monitor_key, greatest(at, (
         SELECT max(former.at) FROM heartbeat_change former WHERE former.monitor_key = change.monitor_key)), verdict
       FROM unnest($1::bigint[], $2::timestamptz[], $3::text[]) AS change (monitor_key, at, verdict)
       ON CONFLICT (monitor_key, at) DO UPDATE SET verdict = excluded.verdict`,
      [
        changes.map(({ monitorKey }) => monitorKey),
        changes.map(({ atMs }) => new Date(atMs)),
        changes.map(({ verdict }) => verdict),
      ],
    );
  },

  /** The timelines of those of these monitors that are heartbeats become unknown: they are paused or deleted. */
  async stop(workspaceId: string, tx: Tx, monitorKeys: readonly number[], now: Date): Promise<void> {
    const rows = await tx.query<{ monitorKey: number }>(
      `UPDATE heartbeat SET runs = '[]', failure = NULL, expected_by = NULL
       WHERE workspace_id = $1 AND monitor_key = ANY ($2) RETURNING monitor_key AS "monitorKey"`,
      [workspaceId, monitorKeys],
    );
    const atMs = now.getTime();
    await heartbeatStore.addChanges(
      tx,
      rows.map(({ monitorKey }) => ({ monitorKey, atMs, verdict: 'unknown' })),
    );
  },
};
