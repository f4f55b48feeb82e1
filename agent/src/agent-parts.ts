import type { CheckKind } from '@watchpost/shared/check';
import type { Logger } from 'pino';
import type { ServerClock } from './clock/server-clock.js';
import type { AgentMetrics } from './metrics/agent-metrics.js';
import type { CheckRunner } from './runner/check-runner.js';
import type { IsCompleted } from './schedule/check-timing.js';
import type { OwnFailures } from './references/own-failures.js';
import type { ReferenceWatch } from './references/reference-watch.js';
import type { Paths } from './paths/paths.js';
import type { Scheduler } from './schedule/scheduler.js';
import type { Spool } from './spool/spool.js';
import type { EgressOfPlace } from './sync/place-egress.js';
import type { Assignment } from './sync/assignment.js';
import type { ControlPlaneLink } from './sync/control-plane-link.js';
import type { OnDemandRuns } from './sync/on-demand-runs.js';
import type { CheckOwnership } from './sync/check-ownership.js';

export interface AgentParts {
  /** The name of the credential to which the data folder belongs: see `Identity`. */
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
  /** Null: this machine cannot trace. */
  paths: Paths | null;
  ownFailures: OwnFailures;
  assignment: Assignment;
  isCompleted: IsCompleted;
  link: ControlPlaneLink;
  onDemand: OnDemandRuns;
  ownership: CheckOwnership;
  egress: EgressOfPlace;
  /** Releases port and folder. */
  release(): void;
}
