import { formatDuration } from '@watchpost/shared/duration';
import type { ImportContext, SectionOf, TakenItem } from './import-context.js';
import { type Fields, jsonOf, numberOf, type Row, textOf } from '../import/rows.js';
import { countOf } from '../output/format-time.js';
import { quoted } from '../import/import-report.js';
import { idOf, rowsOf } from './installation.js';
import { isActive, readRecurrence } from './maintenance-rules.js';
import { dayAfter, localTimeOf, momentOf, readLocalTime, readTimeZone } from '../import/local-times.js';
import { secondsWords } from './monitors/check-fields.js';
import { Keys, nameFor } from '../import/names.js';

const MINUTE_MS = 60_000;
const LEAST_MS = 5 * MINUTE_MS;
const MOST_MS = 7 * 24 * 60 * MINUTE_MS;
/** A window must not begin before the document is applied. */
const AHEAD_MS = 15 * MINUTE_MS;
/** Dates that are searched from there on would leave the years of four digits, which documents take. */
const END_OF_TIME = '9990-01-01T00:00';
const MOST_TARGETS = 500;
const MOST_TAGS = 50;
const MOST_PAGES = 20;
const MOST_DESCRIPTION = 2_000;
/** Every day within a year and the longest interval in days. */
const DAYS_SEARCHED = 800;

interface Targets {
  monitors: ReadonlyMap<number, TakenItem>;
  groupTags: ReadonlyMap<number, string>;
  pages: ReadonlyMap<number, string>;
}

export function convertMaintenance(context: ImportContext, targets: Targets): SectionOf {
  const { installation, report, nowMs } = context;
  const keys = new Keys();
  const section: SectionOf = {};
  const rows = rowsOf(installation, 'maintenance');
  const serverZone = serverZoneOf(installation);
  for (const row of rows) {
    const name = nameFor(textOf(row, 'title'), `Maintenance ${idOf(row)}`);
    const differences: string[] = [];
    const zone = zoneOf(row, serverZone, differences);
    const when = isActive(row) ? readWhen(row, zone, nowMs, differences) : 'it is not active';
    const scope = scopeOf(installation, idOf(row), targets, differences);
    if (typeof when === 'string') report.untaken('maintenance', name, when);
    else if (scope === undefined) report.untaken('maintenance', name, 'it covers no monitor that was taken over');
    else {
      section[keys.next(name, `maintenance-${idOf(row)}`)] = {
        name,
        ...descriptionOf(row),
        timezone: zone,
        ...when,
        scope,
        checks: 'pause',
        ...pagesOf(installation, idOf(row), targets, differences),
      };
      report.partly('maintenance', name, differences);
    }
  }
  reportLost(context, rows);
  return section;
}

function descriptionOf(row: Row): Fields {
  const description = (textOf(row, 'description') ?? '').slice(0, MOST_DESCRIPTION);
  return description === '' ? {} : { description };
}

/** The time zone of the server of Uptime Kuma, which is a setting there. */
function serverZoneOf(installation: ImportContext['installation']): string | null {
  const row = rowsOf(installation, 'setting').find((setting) => textOf(setting, 'key') === 'serverTimezone');
  const value = row && (jsonOf(row, 'value') ?? textOf(row, 'value'));
  return typeof value === 'string' ? readTimeZone(value) : null;
}

function zoneOf(row: Row, serverZone: string | null, differences: string[]): string {
  const own = textOf(row, 'timezone');
  if (own === null) return 'UTC';
  const zone = own === 'SAME_AS_SERVER' ? serverZone : readTimeZone(own);
  if (zone !== null) return zone;
  differences.push(`its time zone ${quoted(own)} is not known: it is UTC here`);
  return 'UTC';
}

/** @returns the fields of its dates, or why there are none */
function readWhen(row: Row, zone: string, nowMs: number, differences: string[]): Fields | string {
  const strategy = textOf(row, 'strategy') ?? 'single';
  if (strategy === 'manual') return 'it is switched by hand: begin a window with startsAt "now" instead';
  const start = readLocalTime(textOf(row, 'start_date'));
  if (start !== undefined && start >= END_OF_TIME) return 'it begins after the year 9989';
  const given = readLocalTime(textOf(row, 'end_date'));
  const end = given === undefined || given < END_OF_TIME ? given : END_OF_TIME;
  if (end !== undefined && momentOf(end, zone) <= nowMs + AHEAD_MS) return 'it is over';
  if (strategy !== 'single') return recurring(row, zone, nowMs, start, end, differences);
  if (start === undefined || end === undefined) return 'it has no beginning or end';
  if (momentOf(end, zone) <= momentOf(start, zone)) return 'it ends before it begins';
  const startMs = Math.max(momentOf(start, zone), Math.ceil((nowMs + AHEAD_MS) / MINUTE_MS) * MINUTE_MS);
  if (startMs !== momentOf(start, zone))
    differences.push('is under way: its window begins a quarter of an hour after the import');
  return { startsAt: localTimeOf(startMs, zone), duration: durationFor(momentOf(end, zone) - startMs, differences) };
}

