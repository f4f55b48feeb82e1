import { reachVerdicts } from './reach-verdicts.js';
import { silenceStore } from './silence-store.js';
import type { ResultsMetrics } from '../series/results-metrics.js';
import { updateSuspectPeriods, type SuspectPeriodDeps } from '../trust/update-suspect-periods.js';
import { suspectPeriodStore, type OpenSuspectPeriod } from '../trust/suspect-period-store.js';

/** Most series that one transaction marks: its locks are held for well under a second. */
const SWEEP_LIMIT = 2_000;
/** Most transactions of one sweep: what is left comes with the next one, seconds later. */
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
 * Notices silence: series whose next result is overdue turn stale, and their monitors are decided again,
 * as are those whose settings changed or whose time has come. To be called every few seconds by every
 * process; several at once share the work. Which regions are to be believed is looked at first.
 */
export async function sweepSilence(deps: SweepDeps): Promise<SweepSummary> {
  const started = performance.now();
  const summary = { stale: 0, decided: 0 };
  // First, so that whatever is decided below knows which regions are believed.
  const suspicions = await judgeRegions(deps);
  deps.metrics.setSuspects(suspicions.map(({ region }) => region));
  for (let round = 0; round < SWEEP_ROUNDS; round++) {
    const { stale, takenBack, due, verdicts } = await deps.db.transaction(async (tx) => {
      const now = new Date(deps.clock.now());
      const marked = await silenceStore.markStale(tx, now, SWEEP_LIMIT);
      const doubted: number[] = [];
      for (const suspicion of suspicions)
        doubted.push(...(await suspectPeriodStore.retract(tx, suspicion, SWEEP_LIMIT - doubted.length)));
      const dueKeys = await silenceStore.due(tx, now, SWEEP_LIMIT);
      const keys = [...marked, ...doubted, ...dueKeys];
      return { stale: marked, takenBack: doubted, due: dueKeys, verdicts: await reachVerdicts(deps, tx, keys) };
    });
    for (const { from, to } of verdicts) deps.metrics.verdictChanged(from, to);
    summary.stale += stale.length;
    summary.decided += new Set([...stale, ...takenBack, ...due]).size;
    if (stale.length < SWEEP_LIMIT && takenBack.length < SWEEP_LIMIT && due.length < SWEEP_LIMIT) break;
  }
  deps.metrics.setSeries(await deps.db.read((tx) => silenceStore.count(tx, new Date(deps.clock.now()))));
  deps.metrics.sweepSeconds.observe((performance.now() - started) / 1000);
  return summary;
}

/** That it cannot be told anew which regions are believed must not stop the search for silence: what is known holds. */
async function judgeRegions(deps: SweepDeps): Promise<OpenSuspectPeriod[]> {
  try {
    return await updateSuspectPeriods(deps);
  } catch (error) {
    deps.metrics.judgementFailures.inc();
    deps.onJudgementError?.(error);
    return deps.db.read((tx) => suspectPeriodStore.open(tx));
  }
}
