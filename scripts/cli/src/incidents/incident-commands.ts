import { type Command, Option } from 'commander';
import { cleanLine, cleanText } from '@watchpost/shared/clean-line';
import type {
  Incident,
  IncidentNote,
  IncidentSummary,
} from '@watchpost/control-plane/capabilities/incidents/incident-schemas';
import { type CommandContext, printResult } from '../command/command-context.js';
import { usageError } from '../command/command-error.js';
import type { Bind } from '../command/run-command.js';
import { DEFAULT_LIMIT, readLimit, warnOfMore } from '../command/list-limit.js';
import { findMonitorIds } from '../monitors/find-monitors.js';
import { type Column, formatTable } from '../output/format-table.js';
import { formatMoment } from '../output/format-time.js';
import type { Terminal } from '../output/terminal.js';

const MAX_NOTE_BYTES = 20_000;

interface ListOptions {
  all?: boolean;
  monitor?: string;
  limit: number;
}

export function addIncidentCommands(program: Command, bind: Bind): void {
  const incidents = program.command('incidents').description('list, read, acknowledge, note and close incidents');
  incidents
    .command('list')
    .description('list open incidents, the worst first')
    .option('--all', 'closed ones, too, the newest first')
    .option('--monitor <id or name>', 'only those of this monitor')
    .addOption(new Option('--limit <number>', 'at most so many').argParser(readLimit).default(DEFAULT_LIMIT))
    .action(bind(listIncidents));
  incidents
    .command('get')
    .description('print an incident with its notes and timeline')
    .argument('<id>')
    .action(bind(getIncident));
  incidents
    .command('ack')
    .description('acknowledge an incident, so that nobody else is paged')
    .argument('<id>')
    .option('--undo', 'take the acknowledgement back')
    .action(bind(acknowledge));
  incidents
    .command('note')
    .description('add a note to an open incident')
    .argument('<id>')
    .argument('<text>', 'the note; `-` reads it from standard input')
    .action(bind(addNote));
  incidents.command('close').description('close an incident for good').argument('<id>').action(bind(closeIncident));
}

async function listIncidents(context: CommandContext, _: readonly string[], options: ListOptions): Promise<void> {
  const { terminal } = context;
  const api = await context.connect();
  const monitorId = options.monitor === undefined ? undefined : (await findMonitorIds(api, [options.monitor]))[0];
  const query = { monitorId, ...(options.all ? {} : { isClosed: false, sort: 'severity' }) };
  const { items, total } = await api.list<IncidentSummary>('/api/v1/incident', query, options.limit);
  const columns: Column<IncidentSummary>[] = [
    { heading: 'STARTED', value: ({ started }) => formatMoment(started) },
    {
      heading: 'SEVERITY',
      value: ({ severity }) => severity,
      paint: (text, one) => paintSeverity(terminal, text, one),
    },
    { heading: 'STATUS', value: ({ status }) => status },
    { heading: 'ACK', value: ({ acknowledged }) => (acknowledged ? 'yes' : 'no') },
    { heading: 'LASTS', value: ({ durationFormatted }) => durationFormatted },
    {
      heading: 'MONITOR',
      value: ({ monitorName }) => monitorName,
      isCut: true,
      paint: (text) => terminal.paint('bold', text),
    },
    { heading: 'CAUSE', value: ({ failureReason }) => failureReason, isCut: true },
    { heading: 'ID', value: ({ id }) => id },
  ];
  printResult(context, items, () =>
    items.length === 0
      ? [options.all ? 'There are no incidents.' : 'No incident is open.']
      : formatTable(columns, items, terminal.width),
  );
  warnOfMore(context, items.length, total);
}

function paintSeverity(terminal: Terminal, text: string, { isClosed, severity }: IncidentSummary): string {
  if (isClosed) return text;
  return terminal.paint(severity === 'down' ? 'red' : 'yellow', text);
}

async function getIncident(context: CommandContext, [id]: readonly string[]): Promise<void> {
  const api = await context.connect();
  const incident = await api.get<Incident>(pathOf(id!), 'id');
  printResult(context, incident, () => describeIncident(context.terminal, incident));
}

async function acknowledge(
  context: CommandContext,
  [id]: readonly string[],
  { undo = false }: { undo?: boolean },
): Promise<void> {
  const incident = await patch(context, id!, { acknowledged: !undo });
  printResult(context, incident, () => [
    undo
      ? `${cleanLine(incident.monitorName)}: the acknowledgement is taken back.`
      : `${cleanLine(incident.monitorName)}: acknowledged. Nobody else is paged.`,
  ]);
}

async function closeIncident(context: CommandContext, [id]: readonly string[]): Promise<void> {
  const incident = await patch(context, id!, { status: 'Resolved' });
  printResult(context, incident, () => [`${cleanLine(incident.monitorName)}: closed.`]);
}

async function addNote(context: CommandContext, [id, text]: readonly string[]): Promise<void> {
  const note = text === '-' ? (await context.terminal.readInput(MAX_NOTE_BYTES)).toString('utf8') : text!;
  if (note.trim() === '') throw usageError('The note is empty.');
  const api = await context.connect();
  const added = await api.send<IncidentNote>('POST', `${pathOf(id!)}/notes`, { note }, 'id', { repeat: 'keyed' });
  printResult(context, added, () => ['The note is added.']);
}

async function patch(context: CommandContext, id: string, change: object): Promise<Incident> {
  const api = await context.connect();
  return api.send<Incident>('PATCH', pathOf(id), change, 'id', { repeat: 'never' });
}

function pathOf(id: string): string {
  return `/api/v1/incident/${encodeURIComponent(id)}`;
}

function describeIncident(terminal: Terminal, incident: Incident): string[] {
  const { severity, status, acknowledged, started, ended, durationFormatted, regions } = incident;
  return [
    `${terminal.paint('bold', cleanLine(incident.monitorName))}: ${cleanLine(incident.failureReason, 1_000)}`,
    `id        ${incident.id}`,
    `type      ${incident.incidentType}, ${paintSeverity(terminal, severity, incident)}`,
    `status    ${status}${acknowledged ? ', acknowledged' : ''}`,
    `time      ${formatMoment(started)} to ${ended === null ? 'now' : formatMoment(ended)} (${durationFormatted})`,
    `regions   ${regions.join(', ') || '-'}`,
    ...incident.timeline.map(({ at, type }) => `  ${formatMoment(at)}  ${type}`),
    ...incident.notes.map(({ createdAt, note }) => `note of ${formatMoment(createdAt)}: ${cleanText(note)}`),
  ];
}
