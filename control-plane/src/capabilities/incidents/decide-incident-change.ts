import type { TimelineEntry, TimelineEvent } from '../timeline/index.js';
import type { ActingOutsider, ActingPerson, Via } from '../../platform/identity/caller.js';
import { Fault } from '@watchpost/shared/fault';
import type { IncidentRow } from './incident-store.js';
import type { IncidentPatch } from './incident-schemas.js';

export function incidentClosed(): Fault {
  return new Fault('incident_closed', 'This incident is closed. It can no longer be changed and takes no notes.');
}

/**
 * Applies a person's change to an incident. `Resolved` closes it for good. A field that already has the wanted value
 * causes no event.
 * @param userId null where the person is no user
 * @param isAwaited whether the person has to acknowledge although somebody has
 * @throws Fault incident_closed
 */
export function decideIncidentChange(
  row: IncidentRow,
  patch: IncidentPatch,
  userId: string | null,
  nowMs: number,
  isAwaited = false,
): { row: IncidentRow; events: TimelineEvent[] } {
  if (row.isClosed) throw incidentClosed();
  const now = new Date(nowMs);
  const next = { ...row };
  const events: TimelineEvent[] = [];
  if (patch.acknowledged !== undefined && patch.acknowledged !== row.acknowledged) {
    next.acknowledged = patch.acknowledged;
    next.acknowledgedAt = patch.acknowledged ? now : null;
    next.acknowledgedBy = patch.acknowledged ? userId : null;
    events.push({ type: patch.acknowledged ? 'acknowledged' : 'unacknowledged', atMs: nowMs, detail: {} });
  }
  // Who acknowledged first remains.
  else if (patch.acknowledged && isAwaited) events.push({ type: 'acknowledged', atMs: nowMs, detail: {} });
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

/** The channels that timelines name: an assistant, the acknowledge link of a message, the button in one, and a service. */
const NAMED_CHANNELS: Partial<Record<Via['channel'], string>> = {
  mcp: 'mcp',
  link: 'page',
  chat: 'chat',
  service: 'service',
};

/** Returns the entries for the timeline of an incident: a person's events, with the channel by which they came, where it is a named one. */
export function entriesBy(
  actor: ActingPerson | ActingOutsider,
  incidentId: string,
  events: readonly TimelineEvent[],
): TimelineEntry[] {
  const { workspaceId } = actor.workspace;
  const by = 'caller' in actor ? { actorId: actor.caller.userId } : {};
  const origin = { ...originOf(actor.via), ...('outsider' in actor && { person: actor.outsider.name }) };
  return events.map((event) => ({
    workspaceId,
    incidentId,
    event: { ...event, ...by, detail: { ...event.detail, ...origin } },
  }));
}

/** What the detail of a person's event has of the channel: nothing unless it is a named one. */
export function originOf({ channel, client }: Via): { via?: string; client?: string } {
  const via = NAMED_CHANNELS[channel];
  return via === undefined ? {} : { via, ...(client === null ? {} : { client }) };
}
