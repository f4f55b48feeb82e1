import type { MonitorType } from '@watchpost/shared/monitor-types';
import { regionOfCode, type ExtraRegion, type Region } from '@watchpost/shared/region';
import type { Tx } from '../../../platform/db/database.js';
import type { LimitOverrides, PlanName } from '../../plans/index.js';
import type { CheckAnswer } from './check-answer.js';

const MS = (column: string) => `(extract(epoch FROM ${column}) * 1000)::bigint`;

export interface CheckSchedule {
  monitorKey: number;
  isEnabled: boolean;
  monitorTypes: MonitorType[];
  homeRegion: boolean;
  enabledRegions: ExtraRegion[];
  intervalMs: number;
  changedMs: number;
  plan: PlanName;
  planLimits: LimitOverrides;
  /** When the latest DNS check of any region began; null before the first. */
  lastDnsMs: number | null;
}

export interface SslStatusRow {
  region: Region;
  startedAtMs: number;
  /** null where the check succeeded. */
  message: string | null;
  /** null where the check read no certificate. */
  answer: CheckAnswer | null;
}

export const checkScheduleStore = {
  async find(workspaceId: string, tx: Tx, monitorId: string): Promise<CheckSchedule | undefined> {
    return tx.one(
      `SELECT monitor_key AS "monitorKey", is_enabled AS "isEnabled", monitor_types AS "monitorTypes",
         home_region AS "homeRegion", enabled_regions AS "enabledRegions", check_interval_ms AS "intervalMs", ${MS('checks_changed')} AS "changedMs",
         plan, plan_limits AS "planLimits",
         (SELECT ${MS('max(started_at)')} FROM last_answer WHERE last_answer.monitor_key = subject.monitor_key AND kind = 3) AS "lastDnsMs"
       FROM verdict_subject subject JOIN workspace_plan owner ON owner.workspace_id = subject.workspace_id
       WHERE subject.workspace_id = $1 AND monitor_id = $2`,
      [workspaceId, monitorId],
    );
  },

  /** The latest SSL check of the monitor's present URL, of any region; undefined before the first. */
  async sslStatus(workspaceId: string, tx: Tx, monitorKey: number): Promise<SslStatusRow | undefined> {
    const [row] = await tx.query<Omit<SslStatusRow, 'region'> & { code: number }>(
      `SELECT region AS code, ${MS('started_at')} AS "startedAtMs", message,
         CASE WHEN answered_at = checked_at THEN answer END AS answer
       FROM last_answer latest JOIN verdict_subject subject USING (monitor_key)
       WHERE subject.workspace_id = $1 AND monitor_key = $2 AND kind = 2 AND target = url
       ORDER BY checked_at DESC, region LIMIT 1`,
      [workspaceId, monitorKey],
    );
    return (
      row && { region: regionOfCode(row.code), startedAtMs: row.startedAtMs, message: row.message, answer: row.answer }
    );
  },
};
