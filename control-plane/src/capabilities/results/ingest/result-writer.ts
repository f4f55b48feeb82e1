import type { CheckResult } from '@watchpost/shared/outcome';
import type { Logger } from 'pino';
import { isLockConflict, isOfAPart } from '../../../platform/db/database-error.js';
import { ownersOf } from '../../verdicts/index.js';
import { ingestJoined, type ReportedResults, type ReportingAgent, type ResultsDeps } from './ingest-batch.js';

/** Stores joined batches, and knows why one failed. */
export class ResultWriter {
  /** Whether the same transaction could succeed without a part of its results. */
  readonly isOfAPart: (error: unknown) => boolean = isOfAPart;
  /** Whether it failed only because others have locked rows that it needs. */
  readonly isLockConflict: (error: unknown) => boolean = isLockConflict;
  readonly clock;

  constructor(private readonly deps: ResultsDeps & { logger: Logger }) {
    this.clock = deps.clock;
  }

  /** Commits the results of agents in one transaction. */
  ingest(parts: readonly ReportedResults[], lockTimeoutMs?: number): Promise<unknown> {
    return ingestJoined(this.deps, parts, lockTimeoutMs);
  }

  /** The owners of monitors, by monitor key; an unknown monitor has none. */
  ownersOf(monitorKeys: readonly number[]): Promise<ReadonlyMap<number, string>> {
    return this.deps.db.read((tx) => ownersOf(tx, monitorKeys));
  }

  /** A result cannot be stored, whatever else is: it is dropped. */
  onUnstorable(error: unknown, { region }: ReportingAgent, { key: { monitorKey, kind } }: CheckResult): void {
    this.deps.metrics.dropped.inc({ region, reason: 'unstorable' });
    // Anybody can cause it: one line, without a stack.
    const reason = String(error).slice(0, 300);
    this.deps.logger.warn({ monitorKey, kind, reason }, 'a result could not be stored');
  }
}
