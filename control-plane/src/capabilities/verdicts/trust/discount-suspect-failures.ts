import type { CheckResult } from '@watchpost/shared/outcome';
import type { Tx } from '../../../platform/db/database.js';
import type { ResultOfRegion } from '../series/series.js';
import { suspectPeriodStore } from './suspect-period-store.js';

/**
 * Turns the failures of a batch that were scheduled in a suspect period of their region into inconclusive results, however
 * late they arrive. Successes stay as they are, and so do failures that the target itself reported over verified TLS,
 * which nothing on the way can forge.
 */
export async function discountSuspectFailures<Item extends ResultOfRegion>(tx: Tx, items: Item[]): Promise<Item[]> {
  const failures = items.filter(({ result }) => isUnverifiedFailure(result));
  if (failures.length === 0) return items;
  const fromMs = Math.min(...failures.map(({ result }) => result.scheduledAtMs));
  const periods = await suspectPeriodStore.since(tx, fromMs);
  if (periods.length === 0) return items;
  const isSuspect = ({ region, result: { scheduledAtMs } }: Item) =>
    periods.some(
      (period) =>
        period.region === region &&
        scheduledAtMs >= period.onsetMs &&
        (period.endedMs === null || scheduledAtMs < period.endedMs),
    );
  return items.map((item) =>
    isUnverifiedFailure(item.result) && isSuspect(item) ? { ...item, result: asInconclusive(item.result) } : item,
  );
}

function isUnverifiedFailure({ outcome, answer }: CheckResult): boolean {
  return outcome.kind === 'down' && answer !== 'verified';
}

function asInconclusive(result: CheckResult): CheckResult {
  const observed = result.outcome.kind === 'down' ? ` It reported: ${result.outcome.message}` : '';
  const message = `The region was suspect: too many unrelated sites failed there at once.${observed}`;
  return { ...result, outcome: { kind: 'inconclusive', reason: 'agent_no_network', message } };
}
