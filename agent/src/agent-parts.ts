import type { CheckKind } from '@watchpost/shared/check';
import type { Logger } from 'pino';
import type { ServerClock } from './clock/server-clock.js';
import type { AgentMetrics } from './metrics.js';
import type { CheckRunner } from './runner/check-runner.js';
import type { IsDone } from './schedule/check-timing.js';
import type { OwnFailures } from './references/own-failures.js';
import type { ReferenceWatch } from './references/reference-watch.js';
import type { Scheduler } from './schedule/scheduler.js';
import type { StartLag } from './schedule/start-lag.js';
import type { Spool } from './spool/spool.js';
import type { Assignment } from './sync/assignment.js';
import type { ControlPlaneLink } from './sync/control-plane-link.js';
import type { OnDemandRuns } from './sync/on-demand-runs.js';
import type { WhoseChecks } from './sync/whose-checks.js';

/** What an agent is made of. */
export interface AgentParts {
  /** Whose the data folder is: see `Identity`. */
  credential: string;
  identityPath: string;
  capabilities: readonly CheckKind[];
  logger: Logger;
  clock: ServerClock;
  metrics: AgentMetrics;
  spool: Spool;
  scheduler: Scheduler;
  runner: CheckRunner;
  references: ReferenceWatch;
  ownFailures: OwnFailures;
  assignment: Assignment;
  startLag: StartLag;
  isDone: IsDone;
  link: ControlPlaneLink;
  onDemand: OnDemandRuns;
  whoseChecks: WhoseChecks;
  /** Gives back port and folder. */
  release(): void;
}
