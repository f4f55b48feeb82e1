import { HOUR_MS } from '@watchpost/shared/time';
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

/** Counts the incidents that were open at any time of each of the last hours, the oldest first. One statement. */
export async function countOpenByHour(tx: Tx, workspaceId: string, nowMs: number, hours: number): Promise<number[]> {
  const spans = await incidentStore.openSpans(workspaceId, tx, new Date(nowMs - hours * HOUR_MS), hours);
  return Array.from({ length: hours }, (_, hour) =>
    spans.reduce((sum, { first, last, count }) => (first <= hour && hour <= last ? sum + count : sum), 0),
  );
}
