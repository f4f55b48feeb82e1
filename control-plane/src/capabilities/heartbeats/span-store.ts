import type { Tx } from '../../platform/db/database.js';
import type { DatedVerdict } from './decide-heartbeat-spans.js';

export const spanStore = {
  /** The changes of state of heartbeats in a period, with the last one before it. */
  async changes(
    workspaceId: string,
    tx: Tx,
    monitorKeys: readonly number[],
    from: Date,
    until: Date,
  ): Promise<{ monitorKey: number; expectedByMs: number | null; changes: DatedVerdict[] }[]> {
    return tx.query(
      `SELECT monitor_key AS "monitorKey", (extract(epoch FROM expected_by) * 1000)::bigint AS "expectedByMs", (
         SELECT coalesce(json_agg(json_build_object('atMs', (extract(epoch FROM at) * 1000)::bigint, 'verdict', verdict) ORDER BY at), '[]')
         FROM heartbeat_change change WHERE change.monitor_key = heartbeat.monitor_key AND at < $4
           AND at >= coalesce((SELECT max(at) FROM heartbeat_change former
             WHERE former.monitor_key = heartbeat.monitor_key AND former.at <= $3), $3)
       ) AS changes
       FROM heartbeat WHERE workspace_id = $1 AND monitor_key = ANY ($2)`,
      [workspaceId, monitorKeys, from, until],
    );
  },

  /** When the installation received no pings: outages that overlap a period, by time. */
  async outages(tx: Tx, from: Date, until: Date): Promise<{ startedMs: number; endedMs: number }[]> {
    return tx.query(
      `SELECT (extract(epoch FROM started) * 1000)::bigint AS "startedMs", (extract(epoch FROM ended) * 1000)::bigint AS "endedMs"
       FROM ping_outage WHERE ended > $1 AND started < $2 ORDER BY started`,
      [from, until],
    );
  },
};
