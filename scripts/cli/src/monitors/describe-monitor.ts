import { cleanLine } from '@watchpost/shared/clean-line';
import type { MonitorView } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import type { Column } from '../output/format-table.js';
import { formatAge, formatMoment } from '../output/format-time.js';
import type { Terminal } from '../output/terminal.js';
import { describeStep } from './describe-step.js';

const COLOURS = { available: 'green', degraded: 'yellow', unavailable: 'red', unknown: 'gray' } as const;

function healthOf({ healthStatus, monitoringStatus, maintenance }: MonitorView): string {
  if (monitoringStatus !== 'enabled') return monitoringStatus;
  if (maintenance) return 'maintenance';
  return healthStatus ?? 'unknown';
}

function paintHealth(terminal: Terminal, text: string, monitor: MonitorView): string {
  const colour = COLOURS[healthOf(monitor) as keyof typeof COLOURS];
  return colour === undefined ? text : terminal.paint(colour, text);
}

export function monitorColumns(terminal: Terminal, nowMs: number): Column<MonitorView>[] {
  return [
    { heading: 'NAME', value: ({ name }) => name, isCut: true, paint: (text) => terminal.paint('bold', text) },
    { heading: 'HEALTH', value: healthOf, paint: (text, monitor) => paintHealth(terminal, text, monitor) },
    { heading: 'TYPES', value: ({ monitorTypes }) => monitorTypes.join(','), isCut: true },
    { heading: 'CHECKED', value: ({ lastChecked }) => formatAge(lastChecked, nowMs) },
    { heading: 'URL', value: ({ url }) => url ?? '-', isCut: true },
    { heading: 'ID', value: ({ id }) => id },
  ];
}

export function describeMonitor(monitor: MonitorView, terminal: Terminal, nowMs: number): string[] {
  const { latestTestResult: latest, latestIncident: incident } = monitor;
  const rows: [string, string][] = [
    ['id', monitor.id],
    ['health', paintHealth(terminal, healthOf(monitor), monitor)],
    ['url', monitor.url ?? '-'],
    ['types', monitor.monitorTypes.join(', ')],
    ['interval', monitor.checkInterval],
    ['tags', monitor.tags.join(', ') || '-'],
    ['checked', formatAge(monitor.lastChecked, nowMs)],
  ];
  if (latest) {
    const outcome =
      latest.failureReason ?? `status ${latest.statusCode ?? '-'} in ${Math.round(latest.responseTime)} ms`;
    rows.push(['latest', outcome]);
    for (const step of latest.steps ?? []) rows.push([`  ${cleanLine(step.name)}`, describeStep(step)]);
  }
  for (const { region, status } of monitor.regions) rows.push([`  ${region}`, status]);
  if (incident) {
    const when =
      incident.ended === null ? `since ${formatMoment(incident.started)}` : `ended ${formatMoment(incident.ended)}`;
    rows.push(['incident', `${incident.status}, ${when}: ${incident.failureReason} (${incident.id})`]);
  }
  if (monitor.maintenance) rows.push(['maintenance', `until ${formatMoment(monitor.maintenance.until)}`]);
  const width = Math.max(...rows.map(([label]) => label.length));
  return [
    terminal.paint('bold', cleanLine(monitor.name)),
    ...rows.map(([label, value]) => `${label.padEnd(width)}  ${label === 'health' ? value : cleanLine(value, 2_000)}`),
  ];
}
