import type { Clock } from '@watchpost/shared/clock';
import { newId } from '@watchpost/shared/id';
import type { Region } from '@watchpost/shared/region';
import type { Database, Tx } from '../../../platform/db/database.js';
import {
  CALM_MS,
  decideCalm,
  decideCorrelatedFailures,
  type CorrelatedFailures,
} from './decide-correlated-failures.js';
import { operatorNoticeStore, type OperatorNotice } from './operator-notice-store.js';
import { suspectPeriodStore, type OpenSuspectPeriod } from './suspect-period-store.js';

export interface SuspectPeriodDeps {
  db: Database;
  clock: Clock;
  /** Told once a notice, in the process that wrote it and after the commit. */
  onNotice?: (notice: OperatorNotice) => void;
}

/** What an agent said of itself holds for so long: several heartbeats. */
const HEARD_MS = 20_000;
/** Agents look again before they say that they see; so long they must keep saying it. */
const SEEING_MS = 10_000;
/** A suspicion about a region from which nothing comes any more, and about which nobody is told anything new. */
const ABANDONED_MS = 30 * 60_000;
/** A look takes milliseconds. Deciding without waiting for it could open what it is about to doubt; a process that stands still must not stop the others. */
const PATIENCE_MS = 3_000;

/**
 * Looks whether regions are to be believed, and writes down what changed, with a notice to the operators. Of
 * several processes that look at the same time one does, and the others wait for what it finds.
 * @returns the suspicions that are open, whoever found them
 */
export async function updateSuspectPeriods(deps: SuspectPeriodDeps): Promise<OpenSuspectPeriod[]> {
  const { notices, open } = await deps.db.transaction(async (tx) => {
    const isOurs = await suspectPeriodStore.take(tx, PATIENCE_MS);
    // Read after that: whoever looked last has committed what it wrote.
    const before = await suspectPeriodStore.open(tx);
    if (!isOurs) return { notices: [], open: before };
    const nowMs = deps.clock.now();
    const blind = await blindRegions(tx, nowMs);
    const written: OperatorNotice[] = [];
    for (const suspicion of before) {
      const notice = await ease(tx, suspicion, blind, nowMs);
      if (notice) written.push(notice);
    }
    const known = new Set(before.map(({ region }) => region));
    for (const region of blind) if (!known.has(region)) written.push(await begin(tx, region, null, nowMs));
    for (const region of await suspectPeriodStore.failingRegions(tx, nowMs)) {
      if (known.has(region) || blind.has(region)) continue;
      const suspicion = decideCorrelatedFailures(await suspectPeriodStore.sites(tx, region, nowMs), nowMs);
      if (suspicion) written.push(await begin(tx, region, suspicion, nowMs));
    }
    return { notices: written, open: await suspectPeriodStore.open(tx) };
  });
  for (const notice of notices) deps.onNotice?.(notice);
  return open;
}

/** Regions of which every agent that is heard of says that it has lost its network. */
async function blindRegions(tx: Tx, nowMs: number): Promise<Set<Region>> {
  const sights = await suspectPeriodStore.sights(tx, new Date(nowMs - HEARD_MS));
  return new Set(sights.filter(({ blind, agents }) => blind === agents).map(({ region }) => region));
}

async function begin(tx: Tx, region: Region, seen: CorrelatedFailures | null, nowMs: number): Promise<OperatorNotice> {
  const suspicion = {
    id: newId(nowMs),
    region,
    reason: seen ? ('correlated_failures' as const) : ('blind_agents' as const),
    onsetMs: seen?.onsetMs ?? nowMs,
    noticedMs: nowMs,
    facts: { ...seen },
  };
  await suspectPeriodStore.begin(tx, suspicion);
  const since = new Date(suspicion.onsetMs).toISOString();
  return tell(tx, 'region_suspect', region, nowMs, {
    message: seen
      ? `What fails in the region ${region} is not believed since ${since}: ${seen.failingSites} sites without a common owner, domain or network began to fail together${seen.upElsewhere > 0 ? `, and ${seen.upElsewhere} of them are up elsewhere` : ''}. Its failures open no incident until it sees well again: check the network of its agents.`
      : `What fails in the region ${region} is not believed since ${since}: its agents say that they have lost their network.`,
    detail: { reason: suspicion.reason, onset: since, ...seen },
  });
}

async function ease(
  tx: Tx,
  suspicion: OpenSuspectPeriod,
  blind: ReadonlySet<Region>,
  nowMs: number,
): Promise<OperatorNotice | undefined> {
  const { id, region, reason, onsetMs, noticedMs, calmSinceMs } = suspicion;
  const isCalm =
    !blind.has(region) &&
    (reason === 'blind_agents'
      ? (await suspectPeriodStore.sights(tx, new Date(nowMs - HEARD_MS))).some((sight) => sight.region === region)
      : decideCalm(await suspectPeriodStore.sites(tx, region, nowMs), onsetMs, nowMs));
  const isAbandoned = nowMs - noticedMs > ABANDONED_MS && !(await suspectPeriodStore.isChecked(tx, region));
  if (!isAbandoned) {
    if (isCalm !== (calmSinceMs !== null)) await suspectPeriodStore.calm(tx, id, isCalm ? nowMs : null);
    const calmMs = reason === 'blind_agents' ? SEEING_MS : CALM_MS;
    if (!isCalm || calmSinceMs === null || nowMs - calmSinceMs < calmMs) return undefined;
  }
  await suspectPeriodStore.end(tx, id, new Date(nowMs));
  const minutes = Math.max(1, Math.round((nowMs - onsetMs) / 60_000));
  return tell(tx, 'region_trusted', region, nowMs, {
    message: isAbandoned
      ? `Nothing is checked in the region ${region} any more, which was not believed for ${minutes} min.`
      : `The region ${region} is believed again, after ${minutes} min: its agents see again.`,
    detail: { reason, onset: new Date(onsetMs).toISOString() },
  });
}

async function tell(
  tx: Tx,
  kind: OperatorNotice['kind'],
  region: Region,
  nowMs: number,
  text: Pick<OperatorNotice, 'message' | 'detail'>,
): Promise<OperatorNotice> {
  const notice = { id: newId(nowMs), created: new Date(nowMs), kind, region, ...text };
  await operatorNoticeStore.add(tx, notice);
  return notice;
}
