import { schedulePhaseMs } from '@watchpost/shared/check';
import type { Clock } from '@watchpost/shared/clock';
import type { CheckResult } from '@watchpost/shared/outcome';
import type { Region } from '@watchpost/shared/region';
import type { Logger } from 'pino';
import type { Database } from '../../../platform/db/database.js';
import { decideWasScheduled } from './decide-was-scheduled.js';
import type { IngestMetrics } from './ingest-metrics.js';
import { IntervalTable } from './interval-table.js';
import { readKnownSchedules } from './schedule-store.js';

export interface ScheduledTimesDeps {
  db: Database;
  clock: Clock;
  logger: Logger;
  metrics: Pick<IngestMetrics, 'refused'>;
}

/** A faulty agent may send a thousand such results a second: the log mentions them at most this often. */
const WARN_EVERY_MS = 10_000;

/**
 * Finds results that no agent can have been scheduled to produce. A regular scheduled time is recognised from memory, by
 * the interval of its monitor; every other time is compared with the database before it is refused.
 */
export class ScheduledTimes {
  private warnedMs = -Infinity;

  constructor(
    private readonly deps: ScheduledTimesDeps,
    private readonly intervals = new IntervalTable(),
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
      this.intervals.set(key.monitorKey, schedule.intervalMs, schedule.createdMs);
      return !decideWasScheduled(schedule, key, agent.region, scheduledAtMs);
    });
    if (unscheduled.length > 0) this.report(agent, results[unscheduled[0]!]!, unscheduled.length);
    return unscheduled;
  }

  private isRegular(region: Region, { key, scheduledAtMs }: CheckResult): boolean {
    const intervalMs = this.intervals.intervalAt(key.monitorKey, scheduledAtMs);
    return intervalMs !== undefined && (scheduledAtMs - schedulePhaseMs(key, region, intervalMs)) % intervalMs === 0;
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
