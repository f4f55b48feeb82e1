import { HOUR_MS, MINUTE_MS } from '@watchpost/shared/time';
import type { Tx } from '../../../platform/db/database.js';

/** The figures of the last 24 hours of a monitor. */
export interface MonitorDay {
  monitorKey: number;
  /** Percentage of conclusive checks outside maintenance; null where there were none. */
  uptime: number | null;
  /** Only successful checks count; null where there were none. */
  p95Us: number | null;
}

/** The figures of an hour, or of a day, of all monitors of a workspace. */
export interface JointFigures {
  /** The mean of the uptimes of those monitors of which anything is known, percent; null where that is none. */
  availability: number | null;
  /** Only successful checks of all monitors count; null where there were none. */
  p95Us: number | null;
  /** Checks of all kinds, whatever came of them. */
  checks: number;
}

/** The figures of the 24 hours before `untilMs`. */
export interface WorkspaceDay {
  /** A full hour, or the moment at which a workspace had figures for the first time; ms since the epoch. */
  untilMs: number;
  day: JointFigures;
  /** Enabled monitors of which nothing is known. */
  unknown: number;
  /** 24 full hours, of which the last may go on at `untilMs`. */
  hours: JointFigures[];
}

export interface DueWorkspace {
  workspaceId: string;
  ownerId: string;
  /** It has no figures yet, or only those of a day without checks. */
  isFirst: boolean;
}

/** A day without figures is read again after so long, so that the first ones are shown soon. */
const EMPTY_FOR_MS = MINUTE_MS;

export const dayStore = {
  /**
   * The workspaces whose figures end before a full hour, and those that had none and are checked now: one of each owner, then
   * the second of each.
   */
  async due(
    tx: Tx,
    {
      hourMs,
      nowMs,
      except,
      limit,
    }: { hourMs: number | null; nowMs: number; except: readonly string[]; limit: number },
  ): Promise<DueWorkspace[]> {
    return tx.query(
      `SELECT workspace_id AS "workspaceId", owner_id AS "ownerId", is_first AS "isFirst" FROM (
         SELECT workspace_id, owner_id, until, coalesce((figures -> 'day' ->> 'checks')::bigint, 0) = 0 AS is_first,
           row_number() OVER (PARTITION BY owner_id ORDER BY until NULLS FIRST, workspace_id) AS turn
         FROM workspace_plan LEFT JOIN workspace_day USING (workspace_id)
         WHERE workspace_id <> ALL ($1) AND (until IS NULL OR until < $2 OR (figures -> 'day' ->> 'checks')::bigint = 0
           AND until <= $3 AND EXISTS (
             SELECT FROM verdict_subject subject JOIN series USING (monitor_key)
             WHERE subject.workspace_id = workspace_day.workspace_id AND is_enabled AND last_started_at > $4))
       ) AS due ORDER BY turn, until NULLS FIRST, workspace_id LIMIT $5`,
      [
        except,
        hourMs === null ? null : new Date(hourMs),
        new Date(nowMs - EMPTY_FOR_MS),
        new Date(nowMs - HOUR_MS),
        limit,
      ],
    );
  },

  /** The next monitors of a workspace, in the order of their keys. */
  async monitors(
    workspaceId: string,
    tx: Tx,
    afterKey: number,
    limit: number,
  ): Promise<{ monitorKey: number; isEnabled: boolean }[]> {
    return tx.query(
      `SELECT monitor_key AS "monitorKey", is_enabled AS "isEnabled" FROM verdict_subject
       WHERE workspace_id = $1 AND monitor_key > $2 ORDER BY monitor_key LIMIT $3`,
      [workspaceId, afterKey, limit],
    );
  },

  /** Writes figures of monitors; those of monitors that are purged meanwhile are not written. */
  async writeMonitors(workspaceId: string, tx: Tx, days: readonly MonitorDay[], until: Date): Promise<void> {
    await tx.query(
      `INSERT INTO monitor_day (monitor_key, until, uptime, p95_us)
       SELECT monitor_key, $5, uptime, p95_us FROM unnest($2::bigint[], $3::float8[], $4::integer[]) AS made (monitor_key, uptime, p95_us)
       JOIN verdict_subject USING (monitor_key) WHERE workspace_id = $1 ORDER BY monitor_key
       ON CONFLICT (monitor_key) DO UPDATE SET until = excluded.until, uptime = excluded.uptime, p95_us = excluded.p95_us`,
      [
        workspaceId,
        days.map(({ monitorKey }) => monitorKey),
        days.map(({ uptime }) => uptime),
        days.map(({ p95Us }) => p95Us),
        until,
      ],
    );
  },

  async writeWorkspace(workspaceId: string, tx: Tx, { untilMs, ...figures }: WorkspaceDay): Promise<void> {
    await tx.query(
      `INSERT INTO workspace_day (workspace_id, until, figures) SELECT id, $2, $3 FROM workspace WHERE id = $1
       ON CONFLICT (workspace_id) DO UPDATE SET until = excluded.until, figures = excluded.figures`,
      [workspaceId, new Date(untilMs), JSON.stringify(figures)],
    );
  },

  /** Undefined before there were any. */
  async ofWorkspace(workspaceId: string, tx: Tx): Promise<WorkspaceDay | undefined> {
    const row = await tx.one<{ untilMs: number; figures: Omit<WorkspaceDay, 'untilMs'> }>(
      `SELECT (date_part('epoch', until) * 1000)::bigint AS "untilMs", figures FROM workspace_day WHERE workspace_id = $1`,
      [workspaceId],
    );
    return row && { untilMs: row.untilMs, ...row.figures };
  },
};
