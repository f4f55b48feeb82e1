import type { CheckResult } from '@watchpost/shared/outcome';
import type { Region } from '@watchpost/shared/region';
import type { Tx } from '../../../platform/db/database.js';
import type { ArrangedBatch } from '../ingest/arrange-batch.js';
import { suspectsStore } from './suspect-period-store.js';

/**
 * What of a batch failed while its region was not believed says nothing, however late it comes: it is kept as
 * inconclusive. What succeeded stays as it is, and so does a failure that the target itself reported over verified TLS:
 * nothing on the way can forge it.
 */
export async function suspectFailures(tx: Tx, region: Region, batch: ArrangedBatch): Promise<ArrangedBatch> {
  const failures = batch.results.filter(({ result }) => isDoubtful(result));
  if (failures.length === 0) return batch;
  const fromMs = Math.min(...failures.map(({ result }) => result.scheduledAtMs));
  const spans = await suspectsStore.spans(tx, region, fromMs);
  if (spans.length === 0) return batch;
  const isInSpan = ({ scheduledAtMs }: CheckResult) =>
    spans.some(({ onsetMs, endedMs }) => scheduledAtMs >= onsetMs && (endedMs === null || scheduledAtMs < endedMs));
  const results = batch.results.map((arranged) =>
    isDoubtful(arranged.result) && isInSpan(arranged.result)
      ? { ...arranged, result: doubted(arranged.result) }
      : arranged,
  );
  return { ...batch, results };
}

function isDoubtful({ outcome, answer }: CheckResult): boolean {
  return outcome.kind === 'down' && answer !== 'verified';
}

function doubted(result: CheckResult): CheckResult {
  const said = result.outcome.kind === 'down' ? ` It saw: ${result.outcome.message}` : '';
  const message = `The region could not be believed: too much failed there at once that has nothing to do with each other.${said}`;
  return { ...result, outcome: { kind: 'inconclusive', reason: 'agent_no_network', message } };
}
