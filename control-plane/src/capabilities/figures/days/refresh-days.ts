import { groupBy } from '@watchpost/shared/group-by';
import { DAY_MS, HOUR_MS } from '@watchpost/shared/time';
import type { Logger } from 'pino';
import { inSlices } from '../../../platform/jobs/in-slices.js';
import { decideUptime } from '../reading/decide-timeline.js';
import type { ReportDeps } from '../reading/read-availability.js';
import { readJointCounts } from '../reading/read-joint-availability.js';
import { readLatencyParts } from '../reading/read-monitor-charts.js';
import { bucketStore, type JointLatencyPart } from '../rollup/bucket-store.js';
import { LatencyHistogram } from '../rollup/histogram.js';
import { addPackedTotals } from '../rollup/packed-results.js';
import { progressStore } from '../rollup/progress-store.js';
import { readCheckCounts } from '../rollup/read-outcomes.js';
import { keptFrom } from '../rollup/retention.js';
import { dayStore, type DueWorkspace, type JointFigures, type MonitorDay } from './day-store.js';

export interface DayDeps extends ReportDeps {
  logger: Logger;
}

export const HOURS = 24;
/** Workspaces that take turns, each of another owner. */
const AT_A_TIME = 8;
/** Monitors of a turn. */
const PORTION = 50;
/** Keys of monitors that are read at once: those of a workspace are sorted each time. */
const KEYS = 20 * PORTION;
/** Due workspaces that are read at once. */
const DUE = 500;

/**
 * Computes the figures of the last 24 hours of all monitors and workspaces again: an hour of each workspace once all its
 * results are rolled up, and those of a workspace that had none as soon as there are results. The workspaces of as many owners
 * take turns of some monitors each, so that nobody waits for somebody who has many. A workspace that fails waits for the next
 * run.
 * @param signal once aborted, the rest is left to the next run
 * @returns the number of workspaces
 */
export async function refreshDays(deps: DayDeps, signal?: AbortSignal): Promise<number> {
  const failed: string[] = [];
  const active: Turns[] = [];
  let due: DueWorkspace[] = [];
  let done = 0;
  for (;;) {
    if (signal?.aborted) return done;
    due = due.length > 0 ? due : await findDue(deps, [...failed, ...active.map(({ of }) => of.workspaceId)]);
    for (let index = 0; index < due.length && active.length < AT_A_TIME;) {
      const next = due[index]!;
      if (active.some(({ of }) => of.ownerId === next.ownerId)) index++;
      else {
        due.splice(index, 1);
        active.push(new Turns(deps, next, await endOf(deps, next)));
      }
    }
    if (active.length === 0) return done;
    for (const turns of [...active]) {
      const isOver = await turns.take().catch((error: unknown) => {
        deps.logger.error({ err: error, workspaceId: turns.of.workspaceId }, 'the figures of a day could not be made');
        failed.push(turns.of.workspaceId);
        return true;
      });
      if (!isOver) continue;
      active.splice(active.indexOf(turns), 1);
      done++;
    }
  }
}

function findDue({ db, clock }: DayDeps, except: readonly string[]): Promise<DueWorkspace[]> {
  return db.read(async (tx) => {
    const hourMs = await progressStore.rolledUpUntil(tx);
    return dayStore.due(tx, { hourMs, nowMs: clock.now(), except, limit: DUE });
  });
}

async function endOf({ db, clock }: DayDeps, { isFirst }: DueWorkspace): Promise<number> {
  const hourMs = isFirst ? null : await db.read((tx) => progressStore.rolledUpUntil(tx));
  return hourMs ?? clock.now();
}

class Turns {
  private readonly startMs: number;
  private readonly hours: Joint[];
  private readonly day = new Joint();
  private readonly histogram = new LatencyHistogram();
  private unknown = 0;
  private waiting: { monitorKey: number; isEnabled: boolean }[] = [];
  private lastKey = 0;

  constructor(
    private readonly deps: DayDeps,
    readonly of: DueWorkspace,
    private readonly endMs: number,
  ) {
    this.startMs = Math.ceil(endMs / HOUR_MS) * HOUR_MS - DAY_MS;
    this.hours = Array.from({ length: HOURS }, () => new Joint());
  }

