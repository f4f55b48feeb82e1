import type { CheckResult } from '@watchpost/shared/outcome';
import type { Region } from '@watchpost/shared/region';
import type { Tx } from '../../../platform/db/database.js';
import { suspectPeriodStore } from './suspect-period-store.js';

/**
 * What of a batch failed while its region was not believed says nothing, however late it comes: it is kept as
 * inconclusive. What succeeded stays as it is, and so does a failure that the target itself reported over verified TLS:
 * nothing on the way can forge it.
 */
export async function discountSuspectFailures<Item extends { result: CheckResult }>(
  tx: Tx,
  region: Region,
  items: Item[],
): Promise<Item[]> {
  const failures = items.filter(({ result }) => isUnverifiedFailure(result));
  if (failures.length === 0) return items;
  const fromMs = Math.min(...failures.map(({ result }) => result.scheduledAtMs));
  const spans = await suspectPeriodStore.spans(tx, region, fromMs);
  if (spans.length === 0) return items;
  const isInSpan = ({ scheduledAtMs }: CheckResult) =>
    spans.some(({ onsetMs, endedMs }) => scheduledAtMs >= onsetMs && (endedMs === null || scheduledAtMs < endedMs));
  return items.map((item) =>
    isUnverifiedFailure(item.result) && isInSpan(item.result) ? { ...item, result: doubted(item.result) } : item,
  );
}

function isUnverifiedFailure({ outcome, answer }: CheckResult): boolean {
  return outcome.kind === 'down' && answer !== 'verified';
}

function doubted(result: CheckResult): CheckResult {
  const said = result.outcome.kind === 'down' ? ` It saw: ${result.outcome.message}` : '';
  const message = `The region could not be believed: too much failed there at once that has nothing to do with each other.${said}`;
  return { ...result, outcome: { kind: 'inconclusive', reason: 'agent_no_network', message } };
}
