import { checkKindOfCode } from '@watchpost/shared/check';
import { regionOfCode } from '@watchpost/shared/region';
import type { Tx } from '../../../platform/db/database.js';
import { keptStatements } from '../../../platform/db/kept-statements.js';
import { HOLD_MOST_MS } from '../trust/decide-hold.js';
import { FAILING_SERIES, failureParameters, type FailingSeries } from '../trust/failing-series-store.js';
import type { FirstFailure } from '../trust/second-opinion-store.js';
import type { Hold } from './decide-verdict.js';

export interface HeldMonitor {
  monitorKey: number;
  hold: Hold;
  failures: FirstFailure[];
  /** Of the answers from which they follow. */
  digests: number[];
  /** When the last of these checks ended. */
  endedMs: number;
}

/** What is held, and what decides whether regions are to be examined. */
export interface HoldLook extends FailingSeries {
  held: HeldMonitor[];
  isSuspectOrBlind: boolean;
}

interface LookRow extends FailingSeries {
  isSuspectOrBlind: boolean;
  held: HeldRow[];
}

interface HeldRow {
  monitorKey: number;
  hold: Hold;
  failing: { kind: number; region: number; sinceMs: number; endedMs: number; digest: number | null }[] | null;
}

/** Held monitors as JSON, from `monitor_state` with the condition and what follows it. */
const heldWhere = (condition: string) => `(
  SELECT coalesce(json_agg(held), '[]') FROM (
    SELECT monitor_key AS "monitorKey", memory->'hold' AS hold, (
        SELECT json_agg(json_build_object('kind', kind, 'region', region, 'digest', answer_digest,
          'sinceMs', (extract(epoch FROM streak_since) * 1000)::bigint,
          'endedMs', (extract(epoch FROM last_started_at) * 1000)::bigint + last_total_us / 1000))
        FROM series WHERE series.monitor_key = state.monitor_key AND failing AND streak_outcome = 2
      ) AS failing
    FROM monitor_state state WHERE memory ? 'hold' AND ${condition}
  ) AS held
)`;

export const holdStore = {
  /** Those of these monitors whose incidents are held. */
  async of(tx: Tx, monitorKeys: readonly number[]): Promise<HeldMonitor[]> {
    const held = await keptStatements(tx).value<HeldRow[]>(`SELECT ${heldWhere('monitor_key = ANY ($1)')} AS held`, [
      monitorKeys,
    ]);
    return held.flatMap(heldOf);
  },

  /**
   * The monitors of all workspaces whose incidents are held, the oldest first, at most `limit`; and what decides whether
   * regions are to be examined. All is of one snapshot, so that an examination after it sees the failures of all that is held.
   * @param heartbeatMs for how long a heartbeat of an agent counts
   */
  async look(tx: Tx, nowMs: number, heartbeatMs: number, limit: number): Promise<HoldLook> {
    const [row] = await keptStatements(tx).query<LookRow>(
      `SELECT series_failing.*, EXISTS (SELECT FROM suspect_period WHERE ended IS NULL)
         OR EXISTS (SELECT FROM agent_visibility WHERE visibility = 'blind' AND last_seen > $3) AS "isSuspectOrBlind",
         ${heldWhere('decide_at <= $4 ORDER BY decide_at LIMIT $5')} AS held
       FROM ${FAILING_SERIES} AS series_failing`,
      [
        ...failureParameters(nowMs),
        new Date(nowMs - heartbeatMs),
        // Twice, because the clock of the process that holds it may be ahead.
        new Date(nowMs + 2 * HOLD_MOST_MS),
        limit,
      ],
    );
    const { held: rows, ...of } = row!;
    return { ...of, held: rows.flatMap(heldOf) };
  },
};

/** Empty where it has recovered meanwhile. */
function heldOf({ monitorKey, hold, failing }: HeldRow): HeldMonitor[] {
  const own = (failing ?? []).filter(({ region }) => regionOfCode(region) === hold.region);
  if (own.length === 0) return [];
  const failures = own.map(({ kind, sinceMs }) => ({
    monitorKey,
    kind: checkKindOfCode(kind)!,
    region: hold.region,
    sinceMs,
  }));
  const digests = own.flatMap(({ digest }) => digest ?? []);
  return [{ monitorKey, hold, failures, digests, endedMs: Math.max(...own.map(({ endedMs }) => endedMs)) }];
}
