import { MINUTE_MS } from '@watchpost/shared/time';
import { isLockConflict, isOfAPart } from '../../../platform/db/database-error.js';
import type { Database, Tx } from '../../../platform/db/database.js';
import { workByHalves } from '../../../platform/db/work-by-halves.js';
import { groupBy } from '@watchpost/shared/group-by';
import type { ApplyDeps } from '../../incidents/index.js';
import { ownersOf } from '../series/owners-of.js';
import { suspectPeriodStore, type OpenSuspectPeriod } from '../trust/suspect-period-store.js';
import type { Hold } from './decide-verdict.js';
import { reachVerdicts, type VerdictChange } from './reach-verdicts.js';
import { type AwaitedSeries, type MarkedSeries, silenceStore } from './silence-store.js';

/** The most series that one transaction marks, so that its locks are held for well under a second. */
export const SWEEP_LIMIT = 2_000;
/** Rows that others have locked hold up a sweep no longer than this, ms; and a part of it, when it is divided. */
const LOCK_MS = { all: 1_000, part: 100 };
/** How long a verdict waits that could not be stored. */
const POSTPONE_MS = MINUTE_MS;

export interface RoundDeps extends ApplyDeps {
  db: Database;
}

/** What one transaction of a sweep looks at. */
interface Round {
  overdue: readonly AwaitedSeries[];
  toRetract: Iterable<OpenSuspectPeriod>;
  reviewed: ReadonlyMap<number, Hold>;
}

interface RoundDone {
  marked: MarkedSeries[];
  /** To be marked by the next sweep. */
  locked: AwaitedSeries[];
  retracted: number[];
  toDecide: number[];
  keys: number[];
  verdicts: VerdictChange[];
}

/**
 * Does a round in one transaction. Where that fails because of the verdicts of some monitors, or their rows are locked, it is
 * done by halves between the owners: neither holds up the others. A verdict that cannot be stored is tried again a minute later.
 */
export async function sweepRound(deps: RoundDeps, round: Round): Promise<RoundDone> {
  const found: number[] = [];
  try {
    return await deps.db.transaction((tx) => decideTogether(deps, tx, round, found), { lockTimeoutMs: LOCK_MS.all });
  } catch (error) {
    if (!isOfAPart(error)) throw error;
  }
  const done: RoundDone = { marked: [], locked: [], retracted: [], toDecide: [], keys: [], verdicts: [] };
  done.retracted = await deps.db.transaction((tx) => retractAll(tx, round.toRetract));
  const overdueOf = groupBy(round.overdue, ({ monitorKey }) => monitorKey);
  const keys = [...new Set([...overdueOf.keys(), ...done.retracted, ...round.reviewed.keys(), ...found])];
  const owners = await deps.db.read((tx) => ownersOf(tx, keys));
  const failed = await workByHalves(
    keys,
    (key) => owners.get(key) ?? '',
    async (some) => {
      const { marked, locked, verdicts } = await deps.db.transaction(
        async (tx) => {
          const overdue = some.flatMap((key) => overdueOf.get(key) ?? []);
          const stale = await silenceStore.markStale(tx, new Date(deps.clock.now()), overdue);
          return { ...stale, verdicts: await reachVerdicts(deps, tx, some, round.reviewed) };
        },
        { lockTimeoutMs: LOCK_MS.part },
      );
      done.marked.push(...marked);
      done.locked.push(...locked);
      done.verdicts.push(...verdicts);
      done.keys.push(...some);
    },
  );
  for (const { items, error } of failed) {
    done.locked.push(...items.flatMap((key) => overdueOf.get(key) ?? []));
    // Those beside a locked one are due as before.
    if (!isLockConflict(error))
      await deps.db.transaction((tx) => silenceStore.postpone(tx, new Date(deps.clock.now() + POSTPONE_MS), items));
    // Anybody can cause it: one line, without a stack.
    deps.logger?.warn(
      { monitors: items.length, monitorKey: items[0], reason: String(error).slice(0, 300) },
      'verdicts could not be decided; they are tried again',
    );
  }
  return done;
}

async function decideTogether(
  deps: RoundDeps,
  tx: Tx,
  { overdue, toRetract, reviewed }: Round,
  found: number[],
): Promise<RoundDone> {
  const now = new Date(deps.clock.now());
  const { marked, locked } = await silenceStore.markStale(tx, now, overdue);
  const retracted = await retractAll(tx, toRetract);
  const toDecide = await silenceStore.toDecide(tx, now, SWEEP_LIMIT);
  found.push(...toDecide);
  const keys = [...marked.map(({ monitorKey }) => monitorKey), ...retracted, ...toDecide, ...reviewed.keys()];
  return { marked, locked, retracted, toDecide, keys, verdicts: await reachVerdicts(deps, tx, keys, reviewed) };
}

/** @returns the monitors whose results are retracted */
async function retractAll(tx: Tx, periods: Iterable<OpenSuspectPeriod>): Promise<number[]> {
  const retracted: number[] = [];
  for (const period of periods)
    retracted.push(...(await suspectPeriodStore.retract(tx, period, SWEEP_LIMIT - retracted.length)));
  return retracted;
}
