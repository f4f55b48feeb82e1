import { Fault } from '@watchpost/shared/fault';
import type { IncidentEventInput } from './incident-commands.js';
import type { IncidentRow } from './incident-store.js';
import type { IncidentPatch } from './incident-schemas.js';

/** The fault for touching an incident that is closed. */
export function incidentClosed(): Fault {
  return new Fault('incident_closed', 'This incident is closed: it can no longer be changed and takes no notes.');
}

/**
 * What a person's change makes of an incident. Resolving closes it for good; what is the case already
 * is no event.
 * @throws Fault incident_closed
 */
export function decideIncidentChange(
  row: IncidentRow,
  patch: IncidentPatch,
  userId: string,
  nowMs: number,
): { row: IncidentRow; events: IncidentEventInput[] } {
  if (row.isClosed) throw incidentClosed();
  const now = new Date(nowMs);
  const next = { ...row };
  const events: IncidentEventInput[] = [];
  if (patch.acknowledged !== undefined && patch.acknowledged !== row.acknowledged) {
    next.acknowledged = patch.acknowledged;
    next.acknowledgedAt = patch.acknowledged ? now : null;
    next.acknowledgedBy = patch.acknowledged ? userId : null;
    events.push({ type: patch.acknowledged ? 'acknowledged' : 'unacknowledged', atMs: nowMs, detail: {} });
  }
  if (patch.status === 'Resolved') {
    next.status = 'Resolved';
    next.isClosed = true;
    next.closedBy = userId;
    next.ended = row.ended ?? now;
    events.push({ type: 'closed', atMs: nowMs, detail: { automatic: false } });
  } else if (patch.status !== undefined && patch.status !== row.status) {
    next.status = patch.status;
    events.push({ type: 'status_changed', atMs: nowMs, detail: { from: row.status, status: patch.status } });
  }
  if (events.length > 0) next.lastModified = now;
  return { row: next, events };
}
