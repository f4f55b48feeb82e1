import type { Clock } from '@watchpost/shared/clock';
import type { CheckResult } from '@watchpost/shared/outcome';
import type { Region } from '@watchpost/shared/region';
import type { Database } from '../db/database.js';
import { arrangeBatch } from './arrange-batch.js';
import { decideMonitors } from './decide-monitors.js';
import { ingestStore, type StoredBatch } from './ingest-store.js';
import type { Partitions } from './partitions.js';
import type { ResultsMetrics } from './results-metrics.js';

export interface ResultsDeps {
  db: Database;
  clock: Clock;
  metrics: ResultsMetrics;
  partitions: Partitions;
}

const NOTHING_MORE: StoredBatch = { stored: 0, unknown: 0, elsewhere: 0, unsettled: [] };

export interface IngestSummary {
  stored: number;
  /** There already: a replay. */
  repeated: number;
  /** Not kept; the reasons are on `/metrics`. */
  dropped: number;
}

/**
 * Takes in a batch of an agent's results: rows, standings, verdicts and incidents, in one transaction.
 * When it resolves, they are committed; when it rejects, none of it happened and the same batch can be
 * sent again. A batch that is sent again changes nothing.
 */
export async function ingestBatch(
  deps: ResultsDeps,
  agent: { agentId: string; agentKey: number; region: Region },
  results: readonly CheckResult[],
): Promise<IngestSummary> {
  const { region, agentKey } = agent;
  const started = performance.now();
  const nowMs = deps.clock.now();
  const batch = arrangeBatch(results, { nowMs, oldestMs: deps.partitions.oldestMs() });
  const failures = batch.results.flatMap(({ result }) => (result.outcome.kind === 'up' ? [] : [result]));
  const summary = { stored: 0, unknown: 0, elsewhere: 0 };
  if (batch.results.length > 0) {
    await deps.partitions.ensureFor(batch.results.map(({ result }) => result.scheduledAtMs));
    const verdicts = await deps.db.transaction(async (tx) => {
      const context = { now: new Date(nowMs), region, agentKey };
      const advanced = await ingestStore.advance(tx, context, batch.results);
      const isAll = advanced.stored === batch.results.length;
      const rest = isAll ? NOTHING_MORE : await ingestStore.store(tx, context, batch.results);
      Object.assign(summary, rest, { stored: advanced.stored + rest.stored });
      const unsettled = new Set([...advanced.unsettled, ...rest.unsettled]);
      for (let round = 2; round <= batch.rounds; round++) {
        const next = batch.results.filter((arranged) => arranged.round === round);
        for (const key of await ingestStore.applyRound(tx, context, next, round)) unsettled.add(key);
      }
      if (failures.length > 0) await ingestStore.storeFailures(tx, context, failures);
      return decideMonitors(deps, tx, [...unsettled]);
    });
    for (const { from, to } of verdicts) deps.metrics.verdictChanged(from, to);
  }
  if (summary.unknown > 0) batch.dropped.set('unknown_monitor', summary.unknown);
  if (summary.elsewhere > 0) batch.dropped.set('foreign_region', summary.elsewhere);
  const dropped = [...batch.dropped.values()].reduce((sum, count) => sum + count, 0);
  const repeated = results.length - summary.stored - dropped;
  deps.metrics.stored.inc({ region }, summary.stored);
  deps.metrics.repeated.inc({ region }, repeated);
  deps.metrics.countDropped(region, batch.dropped);
  deps.metrics.ingestSeconds.observe((performance.now() - started) / 1000);
  return { stored: summary.stored, repeated, dropped };
}
