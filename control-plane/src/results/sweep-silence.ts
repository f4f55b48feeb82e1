import { reachVerdicts } from './reach-verdicts.js';
import type { ResultsDeps } from './ingest-batch.js';
import { silenceStore } from './silence-store.js';

/** Most series that one transaction marks: its locks are held for well under a second. */
const SWEEP_LIMIT = 2_000;
/** Most transactions of one sweep: what is left comes with the next one, seconds later. */
const SWEEP_ROUNDS = 20;

export interface SweepSummary {
  /** Series that turned stale. */
  stale: number;
  /** Monitors whose verdict was decided again. */
  decided: number;
}

/**
 * Notices silence: series whose next result is overdue turn stale, and their monitors are decided again,
 * as are those whose settings changed or whose time has come. To be called every few seconds by every
 * process; several at once share the work.
 */
export async function sweepSilence(deps: ResultsDeps): Promise<SweepSummary> {
  const started = performance.now();
  const summary = { stale: 0, decided: 0 };
  for (let round = 0; round < SWEEP_ROUNDS; round++) {
    const { stale, due, verdicts } = await deps.db.transaction(async (tx) => {
      const now = new Date(deps.clock.now());
      const marked = await silenceStore.markStale(tx, now, SWEEP_LIMIT);
      const dueKeys = await silenceStore.due(tx, now, SWEEP_LIMIT);
      return { stale: marked, due: dueKeys, verdicts: await reachVerdicts(deps, tx, [...marked, ...dueKeys]) };
    });
    for (const { from, to } of verdicts) deps.metrics.verdictChanged(from, to);
    summary.stale += stale.length;
    summary.decided += new Set([...stale, ...due]).size;
    if (stale.length < SWEEP_LIMIT && due.length < SWEEP_LIMIT) break;
  }
  const { staleByRegion, unknownMonitors } = await deps.db.read((tx) => silenceStore.count(tx));
  deps.metrics.setSilence(staleByRegion, unknownMonitors);
  deps.metrics.sweepSeconds.observe((performance.now() - started) / 1000);
  return summary;
}
