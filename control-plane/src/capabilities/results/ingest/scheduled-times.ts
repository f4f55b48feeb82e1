import { checkCode, schedulePhaseMs } from '@watchpost/shared/check';
import type { Clock } from '@watchpost/shared/clock';
import type { CheckResult } from '@watchpost/shared/outcome';
import { regionCode, type Region } from '@watchpost/shared/region';
import type { Logger } from 'pino';
import type { Database } from '../../../platform/db/database.js';
import type { ResultsMetrics } from '../series/results-metrics.js';
import { decideWasScheduled } from './decide-was-scheduled.js';
import { readKnownSchedules } from './schedule-store.js';

export interface ScheduledTimesDeps {
  db: Database;
  clock: Clock;
  logger: Logger;
  metrics: Pick<ResultsMetrics, 'refused'>;
}

/** The regular scheduled times of a check in a region, from the creation of its monitor on. */
interface Grid {
  intervalMs: number;
  phaseMs: number;
  sinceMs: number;
}

/** Checks whose grids are kept in memory, about 100 bytes each; the database is asked for others. */
const MAX_GRIDS = 200_000;
const REGION_CODES = 64;
/** A faulty agent may send a thousand such results a second: the log mentions them at most this often. */
const WARN_EVERY_MS = 10_000;

/**
 * Finds results that no agent can have been scheduled to produce. A regular scheduled time is recognised from memory,
 * which takes 0.2 ms for a batch of 1,000 results; every other time is compared with the database before it is refused.
 */
export class ScheduledTimes {
  private readonly grids = new Map<number, Grid>();
  private warnedMs = -Infinity;

  constructor(
    private readonly deps: ScheduledTimesDeps,
    private readonly maxGrids = MAX_GRIDS,
  ) {}

  /** @returns indexes of the results to refuse; results of unknown monitors are not judged */
  async findUnscheduled(
    agent: { agentId: string; region: Region },
    results: readonly CheckResult[],
  ): Promise<number[]> {
    const irregular: number[] = [];
    results.forEach((result, index) => {
      if (!this.isRegular(agent.region, result)) irregular.push(index);
    });
    if (irregular.length === 0) return irregular;
    const keys = [...new Set(irregular.map((index) => results[index]!.key.monitorKey))];
    const schedules = await this.deps.db.read((tx) => readKnownSchedules(tx, keys));
    const unscheduled = irregular.filter((index) => {
      const { key, scheduledAtMs } = results[index]!;
      const schedule = schedules.get(key.monitorKey);
      if (!schedule) return false;
      const { intervalMs, createdMs } = schedule;
      const phaseMs = schedulePhaseMs(key, agent.region, intervalMs);
      this.remember(codeOf(agent.region, results[index]!), { intervalMs, phaseMs, sinceMs: createdMs });
      return !decideWasScheduled(schedule, key, agent.region, scheduledAtMs);
    });
    if (unscheduled.length > 0) this.report(agent, results[unscheduled[0]!]!, unscheduled.length);
    return unscheduled;
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

  private report(agent: { agentId: string; region: Region }, first: CheckResult, count: number): void {
    const { metrics, logger, clock } = this.deps;
    metrics.refused.inc({ region: agent.region, reason: 'not_due' }, count);
    const nowMs = clock.now();
    if (nowMs - this.warnedMs < WARN_EVERY_MS) return;
    this.warnedMs = nowMs;
    const { key, scheduledAtMs } = first;
    logger.warn(
      { ...agent, ...key, scheduledAt: new Date(scheduledAtMs).toISOString(), results: count },
      'an agent reports results of times at which its checks were not scheduled: they are refused',
    );
  }
}

function codeOf(region: Region, { key }: CheckResult): number {
  return checkCode(key) * REGION_CODES + regionCode(region);
}
