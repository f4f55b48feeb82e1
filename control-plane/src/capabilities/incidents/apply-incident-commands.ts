import { addTimelineEntries, type TimelineEvent } from '../timeline/index.js';
import { newId } from '@watchpost/shared/id';
import { type PublishDeps, publishEvents } from '../paging/index.js';
import type { Tx } from '../../platform/db/database.js';
import { sendTogether } from '../../platform/db/send-together.js';
import type { IncidentCommand, OpenedIncident } from './incident-commands.js';
import { attachDependents, detachDependents } from './apply-dependents.js';
import { alertOfCommand } from './decide-incident-alerts.js';
import { type ChangedIncident, type ChangeRow, type OpenRow, verdictIncidentStore } from './verdict-incident-store.js';

export type ApplyDeps = PublishDeps;

type OpenCommand = Extract<IncidentCommand, { kind: 'open' }>;
type ChangeCommand = Exclude<IncidentCommand, { kind: 'open' | 'attach' | 'detach' }>;

/**
 * Applies the incident commands of verdicts in the transaction that reached them. A command for an incident that is
 * already closed has no effect; neither has opening a second incident of the same monitor and type.
 * @returns the incidents that were opened
 */
export async function applyIncidentCommands(
  deps: ApplyDeps,
  tx: Tx,
  commands: readonly IncidentCommand[],
): Promise<OpenedIncident[]> {
  const ofKind = <Kind extends IncidentCommand['kind']>(...kinds: Kind[]) =>
    commands.filter((command): command is Extract<IncidentCommand, { kind: Kind }> =>
      (kinds as IncidentCommand['kind'][]).includes(command.kind),
    );
  await changeIncidents(deps, tx, ofKind('update', 'relapse', 'recover', 'stop'));
  await attachDependents(tx, ofKind('attach'));
  const opened = await openIncidents(deps, tx, ofKind('open'));
  await detachDependents(tx, ofKind('detach'), opened);
  return opened;
}

async function changeIncidents(deps: ApplyDeps, tx: Tx, changes: readonly ChangeCommand[]): Promise<void> {
  if (changes.length === 0) return;
  const rows = await verdictIncidentStore.change(tx, changes.map(changeRow));
  const changed = new Map(rows.map((row) => [row.id, row]));
  await sendTogether(
    addTimelineEntries(
      tx,
      changes.flatMap((command) => {
        const { workspaceId, incidentId } = command;
        const row = changed.get(incidentId);
        return row ? eventsOf(command, row).map((event) => ({ workspaceId, incidentId, event })) : [];
      }),
    ),
    publishEvents(
      deps,
      tx,
      changes.flatMap((command) => {
        const row = changed.get(command.incidentId);
        return row ? alertOfCommand(command, row) : [];
      }),
    ),
  );
}

async function openIncidents(deps: ApplyDeps, tx: Tx, opens: readonly OpenCommand[]): Promise<OpenedIncident[]> {
  if (opens.length === 0) return [];
  const rows = opens.map((command) => openRow(command, newId(deps.clock.now())));
  const opened = await verdictIncidentStore.open(tx, rows);
  const openedIds = new Set(opened.map((incident) => incident.incidentId));
  await sendTogether(
    addTimelineEntries(
      tx,
      opens.flatMap((command, index) => {
        const incidentId = rows[index]!.id;
        if (!openedIds.has(incidentId)) return [];
        const { workspaceId, severity, regions, failureReason, openedDetail } = command;
        const detail = { severity, regions, failureReason, ...openedDetail };
        const events: TimelineEvent[] = [{ type: 'opened', atMs: command.atMs, detail }, ...command.events];
        return events.map((event) => ({ workspaceId, incidentId, event }));
      }),
    ),
    publishEvents(
      deps,
      tx,
      opens.flatMap(({ workspaceId, monitorKey, atMs }, index) => {
        const incidentId = rows[index]!.id;
        if (!openedIds.has(incidentId)) return [];
        return [{ workspaceId, monitorKey, incidentId, atMs, type: 'incident.opened', detail: {} }];
      }),
    ),
  );
  return opened;
}

function openRow(
  { kind: _, atMs, startedMs = atMs, events: _events, openedDetail: _detail, ...failure }: OpenCommand,
  id: string,
): OpenRow {
  return { ...failure, id, started: new Date(startedMs), at: new Date(atMs) };
}

function changeRow(command: ChangeCommand): ChangeRow {
  const { incidentId: id, workspaceId, atMs } = command;
  const row = { id, workspaceId, at: new Date(atMs), severity: null, regions: null, status: null, isClosed: false };
  switch (command.kind) {
    case 'update':
      return { ...row, severity: command.severity, regions: command.regions, ended: 'keep' };
    case 'relapse':
      return { ...row, severity: command.severity, regions: command.regions, status: 'Ongoing', ended: 'clear' };
    case 'stop':
      return { ...row, status: 'Resolved', isClosed: true, ended: 'set' };
    case 'recover': {
      const { autoClose } = command;
      return { ...row, status: autoClose ? 'Resolved' : 'Investigating', isClosed: autoClose, ended: 'set' };
    }
  }
}

function eventsOf(
  command: ChangeCommand,
  { severityBefore, severity, unacknowledged }: ChangedIncident,
): TimelineEvent[] {
  const changed: TimelineEvent[] =
    severity === severityBefore
      ? []
      : [{ type: 'severity_changed', atMs: command.atMs, detail: { from: severityBefore, to: severity } }];
  switch (command.kind) {
    case 'update':
      return [...command.events, ...changed];
    case 'relapse':
      return [
        ...command.events,
        ...changed,
        {
          type: 'status_changed',
          atMs: command.atMs,
          detail: {
            status: 'Ongoing',
            reason: unacknowledged ? 'failing again, and to be acknowledged again' : 'failing again',
          },
        },
      ];
    case 'stop':
      return [command.closing];
    case 'recover':
      return [
        ...command.events,
        { type: 'recovered', atMs: command.atMs, detail: {} },
        command.autoClose
          ? { type: 'closed', atMs: command.atMs, detail: { automatic: true } }
          : { type: 'status_changed', atMs: command.atMs, detail: { status: 'Investigating', reason: 'recovered' } },
      ];
  }
}
