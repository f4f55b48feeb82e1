import { checkCode, schedulePhaseMs } from '@watchpost/shared/check';
import type { Clock } from '@watchpost/shared/clock';
import type { CheckResult } from '@watchpost/shared/outcome';
import { regionCode, type Region } from '@watchpost/shared/region';
import type { Logger } from 'pino';
import type { Database } from '../../../platform/db/database.js';
import type { FleetMetrics } from '../fleet-metrics.js';
import { decideDue } from './decide-due.js';
import { readSchedules } from './schedule-store.js';

export interface DueTimesDeps {
  db: Database;
  clock: Clock;
  logger: Logger;
  metrics: FleetMetrics;
}

/** The regular due times of a check in a region, from when the monitor was made. */
interface Grid {
  intervalMs: number;
  phaseMs: number;
  sinceMs: number;
}

/** Checks whose due times are at hand, some 100 bytes each; the database is asked for others. */
const MAX_GRIDS = 200_000;
const REGION_CODES = 64;
/** An agent that makes things up does so a thousand times a second: the log says so now and then. */
const WARN_EVERY_MS = 10_000;

/**
 * Tells results of due times from what an agent made up. A regular due time is told from memory, which costs a batch of a
 * thousand results a fifth of a millisecond; whatever does not fit is held against the database once before it is refused.
 */
export class DueTimes {
  private readonly grids = new Map<number, Grid>();
  private warnedMs = -Infinity;

  constructor(
    private readonly deps: DueTimesDeps,
    private readonly maxGrids = MAX_GRIDS,
  ) {}

  /** @returns positions of results that no agent can have come to honestly; monitors that are not known are not judged */
  async findMadeUp(agent: { agentId: string; region: Region }, results: readonly CheckResult[]): Promise<number[]> {
    const doubtful: number[] = [];
    results.forEach((result, index) => {
      if (!this.isRegular(agent.region, result)) doubtful.push(index);
    });
    if (doubtful.length === 0) return doubtful;
    const keys = [...new Set(doubtful.map((index) => results[index]!.key.monitorKey))];
    const schedules = await this.deps.db.read((tx) => readSchedules(tx, keys));
    const madeUp = doubtful.filter((index) => {
      const { key, scheduledAtMs } = results[index]!;
      const schedule = schedules.get(key.monitorKey);
      if (!schedule) return false;
      const { intervalMs, createdMs } = schedule;
      const phaseMs = schedulePhaseMs(key, agent.region, intervalMs);
      this.remember(codeOf(agent.region, results[index]!), { intervalMs, phaseMs, sinceMs: createdMs });
      return !decideDue(schedule, key, agent.region, scheduledAtMs);
    });
    if (madeUp.length > 0) this.tell(agent, results[madeUp[0]!]!, madeUp.length);
    return madeUp;
  }

  private isRegular(region: Region, result: CheckResult): boolean {
    const grid = this.grids.get(codeOf(region, result));
    const atMs = result.scheduledAtMs;
    return grid !== undefined && atMs >= grid.sinceMs && (atMs - grid.phaseMs) % grid.intervalMs === 0;
  }

  private remember(code: number, grid: Grid): void {
    this.grids.delete(code);
    this.grids.set(code, grid);
    if (this.grids.size <= this.maxGrids) return;
    const [oldest] = this.grids.keys();
    this.grids.delete(oldest!);
  }

  private tell(agent: { agentId: string; region: Region }, first: CheckResult, count: number): void {
    const { metrics, logger, clock } = this.deps;
    metrics.refused.inc({ region: agent.region, reason: 'not_due' }, count);
    const nowMs = clock.now();
    if (nowMs - this.warnedMs < WARN_EVERY_MS) return;
    this.warnedMs = nowMs;
    const { key, scheduledAtMs } = first;
    logger.warn(
      { ...agent, ...key, scheduledAt: new Date(scheduledAtMs).toISOString(), results: count },
      'an agent reports checks of moments at which they were not due: nothing of it is kept',
    );
  }
}

function codeOf(region: Region, { key }: CheckResult): number {
  return checkCode(key) * REGION_CODES + regionCode(region);
}
