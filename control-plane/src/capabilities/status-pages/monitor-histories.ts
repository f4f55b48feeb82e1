import { BoundedCache } from '@watchpost/shared/bounded-cache';
import { DAY_MS, MINUTE_MS } from '@watchpost/shared/time';
import type { TimelineWindow } from '../plans/index.js';
import { readCoveredTime } from '../maintenance/index.js';
import {
  continueSpans,
  coverTimeline,
  decideTimeline,
  mergeTimelines,
  minutesOutside,
  readJointCounts,
  readJointRecent,
  readJointSpans,
  readJointTimed,
  type RecentChecks,
  type RegionSpan,
  type TimelineSpan,
} from '../figures/index.js';
import { boundTimeline } from './decide-shown-timeline.js';
import { type Count, DAYS, WINDOWS, windowStart } from './decide-window.js';
import type { BuildWork } from './build-work.js';

/** The history of a monitor, bounded for any number of changes. */
export interface MonitorHistory {
  /** The last 24 hours and a little more. */
  timeline: readonly TimelineSpan[];
  /** The longest requested window. */
  counts: readonly Count[];
  /** The last `DAYS` UTC days, in steps of a day and less. */
  daily: readonly Count[];
  /** The UTC days before today that were all maintenance, as their number since the epoch. */
  maintenanceDays: ReadonlySet<number>;
}

const FINE_MS = WINDOWS['24h'].sampleMs;
const COARSE_MS = WINDOWS['7d'].sampleMs;
/** Results that arrive later than this appear when the day is read again. */
const LATE_MS = 5 * MINUTE_MS;
const DAY_KEPT_MS = 3 * MINUTE_MS;
const MONTH_KEPT_MS = 10 * MINUTE_MS;
const RECENT_KEPT_MS = 2_000;
/** Less than the overlap below, so that days that were read before midnight meet the last 24 hours after it. */
const QUARTER_KEPT_MS = 30 * MINUTE_MS;
/** The day reaches back beyond 24 hours by more than the cache time of the month, so that the two always meet. */
const OVERLAP_MS = 60 * MINUTE_MS;
const MONITORS_KEPT = 2_000;
/** Monitors per statement, which bounds what the driver decodes at once. */
const DAYS_AT_ONCE = 10;
const RECENT_AT_ONCE = 50;
/** Fewer, because the hours of all maintenance of the time are decoded at once. */
const QUARTERS_AT_ONCE = 4;

/** A cached value and until when it is used. */
interface Kept {
  readMs: number;
  untilMs: number;
  startMs: number;
  toMs: number;
  counts: Count[];
}

interface KeptDay extends Kept {
  timeline: readonly TimelineSpan[];
  /** By series: the state of the last result before `toMs`, where it is still fresh then. */
  last: ReadonlyMap<number, RegionSpan>;
}

interface KeptMonitor {
  day?: KeptDay;
  month?: Kept;
  recent?: Kept & { timeline: readonly TimelineSpan[] };
  quarter?: Kept & { maintenanceDays: ReadonlySet<number> };
}

/**
 * The history of the monitors on status pages. Each monitor is read once for all systems and pages that show it: its last day
 * every three minutes, older data every ten minutes, its days every half hour, and its last minutes every two seconds.
 */
export class MonitorHistories {
  readonly #kept = new BoundedCache<string, KeptMonitor>(MONITORS_KEPT);

  /** @param retentionDays for how long single results are kept */
  constructor(private readonly retentionDays: number) {}

