import type { ListPage, Tx } from '../../platform/db/database.js';
import { describeIncidentSummary } from './describe-incident.js';
import type { IncidentSummary } from './incident-schemas.js';
import { incidentStore } from './incident-store.js';

/** An incident that is open, with what a summary does not show. */
export interface OpenIncident {
  incident: IncidentSummary;
  monitorKey: number;
  acknowledgement: { userId: string | null; name: string | null; at: string | null } | null;
}

/** The open incidents of a workspace, the worst first, and how many there are in all. One statement. */
export async function readOpenIncidents(
  tx: Tx,
  workspaceId: string,
  nowMs: number,
  limit: number,
): Promise<ListPage<OpenIncident>> {
  const rows = await incidentStore.openWorstFirst(workspaceId, tx, limit);
  const items = rows.map((row) => ({
    incident: describeIncidentSummary(row, nowMs),
    monitorKey: row.monitorKey,
    acknowledgement: row.acknowledged
      ? { userId: row.acknowledgedBy, name: row.acknowledgedByName, at: row.acknowledgedAt?.toISOString() ?? null }
      : null,
  }));
  return { items, total: rows[0]?.total ?? 0 };
}
