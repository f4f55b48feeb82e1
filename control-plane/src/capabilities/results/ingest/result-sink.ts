import type { CheckResult } from '@watchpost/shared/outcome';
import type { BatchJoiner } from './batch-joiner.js';
import type { ReportingAgent } from './ingest-batch.js';
import { ScheduledTimes, type ScheduledTimesDeps } from './scheduled-times.js';

export interface ResultSinkDeps extends ScheduledTimesDeps {
  joiner: Pick<BatchJoiner, 'ingest'>;
}

/** A result that is acknowledged but not kept. */
export interface RefusedResult {
  /** Its position among the ingested results. */
  index: number;
  /** As in the wire contract. */
  reason: 'not_due';
}

/** Takes the results of agents: refuses those of times at which a check was not scheduled, and ingests the others. */
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
    const refused = new Set(await this.scheduledTimes.findUnscheduled(agent, results));
    const accepted = refused.size === 0 ? results : results.filter((_, index) => !refused.has(index));
    if (accepted.length > 0) await this.deps.joiner.ingest(agent, accepted, onRest);
    return [...refused].map((index) => ({ index, reason: 'not_due' as const }));
  }
}
