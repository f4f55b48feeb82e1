import { SECOND_MS } from '@watchpost/shared/time';
import { isLocation, type Region } from '@watchpost/shared/region';
import type { Tx } from '../../../platform/db/database.js';
import { SeriesPass } from './series-pass.js';
import { type RoundDeps, SWEEP_LIMIT, sweepRound } from './sweep-round.js';
import { type MarkedSeries, silenceStore } from './silence-store.js';
import type { RegionSeriesCounts, VerdictMetrics } from '../series/verdict-metrics.js';
import { FailingShares } from '../trust/failing-shares.js';
import { HEARTBEAT_MS, updateSuspectPeriods, type SuspectPeriodDeps } from '../trust/update-suspect-periods.js';
import type { Hold } from './decide-verdict.js';
import { holdStore, type HeldMonitor } from './hold-store.js';
import { reviewHolds } from './release-holds.js';
import { suspectPeriodStore, type OpenSuspectPeriod } from '../trust/suspect-period-store.js';

/** The most transactions of one sweep: the next one continues seconds later. */
const SWEEP_ROUNDS = 20;
/** How often a region whose results are retracted is searched for further ones. */
const RETRACT_EVERY_MS = 10 * SECOND_MS;
/** How often at most monitors are counted for the metrics: with the end of a pass over all series. */
const COUNT_EVERY_MS = 15 * SECOND_MS;

export interface SweepDeps extends SuspectPeriodDeps, RoundDeps {
  verdictMetrics: VerdictMetrics;
  /** Called with the number of all series, and of those that are stale, at the end of each pass over them. */
  onCounted?: (counted: { checks: number; stale: number }) => void;
}

export interface SweepSummary {
  /** Series that turned stale. */
  stale: number;
  /** Monitors whose verdict was decided again. */
  decided: number;
}

interface RegionLook {
  held: HeldMonitor[];
  /** Whether a region is suspect, or has blind agents or failures for which it may become suspect. */
  isQuestionable: boolean;
}

/** What one sweep leaves to the next. A sweep without the memory of others reads all series. */
export class SweepMemory {
  readonly pass = new SeriesPass();
  readonly shares = new FailingShares();
  /** When the suspect periods were searched to the end for results to retract, by their id. */
  readonly retractedMs = new Map<string, number>();
  countedMs = -Infinity;
}

/** The sweeps of a process, which sweeps while it leads. Its first one reads all series. */
export function silenceSweeper(deps: SweepDeps, leads: () => Promise<boolean> = () => Promise.resolve(true)) {
  let memory: SweepMemory | null = null;
  return async (): Promise<void> => {
    if (await leads()) {
      memory ??= new SweepMemory();
      await sweepSilence(deps, memory);
    } else if (memory) {
      memory = null;
      deps.verdictMetrics.forgetSweep();
    }
  };
}

/**
 * Detects silence: series whose next result is overdue become stale, and their monitors are decided again, as are those
 * whose settings changed or whose time to decide has come. One process of all calls it every few seconds; where two do for
 * a short time, they share the work.
 */
export async function sweepSilence(deps: SweepDeps, memory = new SweepMemory()): Promise<SweepSummary> {
  const started = performance.now();
  const summary = { stale: 0, decided: 0 };
  const nowMs = deps.clock.now();
  // Sent without waiting for each other. An error of the one does not stop the other.
  const [look, step] = await deps.db.read((tx) =>
    Promise.allSettled([lookAtRegions(tx, memory, nowMs), memory.pass.step(tx, nowMs)]),
  );
  // First, because the decisions below depend on the suspect regions.
  const { suspectPeriods, reviewed } = await examineRegions(deps, look);
  deps.verdictMetrics.setSuspects(suspectPeriods.map(({ region }) => region));
  if (step.status === 'rejected') throw step.reason;
  const { counts, hasToDecide } = step.value;
  const toRetract = periodsToRetract(memory, suspectPeriods, deps.clock.now());
  // Each call looks at all that is remembered.
  let overdue = memory.pass.overdue(deps.clock.now(), SWEEP_LIMIT);
  let isBusy = hasToDecide || toRetract.size > 0 || overdue.length > 0 || reviewed.size > 0;
  for (let round = 0; isBusy && round < SWEEP_ROUNDS; round++) {
    const { marked, locked, retracted, toDecide, keys, verdicts } = await sweepRound(deps, {
      overdue,
      toRetract,
      reviewed,
    });
    reviewed.clear();
    memory.pass.settle(overdue, locked);
    deps.verdictMetrics.countChanges(verdicts);
    if (counts) countMarked(counts, marked);
    summary.stale += marked.length;
    summary.decided += new Set(keys).size;
    if (retracted.length < SWEEP_LIMIT) {
      for (const { id } of toRetract) memory.retractedMs.set(id, deps.clock.now());
      toRetract.clear();
    }
    isBusy = overdue.length === SWEEP_LIMIT || toRetract.size > 0 || toDecide.length === SWEEP_LIMIT;
    if (isBusy) overdue = memory.pass.overdue(deps.clock.now(), SWEEP_LIMIT);
  }
  if (counts) {
    deps.verdictMetrics.setSeries(counts);
    deps.onCounted?.(sumOf(counts));
    await countMonitors(deps, memory);
  }
  deps.verdictMetrics.sweepSeconds.observe((performance.now() - started) / 1000);
  return summary;
}