function recurring(
  row: Row,
  zone: string,
  nowMs: number,
  start: string | undefined,
  end: string | undefined,
  differences: string[],
): Fields | string {
  const rule = readRecurrence(row);
  if (typeof rule === 'string') return rule;
  if (start !== undefined && end !== undefined && end <= start) return 'it ends before it begins';
  const fromMs = Math.max(nowMs + AHEAD_MS, start === undefined ? 0 : momentOf(start, zone));
  const today = localTimeOf(fromMs, zone).slice(0, 10);
  let date: string | undefined;
  for (let days = 0; days < DAYS_SEARCHED && date === undefined; days++) {
    const candidate = dayAfter(today, days);
    if (rule.isDay(candidate) && momentOf(`${candidate}T${rule.time}`, zone) >= fromMs) date = candidate;
  }
  if (date === undefined || (end !== undefined && `${date}T${rule.time}` > end)) return 'it has no further date';
  differences.push(...rule.differences);
  const until = end === undefined ? '' : `;UNTIL=${end.replace(/[-:]/g, '')}00`;
  return {
    startsAt: `${date}T${rule.time}`,
    duration: durationFor(rule.durationS * 1_000, differences),
    recurrence: `${rule.rule}${until}`,
  };
}

function durationFor(wantedMs: number, differences: string[]): string {
  const ms = Math.min(Math.max(Math.round(wantedMs / MINUTE_MS) * MINUTE_MS, LEAST_MS), MOST_MS);
  if (ms !== wantedMs)
    differences.push(
      `takes ${secondsWords(ms / 1_000)} instead of ${secondsWords(wantedMs / 1_000)} (5 minutes to 7 days)`,
    );
  return formatDuration(ms);
}

function scopeOf(
  installation: ImportContext['installation'],
  id: number,
  { monitors, groupTags }: Targets,
  differences: string[],
): Fields | undefined {
  const ids = rowsOf(installation, 'monitor_maintenance')
    .filter((link) => numberOf(link, 'maintenance_id') === id)
    .map((link) => numberOf(link, 'monitor_id') ?? 0);
  const keys = [...new Set(ids.flatMap((monitor) => monitors.get(monitor)?.key ?? []))].slice(0, MOST_TARGETS);
  const tags = [...new Set(ids.flatMap((monitor) => groupTags.get(monitor) ?? []))].slice(0, MOST_TAGS);
  const left = new Set(ids).size - keys.length - ids.filter((monitor) => groupTags.has(monitor)).length;
  if (left > 0) differences.push(`leaves out ${countOf(left, 'monitor')} that the document does not have`);
  if (keys.length + tags.length === 0) return undefined;
  return { ...(keys.length > 0 ? { monitors: keys } : {}), ...(tags.length > 0 ? { tags } : {}) };
}

function pagesOf(
  installation: ImportContext['installation'],
  id: number,
  { pages }: Targets,
  differences: string[],
): Fields {
  const found = rowsOf(installation, 'maintenance_status_page')
    .filter((link) => numberOf(link, 'maintenance_id') === id)
    .map((link) => pages.get(numberOf(link, 'status_page_id') ?? 0));
  const keys = [...new Set(found.filter((key) => key !== undefined))];
  if (keys.length > MOST_PAGES) differences.push(`is announced on ${MOST_PAGES} of its ${keys.length} status pages`);
  if (found.includes(undefined)) differences.push('is not announced on a status page that does not exist');
  return keys.length === 0 ? {} : { statusPages: keys.slice(0, MOST_PAGES) };
}

function reportLost({ installation, report }: ImportContext, rows: readonly Row[]): void {
  const known = new Set(rows.map(idOf));
  for (const table of ['monitor_maintenance', 'maintenance_status_page']) {
    const lost = rowsOf(installation, table).filter((row) => !known.has(numberOf(row, 'maintenance_id') ?? 0));
    if (lost.length > 0) report.add(`${table}: ${countOf(lost.length, 'row')} of a maintenance that does not exist`);
  }
}
