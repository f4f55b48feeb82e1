import type { CheckResult } from '@watchpost/shared/outcome';
import type { BatchJoiner } from './batch-joiner.js';
import type { ReportingAgent } from './ingest-batch.js';
import { type RefusedResult, ScheduledTimes, type ScheduledTimesDeps } from './scheduled-times.js';

export interface ResultSinkDeps extends ScheduledTimesDeps {
  joiner: Pick<BatchJoiner, 'ingest'>;
}

/** Takes the results of agents: refuses those that it cannot have, and ingests the others. */
export class ResultSink {
  private readonly scheduledTimes: ScheduledTimes;

  constructor(private readonly deps: ResultSinkDeps) {
    this.scheduledTimes = new ScheduledTimes({ ...deps, logger: deps.logger.child({ module: 'results' }) });
  }

  /**
   * Resolves when the results are committed. After a rejection the results are ingested again.
   * @param onRest called when only those are missing that wait for rows that others have locked: the next results of the
   * agent need not wait for them
   * @returns the refused results
   */
  async ingest(agent: ReportingAgent, results: CheckResult[], onRest: () => void): Promise<readonly RefusedResult[]> {
    const refused = await this.scheduledTimes.findRefused(agent, results);
    const left = new Set(refused.map(({ index }) => index));
    const accepted = left.size === 0 ? results : results.filter((_, index) => !left.has(index));
    if (accepted.length > 0) await this.deps.joiner.ingest(agent, accepted, onRest);
    return refused;
  }
}