  /** Reads the next monitors, and writes their figures. @returns true after the last ones */
  async take(): Promise<boolean> {
    const { db } = this.deps;
    const { workspaceId } = this.of;
    if (this.waiting.length === 0) {
      this.waiting = await db.read((tx) => dayStore.monitors(workspaceId, tx, this.lastKey, KEYS));
      this.lastKey = this.waiting.at(-1)?.monitorKey ?? this.lastKey;
    }
    const portion = this.waiting.splice(0, PORTION);
    if (portion.length > 0) {
      const days = await this.compute(portion);
      await db.transaction((tx) => dayStore.writeMonitors(workspaceId, tx, days, new Date(this.endMs)));
      return false;
    }
    const { day, unknown, endMs: untilMs } = this;
    const hours = this.hours.map((hour) => hour.figures());
    await db.transaction((tx) =>
      dayStore.writeWorkspace(workspaceId, tx, { untilMs, day: day.figures(), unknown, hours }),
    );
    return true;
  }

  private async compute(portion: readonly { monitorKey: number; isEnabled: boolean }[]): Promise<MonitorDay[]> {
    const pause = inSlices();
    const read = await this.read(portion.map(({ monitorKey }) => monitorKey));
    const [counts, latency] = [groupBy(read.counts, keyOf), groupBy(read.latency, keyOf)];
    for (const { startMs, checks } of read.checks)
      for (const joint of [this.hours[(startMs - this.startMs) / HOUR_MS]!, this.day]) joint.checks += checks;
    const days: MonitorDay[] = [];
    for (const { monitorKey, isEnabled } of portion) {
      await pause();
      let [up, down] = [0, 0];
      for (const { startMs, healthy, unhealthy } of counts.get(monitorKey) ?? []) {
        this.hours[(startMs - this.startMs) / HOUR_MS]!.addUptime(decideUptime(healthy, unhealthy));
        up += healthy;
        down += unhealthy;
      }
      const uptime = decideUptime(up, down);
      this.day.addUptime(uptime);
      if (isEnabled && uptime === null) this.unknown++;
      days.push({ monitorKey, uptime, p95Us: this.addLatency(latency.get(monitorKey) ?? []) });
    }
    return days;
  }

  private read(monitorKeys: readonly number[]) {
    const { db, clock, retentionDays } = this.deps;
    const { workspaceId } = this.of;
    const period = { startMs: this.startMs, endMs: this.endMs };
    const { rowsFromMs } = keptFrom({ nowMs: clock.now(), retentionDays });
    return db.read(async (tx) => {
      const monitors = await bucketStore.monitors(workspaceId, tx, { monitorKeys }, period);
      return {
        counts: await readJointCounts(tx, workspaceId, monitorKeys, period, HOUR_MS, rowsFromMs),
        latency: await readLatencyParts(tx, workspaceId, monitors, period),
        checks: await readCheckCounts(tx, workspaceId, monitors, period, HOUR_MS),
      };
    });
  }

  /** Adds the durations of a monitor to those of the hours and of the day. @returns the percentile of the monitor */
  private addLatency(parts: readonly JointLatencyPart[]): number | null {
    const own = new Durations(this.histogram);
    this.histogram.clear();
    for (const part of parts)
      for (const durations of [own, this.hours[part.step]!.durations, this.day.durations]) durations.add(part);
    return own.p95Us();
  }
}

const keyOf = ({ monitorKey }: { monitorKey: number }) => monitorKey;

/** The figures of all monitors of a workspace together, as they are added up. */
class Joint {
  checks = 0;
  readonly durations = new Durations(new LatencyHistogram());
  private sum = 0;
  private known = 0;

  addUptime(uptime: number | null): void {
    if (uptime === null) return;
    this.sum += uptime;
    this.known++;
  }

  figures(): JointFigures {
    const availability = this.known === 0 ? null : this.sum / this.known;
    return { availability, p95Us: this.durations.p95Us(), checks: this.checks };
  }
}

class Durations {
  private readonly bounds = { minUs: Infinity, maxUs: 0 };

  constructor(private readonly histogram: LatencyHistogram) {}

  add({ histogram, totals, minUs, maxUs }: JointLatencyPart): void {
    if (histogram) this.histogram.addEncoded(histogram);
    if (totals) addPackedTotals(this.histogram, totals);
    this.bounds.minUs = Math.min(this.bounds.minUs, minUs);
    this.bounds.maxUs = Math.max(this.bounds.maxUs, maxUs);
  }

  p95Us(): number | null {
    const [p95] = this.histogram.quantiles([0.95], this.bounds);
    return p95 === undefined ? null : Math.round(p95);
  }
}