function periodsToRetract(
  { retractedMs }: SweepMemory,
  open: readonly OpenSuspectPeriod[],
  nowMs: number,
): Set<OpenSuspectPeriod> {
  for (const id of retractedMs.keys()) if (!open.some((period) => period.id === id)) retractedMs.delete(id);
  return new Set(open.filter(({ id }) => nowMs - (retractedMs.get(id) ?? -Infinity) >= RETRACT_EVERY_MS));
}

function sumOf(counts: ReadonlyMap<Region, RegionSeriesCounts>): { checks: number; stale: number } {
  const sum = { checks: 0, stale: 0 };
  for (const [region, { checks, stale }] of counts) {
    // What a workspace's own agents leave out is not about this service.
    if (isLocation(region)) continue;
    sum.checks += checks;
    sum.stale += stale;
  }
  return sum;
}

/** The series were counted before they were marked. */
function countMarked(counts: Map<Region, RegionSeriesCounts>, marked: readonly MarkedSeries[]): void {
  for (const { region, failing } of marked) {
    const known = counts.get(region);
    if (!known) continue;
    known.stale++;
    if (failing) known.failing--;
  }
}

async function countMonitors(deps: SweepDeps, memory: SweepMemory): Promise<void> {
  const nowMs = deps.clock.now();
  if (nowMs - memory.countedMs < COUNT_EVERY_MS) return;
  memory.countedMs = nowMs;
  deps.verdictMetrics.setMonitors(await deps.db.read((tx) => silenceStore.countMonitors(tx)));
}

/** What is held, and whether regions are to be examined after that. */
async function lookAtRegions(tx: Tx, { shares }: SweepMemory, nowMs: number): Promise<RegionLook> {
  const look = await holdStore.look(tx, nowMs, HEARTBEAT_MS, SWEEP_LIMIT);
  return { held: look.held, isQuestionable: look.isSuspectOrBlind || (await shares.areExamined(tx, look, nowMs)) };
}

/** Where the suspect regions cannot be determined, the sweep continues with those that are known, and ends no hold. */
async function examineRegions(
  deps: SweepDeps,
  look: PromiseSettledResult<RegionLook>,
): Promise<{ suspectPeriods: OpenSuspectPeriod[]; reviewed: Map<number, Hold> }> {
  const { db, clock, verdictMetrics, logger } = deps;
  try {
    if (look.status === 'rejected') throw look.reason;
    const { held, isQuestionable } = look.value;
    verdictMetrics.heldIncidents.set(held.length);
    // Nearly always there is nothing to judge.
    const { open, isFinished } = isQuestionable ? await updateSuspectPeriods(deps) : { open: [], isFinished: true };
    const isReviewing = isFinished && held.length > 0;
    const reviewed = isReviewing ? await db.read((tx) => reviewHolds(tx, held, clock.now())) : new Map<number, Hold>();
    return { suspectPeriods: open, reviewed };
  } catch (error) {
    verdictMetrics.judgementFailures.inc();
    logger?.warn({ err: error }, 'whether regions are suspect could not be decided');
    return { suspectPeriods: await db.read((tx) => suspectPeriodStore.open(tx)), reviewed: new Map() };
  }
}
