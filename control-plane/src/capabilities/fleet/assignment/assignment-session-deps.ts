import type { Clock } from '@watchpost/shared/clock';
import type { Logger } from 'pino';
import type { FleetMetrics } from '../fleet-metrics.js';
import type { RegionRoster } from '../members/region-roster.js';
import type { BoundedReads } from './bounded-reads.js';
import type { Tick } from './change-ticks.js';
import type { ReadNewestScheduledTimes } from './find-handovers.js';
import type { MonitorCheckSource } from '../../monitors/index.js';

export interface AssignmentSessionDeps {
  /** Identifies the stream among all streams of the agent. */
  sessionId: string;
  reads: BoundedReads;
  /** The history of the database during this session: the session ends with it. */
  databaseHistory: string;
  checks: MonitorCheckSource;
  readNewestScheduledTimes: ReadNewestScheduledTimes;
  clock: Clock;
  logger: Logger;
  metrics: FleetMetrics;
  roster: RegionRoster;
  latestTick(): Tick;
  /** For how long at most an agent keeps checks that move to other agents, ms. */
  handoverMs: number;
}
