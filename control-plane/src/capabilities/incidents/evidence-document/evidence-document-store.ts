import { regionCode, regionOfCode, type Region } from '@watchpost/shared/region';
import { CHECK_KIND_CODES, type CheckKind } from '@watchpost/shared/check';
import type { Tx } from '../../../platform/db/database.js';
import type { RegionChecks } from './decide-region-verdicts.js';

/** The monitor of an incident, and the time zone in which times are shown. */
export interface DocumentSubject {
  workspaceId: string;
  workspaceName: string;
  timezone: string;
  monitorId: string;
  monitorKey: number;
  name: string;
  url: string | null;
  monitorTypes: string[];
  checkedFrom: Region[];
  created: Date;
  /** The request settings, with secret headers masked. */
  http: { headers: Record<string, string>; body: string | null };
}

interface CheckRow {
  region: number;
  up: number;
  down: number;
  inconclusive: number;
  lastAt: Date | null;
  lastOutcome: number | null;
  lastFreshS: number | null;
}

export const evidenceDocumentStore = {
  /** Found by the incident alone, because the link is the reader's only credential. Undefined where the monitor is deleted. */
  async subject(tx: Tx, incidentId: string): Promise<DocumentSubject | undefined> {
    return tx.one(
      `SELECT incident.workspace_id AS "workspaceId", workspace.name AS "workspaceName", workspace.timezone,
         monitor.id AS "monitorId", monitor.key AS "monitorKey", monitor.name, monitor.url,
         monitor.monitor_types AS "monitorTypes", subject.checked_from AS "checkedFrom",
         coalesce(monitor.settings -> 'http', '{}') AS http, monitor.created
       FROM incident
       JOIN workspace ON workspace.id = incident.workspace_id
       JOIN monitor ON monitor.workspace_id = incident.workspace_id AND monitor.key = incident.monitor_key
         AND monitor.deleted_at IS NULL
       JOIN verdict_subject subject ON subject.monitor_key = monitor.key
       WHERE incident.id = $1
         AND NOT EXISTS (SELECT FROM suspended_workspace closed WHERE closed.workspace_id = incident.workspace_id)`,
      [incidentId],
    );
  },

  /** The people who acted on an incident or wrote a note. Their addresses are for members of the workspace only. */
  async people(
    workspaceId: string,
    tx: Tx,
    incidentId: string,
  ): Promise<{ userId: string; name: string | null; email: string | null }[]> {
    return tx.query<{ userId: string; name: string | null; email: string | null }>(
      `SELECT account.id AS "userId", account.name, account.email FROM user_account account WHERE account.id IN (
         SELECT actor FROM incident_event WHERE workspace_id = $1 AND incident_id = $2 AND actor IS NOT NULL
         UNION SELECT unnest(ARRAY[created_by, modified_by]) FROM incident_note WHERE workspace_id = $1 AND incident_id = $2
         UNION SELECT unnest(ARRAY[acknowledged_by, closed_by]) FROM incident WHERE workspace_id = $1 AND id = $2)
       ORDER BY account.id LIMIT 500`,
      [workspaceId, incidentId],
    );
  },

  /** Results of these check kinds by region: counts in [from, to], and the newest since `before`. */
  async checks(
    workspaceId: string,
    tx: Tx,
    monitorKey: number,
    kinds: readonly CheckKind[],
    { before, from, to }: { before: Date; from: Date; to: Date },
  ): Promise<Map<Region, RegionChecks>> {
    const rows = await tx.query<CheckRow>(
      `SELECT region, count(*) FILTER (WHERE outcome = 1 AND scheduled_at >= $6) AS up,
         count(*) FILTER (WHERE outcome = 2 AND scheduled_at >= $6) AS down,
         count(*) FILTER (WHERE outcome = 3 AND scheduled_at >= $6)AS inconclusive,
         max(scheduled_at) FILTER (WHERE outcome < 3) AS "lastAt",
         (array_agg(outcome ORDER BY scheduled_at DESC) FILTER (WHERE outcome < 3))[1] AS "lastOutcome",
         (array_agg(fresh_s ORDER BY scheduled_at DESC) FILTER (WHERE outcome < 3))[1] AS "lastFreshS"
       FROM result_row(ARRAY[$2::bigint], $4, $5::timestamptz + interval '1 ms')
       WHERE monitor_key = (SELECT key FROM monitor WHERE workspace_id = $1 AND key = $2) AND kind = ANY ($3::smallint[])
       GROUP BY region`,
      [workspaceId, monitorKey, kinds.map((kind) => CHECK_KIND_CODES[kind]), before, to, from],
    );
    return new Map(
      rows.map(({ region, up, down, inconclusive, lastAt, lastOutcome, lastFreshS }): [Region, RegionChecks] => [
        regionOfCode(region),
        {
          up,
          down,
          inconclusive,
          last: lastAt && {
            atMs: lastAt.getTime(),
            isUp: lastOutcome === 1,
            freshUntilMs: lastAt.getTime() + (lastFreshS ?? 0) * 1_000,
          },
        },
      ]),
    );
  },
};

/** Sorts regions in the order used everywhere. */
export function inOrder(regions: Iterable<Region>): Region[] {
  return [...new Set(regions)].toSorted((a, b) => regionCode(a) - regionCode(b));
}
