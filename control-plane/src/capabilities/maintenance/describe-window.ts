import { decideOccurrences, type Occurrence, type WindowSchedule } from './decide-occurrences.js';
import { type OccurrenceView, windowSettings, type WindowView } from './maintenance-schemas.js';
import { parseRecurrence, type Recurrence } from './recurrence.js';
import type { WindowRow, WindowViewRow } from './window-store.js';

export function scheduleOf(
  row: Pick<WindowRow, 'startsAt' | 'timezone' | 'durationMs' | 'recurrence' | 'startedNow'>,
): WindowSchedule {
  const { startsAt, timezone, durationMs, recurrence, startedNow } = row;
  const rule = recurrence === null ? null : ruleOf(recurrence);
  return { startsAt, timezone, durationMs, recurrence: rule, startedNowMs: startedNow?.getTime() ?? null };
}

function ruleOf(text: string): Recurrence {
  const parsed = parseRecurrence(text);
  if ('faults' in parsed) throw new Error(`A stored recurrence is malformed: ${text}`);
  return parsed.rule;
}

/** The part of a window that its ETag covers: what only people change. */
export function describeConfiguration(row: WindowRow) {
  return {
    id: row.id,
    ...windowSettings.describe({
      ...row,
      scope: { monitorIds: row.monitorIds, serviceGroupIds: row.serviceGroupIds, tags: row.tags, all: row.coversAll },
      checks: row.pausesChecks ? 'pause' : 'run',
    }),
    created: row.created.toISOString(),
    lastModified: row.lastModified.toISOString(),
  };
}

export function describeWindow(row: WindowViewRow): WindowView {
  const next = nextOf(row);
  return {
    ...describeConfiguration(row),
    managedBy: row.managedBy,
    state: row.activeUntil ? 'active' : next ? 'scheduled' : 'finished',
    activeUntil: row.activeUntil?.toISOString() ?? null,
    nextOccurrence: next && describeOccurrence(next),
  };
}

export function describeOccurrence({ startMs, endMs }: Occurrence): OccurrenceView {
  return { start: new Date(startMs).toISOString(), end: new Date(endMs).toISOString() };
}

/** The next stored occurrence, else the first that is not stored yet. */
function nextOf({ nextStart, nextEnd, storedUntil, ...row }: WindowViewRow): Occurrence | null {
  if (nextStart && nextEnd) return { startMs: nextStart.getTime(), endMs: nextEnd.getTime() };
  if (storedUntil === null) return null;
  const [first] = decideOccurrences(scheduleOf(row), storedUntil.getTime());
  return first ?? null;
}
