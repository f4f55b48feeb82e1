import type { CheckResult } from '@watchpost/shared/outcome';
import type { Region } from '@watchpost/shared/region';
import type { ResultSink } from '../../../platform/grpc/index.js';
import { ScheduledTimes, type ScheduledTimesDeps } from './scheduled-times.js';

export interface ResultSinkDeps extends ScheduledTimesDeps {
  /** Commits the results of one agent. Calls `onRest` when only those are missing that wait for rows that others have locked. */
  ingest(
    agent: { agentId: string; agentKey: number; region: Region },
    results: CheckResult[],
    onRest: () => void,
  ): Promise<unknown>;
}

/** Takes the results of agents: refuses those of times at which a check was not scheduled, and ingests the others. */
export function createResultSink(deps: ResultSinkDeps): ResultSink {
  const scheduledTimes = new ScheduledTimes({ ...deps, logger: deps.logger.child({ module: 'results' }) });
  return {
    async ingest({ agentId, agentKey, region }, results, onRest) {
      const refused = new Set(await scheduledTimes.findUnscheduled({ agentId, region }, results));
      const accepted = refused.size === 0 ? results : results.filter((_, index) => !refused.has(index));
      if (accepted.length > 0) await deps.ingest({ agentId, agentKey, region }, accepted, onRest);
      return [...refused].map((index) => ({ index, reason: 'not_due' as const }));
    },
  };
}
