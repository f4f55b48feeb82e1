import type { Clock } from '@watchpost/shared/clock';
import type { Logger } from 'pino';
import type { Database } from '../../../platform/db/database.js';
import type { Tick } from './change-ticks.js';
import type { NewestDue } from './find-handovers.js';
import type { FleetMetrics } from '../fleet-metrics.js';
import type { MonitorCheckSource } from './monitor-checks.js';
import type { RegionRoster } from '../members/region-roster.js';
import type { SharedWalks } from './shared-walks.js';

export interface AssignmentSessionDeps {
  /** Of this stream, unlike any other of the agent. */
  sessionId: string;
  db: Database;
  checks: MonitorCheckSource;
  walks: SharedWalks;
  newestDue: NewestDue;
  clock: Clock;
  logger: Logger;
  metrics: FleetMetrics;
  roster: RegionRoster;
  latestTick(): Tick;
  /** Longest that an agent keeps what moves to others while they take it over, ms. */
  handOverMs: number;
}
