import type { TimelineEvent } from '../timeline/index.js';
import type { AlertEvent } from '../channels/index.js';
import type { IncidentCommand } from './incident-commands.js';
import type { ChangedIncident } from './verdict-incident-store.js';

type ChangeCommand = Exclude<IncidentCommand, { kind: 'open' | 'attach' | 'detach' }>;

/**
 * The notifications that a verdict's command causes. A change of the failing regions alone is minor: it goes to
 * webhooks, not to people. A command that changes neither regions nor severity causes none; a silent one causes silent ones.
 */
export function alertOfCommand(command: ChangeCommand, row: ChangedIncident): AlertEvent[] {
  const { workspaceId, incidentId, atMs } = command;
  const isSilent = command.isSilent === true;
  const event = { workspaceId, incidentId, atMs, monitorKey: row.monitorKey, isSilent };
  switch (command.kind) {
    case 'update':
      if (row.severity !== row.severityBefore)
        return [{ ...event, type: 'incident.updated', detail: { change: 'severity' } }];
      if (row.regionsChanged)
        return [{ ...event, type: 'incident.updated', detail: { change: 'regions', minor: true } }];
      return [];
    case 'relapse':
      return [{ ...event, type: 'incident.updated', detail: { change: 'relapsed' } }];
    case 'recover':
      if (command.autoClose) return [{ ...event, type: 'incident.resolved', detail: {} }];
      // An incident that waits for a person to close it recovers once, however many verdicts confirm that.
      return row.wasOver ? [] : [{ ...event, type: 'incident.updated', detail: { change: 'recovered' } }];
    case 'stop':
      const { detail, actorId } = command.closing;
      return [{ ...event, type: 'incident.resolved', detail: { reason: detail.reason, ...(actorId && { actorId }) } }];
  }
}

/** Who changed an incident: a member, or a person at the service of a group, which is not notified. */
export type ChangeCause = { actorId: string } | { person: string; exceptGroupId: string };

/** The notifications that a person's change causes, in the order of its events. */
export function alertsOfChange(
  subject: { workspaceId: string; monitorKey: number; incidentId: string },
  by: ChangeCause,
  events: readonly TimelineEvent[],
): AlertEvent[] {
  return events.flatMap(({ type, atMs, detail }): AlertEvent[] => {
    const event = { ...subject, atMs };
    switch (type) {
      case 'acknowledged':
        return [{ ...event, type: 'incident.acknowledged', detail: { ...by } }];
      case 'unacknowledged':
        return [{ ...event, type: 'incident.updated', detail: { ...by, change: 'unacknowledged' } }];
      case 'status_changed':
        return [{ ...event, type: 'incident.updated', detail: { ...by, change: 'status', status: detail.status } }];
      case 'closed':
        return [{ ...event, type: 'incident.resolved', detail: { ...by } }];
      default:
        return [];
    }
  });
}
