import { schedulePhaseMs } from '@watchpost/shared/check';
import type { Clock } from '@watchpost/shared/clock';
import type { CheckResult } from '@watchpost/shared/outcome';
import type { Place } from '@watchpost/shared/region';
import type { Logger } from 'pino';
import type { Database } from '../../../platform/db/database.js';
import { decideWasScheduled } from './decide-was-scheduled.js';
import type { ReportingAgent } from './ingest-batch.js';
import { type IngestMetrics, regionLabel } from './ingest-metrics.js';
import { IntervalTable } from './interval-table.js';
import { readKnownSchedules, readOwnKeys } from './schedule-store.js';

export interface ScheduledTimesDeps {
  db: Database;
  clock: Clock;
  logger: Logger;
  metrics: Pick<IngestMetrics, 'refused'>;
}

/** A result that is acknowledged but not kept. */
export interface RefusedResult {
  /** Its position among the reported results. */
  index: number;
  /** As in the wire contract. */
  reason: 'not_due' | 'foreign_monitor';
}

/** A faulty agent may send a thousand such results a second: the log mentions them at most this often. */
const WARN_EVERY_MS = 10_000;

/**
 * Finds results that an agent cannot have been scheduled to produce. A regular scheduled time is recognised from memory, by
 * the interval of its monitor; every other time is compared with the database before it is refused.
 */
export class ScheduledTimes {
  private warnedMs = -Infinity;

  constructor(
    private readonly deps: ScheduledTimesDeps,
    private readonly intervals = new IntervalTable(),
  ) {}

  /**
   * Results of unknown monitors are not judged, but those of an agent of a private location must be of its workspace: the
   * code of a location names another one elsewhere.
   * @returns the results to refuse
   */
  async findRefused(
    agent: Omit<ReportingAgent, 'agentKey'>,
    results: readonly CheckResult[],
  ): Promise<RefusedResult[]> {
    const { location } = agent;
    const place = location?.id ?? agent.region;
    const keysOf = (indexes: readonly number[]) => [...new Set(indexes.map((index) => results[index]!.key.monitorKey))];
    const all = [...results.keys()];
    const own = location && (await this.deps.db.read((tx) => readOwnKeys(tx, location.workspaceId, keysOf(all))));
    const isOwn = (index: number) => !own || own.has(results[index]!.key.monitorKey);
    const foreign = own ? all.filter((index) => !isOwn(index)) : [];
    const irregular = all.filter((index) => isOwn(index) && !this.isRegular(place, results[index]!));
    const refused = this.refuse(agent, 'foreign_monitor', results, foreign);
    if (irregular.length === 0) return refused;
    const schedules = await this.deps.db.read((tx) => readKnownSchedules(tx, keysOf(irregular)));
    const unscheduled = irregular.filter((index) => {
      const { key, scheduledAtMs } = results[index]!;
      const schedule = schedules.get(key.monitorKey);
      if (!schedule) return false;
      this.intervals.set(key.monitorKey, schedule.intervalMs, schedule.createdMs);
      return !decideWasScheduled(schedule, key, place, scheduledAtMs);
    });
    return [...refused, ...this.refuse(agent, 'not_due', results, unscheduled)];
  }

  private isRegular(place: Place, { key, scheduledAtMs }: CheckResult): boolean {
    const intervalMs = this.intervals.intervalAt(key.monitorKey, scheduledAtMs);
    return intervalMs !== undefined && (scheduledAtMs - schedulePhaseMs(key, place, intervalMs)) % intervalMs === 0;
  }

  private refuse(
    { agentId, region }: Omit<ReportingAgent, 'agentKey'>,
    reason: RefusedResult['reason'],
    results: readonly CheckResult[],
    indexes: readonly number[],
  ): RefusedResult[] {
    if (indexes.length === 0) return [];
    const { metrics, logger, clock } = this.deps;
    metrics.refused.inc({ region: regionLabel(region), reason }, indexes.length);
    const nowMs = clock.now();
    if (nowMs - this.warnedMs >= WARN_EVERY_MS) {
      this.warnedMs = nowMs;
      const { key, scheduledAtMs } = results[indexes[0]!]!;
      const first = { ...key, scheduledAt: new Date(scheduledAtMs).toISOString() };
      logger.warn(
        { agentId, region, ...first, results: indexes.length, reason },
        'an agent reports results that it cannot have: they are refused',
      );
    }
    return indexes.map((index) => ({ index, reason }));
  }
}
