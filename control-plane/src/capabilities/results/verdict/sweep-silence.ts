import { reachVerdicts } from './reach-verdicts.js';
import { silenceStore } from './silence-store.js';
import type { ResultsMetrics } from '../series/results-metrics.js';
import { updateSuspectPeriods, type SuspectPeriodDeps } from '../trust/update-suspect-periods.js';
import { suspectPeriodStore, type OpenSuspectPeriod } from '../trust/suspect-period-store.js';

/** The most series that one transaction marks, so that its locks are held for well under a second. */
const SWEEP_LIMIT = 2_000;
/** The most transactions of one sweep: the next one continues seconds later. */
const SWEEP_ROUNDS = 20;

export interface SweepDeps extends SuspectPeriodDeps {
  metrics: ResultsMetrics;
  /** Called with the error where the suspect regions could not be determined. */
  onJudgementError?: (error: unknown) => void;
}

export interface SweepSummary {
  /** Series that turned stale. */
  stale: number;
  /** Monitors whose verdict was decided again. */
  decided: number;
}

/**
 * Detects silence: series whose next result is overdue become stale, and their monitors are decided again, as are those
 * whose settings changed or whose time to decide has come. Every process calls it every few seconds; calls at the same
 * time share the work.
 */
export async function sweepSilence(deps: SweepDeps): Promise<SweepSummary> {
  const started = performance.now();
  const summary = { stale: 0, decided: 0 };
  // First, because the decisions below depend on the suspect regions.
  const suspectPeriods = await currentSuspectPeriods(deps);
  deps.metrics.setSuspects(suspectPeriods.map(({ region }) => region));
  for (let round = 0; round < SWEEP_ROUNDS; round++) {
    const { stale, retracted, toDecide, verdicts } = await deps.db.transaction(async (tx) => {
      const now = new Date(deps.clock.now());
      const marked = await silenceStore.markStale(tx, now, SWEEP_LIMIT);
      const retracted: number[] = [];
      for (const period of suspectPeriods)
        retracted.push(...(await suspectPeriodStore.retract(tx, period, SWEEP_LIMIT - retracted.length)));
      const toDecide = await silenceStore.toDecide(tx, now, SWEEP_LIMIT);
      const verdicts = await reachVerdicts(deps, tx, [...marked, ...retracted, ...toDecide]);
      return { stale: marked, retracted, toDecide, verdicts };
    });
    for (const { from, to } of verdicts) deps.metrics.verdictChanged(from, to);
    summary.stale += stale.length;
    summary.decided += new Set([...stale, ...retracted, ...toDecide]).size;
    if (stale.length < SWEEP_LIMIT && retracted.length < SWEEP_LIMIT && toDecide.length < SWEEP_LIMIT) break;
  }
  deps.metrics.setSeries(await deps.db.read((tx) => silenceStore.count(tx, new Date(deps.clock.now()))));
  deps.metrics.sweepSeconds.observe((performance.now() - started) / 1000);
  return summary;
}

/** Where the suspect regions cannot be determined, the sweep continues with those that are known. */
async function currentSuspectPeriods(deps: SweepDeps): Promise<OpenSuspectPeriod[]> {
  try {
    return await updateSuspectPeriods(deps);
  } catch (error) {
    deps.metrics.judgementFailures.inc();
    deps.onJudgementError?.(error);
    return deps.db.read((tx) => suspectPeriodStore.open(tx));
  }
}