  async read(
    shown: { workspaceId: string; monitorKeys: readonly number[] },
    windows: readonly TimelineWindow[],
    nowMs: number,
    work: BuildWork,
  ): Promise<Map<number, MonitorHistory>> {
    const startMs = Math.min(nowMs - DAY_MS, ...windows.map((window) => windowStart(window, nowMs)));
    const monitors = new Map(shown.monitorKeys.map((key) => [key, this.#monitor(`${shown.workspaceId} ${key}`)]));
    const rowsFromMs = nowMs - this.retentionDays * DAY_MS;
    const reading = { workspaceId: shown.workspaceId, monitors, nowMs, rowsFromMs, work };
    await readDays(reading);
    await readRecent(reading);
    const isLong = startMs < nowMs - DAY_MS;
    if (isLong) await readMonths(reading, startMs);
    await readQuarters(reading);
    const histories = new Map<number, MonitorHistory>();
    for (const [key, monitor] of monitors)
      histories.set(key, await work.slice(() => historyOf(monitor, isLong, dayStart(nowMs), nowMs)));
    return histories;
  }

  #monitor(key: string): KeptMonitor {
    const known = this.#kept.get(key) ?? {};
    this.#kept.set(key, known);
    return known;
  }
}

interface Reading {
  workspaceId: string;
  monitors: ReadonlyMap<number, KeptMonitor>;
  nowMs: number;
  /** Since when single results are kept. */
  rowsFromMs: number;
  work: BuildWork;
}

async function readDays({ workspaceId, monitors, nowMs, rowsFromMs, work }: Reading): Promise<void> {
  const due = dueOf(monitors, ({ day }) => !isCurrent(day, nowMs));
  const period = { startMs: dayStart(nowMs), endMs: floor(nowMs - LATE_MS, MINUTE_MS) };
  for (const keys of portions(due, DAYS_AT_ONCE)) {
    const decoders = await work.query((tx) => readJointSpans(tx, workspaceId, keys, period));
    const counts = groupCounts(
      await work.query((tx) => readJointCounts(tx, workspaceId, keys, period, FINE_MS, rowsFromMs)),
    );
    const covered = await work.query((tx) => readCoveredTime(tx, workspaceId, keys, period));
    for (const key of keys) {
      await work.slice(() => {
        const spans = decoders.get(key)?.() ?? [];
        const last = new Map(spans.filter(({ endMs }) => endMs > period.endMs).map((span) => [span.series, span]));
        const measured = decideTimeline(spans, period.startMs, period.endMs);
        const timeline = boundTimeline(coverTimeline(measured, covered.get(key) ?? []));
        const read = { readMs: nowMs, untilMs: nowMs + DAY_KEPT_MS, startMs: period.startMs, toMs: period.endMs };
        monitors.get(key)!.day = { ...read, timeline, last, counts: counts.get(key) ?? [] };
      });
    }
  }
}

async function readRecent({ workspaceId, monitors, nowMs, work }: Reading): Promise<void> {
  const due = dueOf(monitors, ({ day, recent }) => !isCurrent(recent, nowMs) || recent!.startMs !== day!.toMs);
  for (const keys of portions(due, RECENT_AT_ONCE)) {
    const startMs = Math.min(...keys.map((key) => monitors.get(key)!.day!.toMs));
    const period = { startMs, endMs: nowMs + 1 };
    const byMonitor = await work.query((tx) => readJointRecent(tx, workspaceId, keys, period));
    const timed = await work.query((tx) => readJointTimed(tx, workspaceId, keys, period));
    const coveredTime = await work.query((tx) => readCoveredTime(tx, workspaceId, keys, period));
    for (const key of keys) {
      const monitor = monitors.get(key)!;
      await work.slice(() => {
        const { toMs, last } = monitor.day!;
        const covered = coveredTime.get(key) ?? [];
        const recent = afterDay(byMonitor.get(key) ?? [], toMs);
        const unseen = [...last.values()].filter(({ series }) => !recent.some((own) => own.series === series));
        const series = [
          ...recent,
          ...unseen.map(({ series, advisory }): RecentChecks => ({ series, advisory, checks: [] })),
        ];
        const heartbeat = timed.get(key);
        const spans = heartbeat
          ? heartbeat.map((span): RegionSpan => ({ ...span, series: 0 }))
          : series.flatMap((own) => continueSpans(last.get(own.series), own));
        monitor.recent = {
          readMs: nowMs,
          untilMs: nowMs + RECENT_KEPT_MS,
          startMs: toMs,
          toMs: nowMs,
          timeline: coverTimeline(decideTimeline(spans, toMs, nowMs), covered),
          counts: heartbeat
            ? minutesOutside(heartbeat, covered, { startMs: toMs, endMs: nowMs }, FINE_MS)
            : countsOf(recent, covered),
        };
      });
    }
  }
}

async function readMonths({ workspaceId, monitors, nowMs, rowsFromMs, work }: Reading, startMs: number): Promise<void> {
  const period = { startMs, endMs: floor(nowMs - DAY_MS, FINE_MS) };
  const due = dueOf(monitors, ({ month }) => !isCurrent(month, nowMs) || month!.startMs > startMs);
  for (const keys of portions(due, DAYS_AT_ONCE)) {
    const counts = groupCounts(
      await work.query((tx) => readJointCounts(tx, workspaceId, keys, period, COARSE_MS, rowsFromMs)),
    );
    const read = { readMs: nowMs, untilMs: nowMs + MONTH_KEPT_MS, startMs, toMs: period.endMs };
    await work.slice(() => {
      for (const key of keys) monitors.get(key)!.month = { ...read, counts: counts.get(key) ?? [] };
    });
  }
}

/** The UTC days before today. */
async function readQuarters({ workspaceId, monitors, nowMs, rowsFromMs, work }: Reading): Promise<void> {
  const endMs = floor(nowMs, DAY_MS);
  const period = { startMs: endMs - (DAYS - 1) * DAY_MS, endMs };
  const due = dueOf(monitors, ({ quarter }) => !isCurrent(quarter, nowMs));
  for (const keys of portions(due, QUARTERS_AT_ONCE)) {
    const counts = groupCounts(
      await work.query((tx) => readJointCounts(tx, workspaceId, keys, period, DAY_MS, rowsFromMs)),
    );
    const covered = await work.query((tx) => readCoveredTime(tx, workspaceId, keys, period));
    const read = { readMs: nowMs, untilMs: nowMs + QUARTER_KEPT_MS, startMs: period.startMs, toMs: endMs };
    await work.slice(() => {
      for (const key of keys)
        monitors.get(key)!.quarter = {
          ...read,
          counts: counts.get(key) ?? [],
          maintenanceDays: wholeDays(covered.get(key) ?? []),
        };
    });
  }
}

function historyOf({ day, recent, month, quarter }: KeptMonitor, isLong: boolean, startMs: number, nowMs: number) {
  const counts = [...day!.counts, ...recent!.counts];
  const after = (older: Kept) => [...older.counts, ...counts.filter((count) => count.startMs >= older.toMs)];
  return {
    timeline: mergeTimelines([day!.timeline, recent!.timeline], startMs, nowMs),
    counts: isLong ? after(month!) : counts,
    daily: after(quarter!),
    maintenanceDays: quarter!.maintenanceDays,
  };
}

/** The UTC days within ranges that do not touch each other. */
function wholeDays(ranges: readonly { startMs: number; endMs: number }[]): Set<number> {
  const days = new Set<number>();
  for (const { startMs, endMs } of ranges)
    for (let day = Math.ceil(startMs / DAY_MS); (day + 1) * DAY_MS <= endMs; day++) days.add(day);
  return days;
}

/** Also expires entries where the clock was set back. */
function isCurrent(kept: Kept | undefined, nowMs: number): boolean {
  return kept !== undefined && kept.readMs <= nowMs && nowMs < kept.untilMs;
}

function afterDay(recent: readonly RecentChecks[], toMs: number): RecentChecks[] {
  return recent.map(({ checks, ...of }) => ({ ...of, checks: checks.filter(({ atMs }) => atMs >= toMs) }));
}

function countsOf(recent: readonly RecentChecks[], covered: readonly { startMs: number; endMs: number }[]): Count[] {
  const counts = new Map<number, Count>();
  for (const { atMs, up } of recent.flatMap(({ checks }) => checks)) {
    if (covered.some(({ startMs, endMs }) => atMs >= startMs && atMs < endMs)) continue;
    const startMs = floor(atMs, FINE_MS);
    const count = counts.get(startMs) ?? { startMs, healthy: 0, unhealthy: 0 };
    counts.set(startMs, count);
    if (up) count.healthy++;
    else count.unhealthy++;
  }
  return [...counts.values()];
}

function groupCounts(counts: readonly (Count & { monitorKey: number })[]): Map<number, Count[]> {
  const byMonitor = new Map<number, Count[]>();
  for (const { monitorKey, ...count } of counts) {
    const own = byMonitor.get(monitorKey);
    if (own) own.push(count);
    else byMonitor.set(monitorKey, [count]);
  }
  return byMonitor;
}

function dueOf(monitors: ReadonlyMap<number, KeptMonitor>, isDue: (monitor: KeptMonitor) => boolean): number[] {
  return [...monitors].flatMap(([key, monitor]) => (isDue(monitor) ? [key] : []));
}

function* portions(keys: readonly number[], size: number): Generator<readonly number[]> {
  for (let start = 0; start < keys.length; start += size) yield keys.slice(start, start + size);
}

function dayStart(nowMs: number): number {
  return floor(nowMs - DAY_MS - OVERLAP_MS, FINE_MS);
}

function floor(ms: number, step: number): number {
  return Math.floor(ms / step) * step;
}
