import type { Clock } from '@watchpost/shared/clock';
import { newId } from '@watchpost/shared/id';
import type { Region } from '@watchpost/shared/region';
import type { Logger } from 'pino';
import type { Database, Tx } from '../../../platform/db/database.js';
import {
  CALM_MS,
  decideCalm,
  decideCorrelatedFailures,
  type CorrelatedFailures,
  type SiteObservation,
} from './decide-correlated-failures.js';
import { failingSeriesStore } from './failing-series-store.js';
import { findLookAlikes } from './find-look-alikes.js';
import { operatorNoticeStore, type OperatorNotice } from './operator-notice-store.js';
import { regionHealthStore } from './region-health-store.js';
import { suspectPeriodStore, type OpenSuspectPeriod } from './suspect-period-store.js';

export interface SuspectPeriodDeps {
  db: Database;
  clock: Clock;
  logger?: Logger;
}

/** How long a heartbeat of an agent counts: several intervals. */
export const HEARTBEAT_MS = 20_000;
/** How long agents must report that they see again, which they do only after a second look. */
const SEEING_MS = 10_000;
/** A period ends after this time if its region has no checks any more. */
const ABANDONED_MS = 30 * 60_000;
/**
 * How long to wait for another process, which normally takes milliseconds. Without waiting, a verdict could open an
 * incident on failures that are about to be suspect; a process that hangs must not stop the others.
 */
const PATIENCE_MS = 3_000;

export interface RegionExamination {
  /** All open periods, including those that other processes have begun. */
  open: OpenSuspectPeriod[];
  /** Whether this call has examined the regions. False where another process did so for too long. */
  isFinished: boolean;
}

/**
 * Begins and ends suspect periods, each with a notice to the operators. One process at a time does it; others that call
 * it meanwhile wait for its result.
 */
export async function updateSuspectPeriods(deps: SuspectPeriodDeps): Promise<RegionExamination> {
  const { notices, open, isFinished } = await deps.db.transaction(async (tx) => {
    const isOurs = await suspectPeriodStore.take(tx, PATIENCE_MS);
    // Read under the lock: the process that held it before has committed.
    const before = await suspectPeriodStore.open(tx);
    if (!isOurs) return { notices: [], open: before, isFinished: false };
    const nowMs = deps.clock.now();
    const blind = await blindRegions(tx, nowMs);
    const written: OperatorNotice[] = [];
    for (const period of before) {
      const notice = await review(tx, period, blind, nowMs);
      if (notice) written.push(notice);
    }
    const known = new Set(before.map(({ region }) => region));
    for (const region of blind) if (!known.has(region)) written.push(await begin(tx, region, null, nowMs));
    for (const region of await failingSeriesStore.failingRegions(tx, nowMs)) {
      if (known.has(region) || blind.has(region)) continue;
      const failures = decideCorrelatedFailures(await observedSites(tx, region, nowMs), nowMs);
      if (failures) written.push(await begin(tx, region, failures, nowMs));
    }
    return { notices: written, open: await suspectPeriodStore.open(tx), isFinished: true };
  });
  for (const { kind, region, message, detail } of notices)
    deps.logger?.[kind === 'region_suspect' ? 'warn' : 'info']({ notice: kind, region, ...detail }, message);
  return { open, isFinished };
}

async function blindRegions(tx: Tx, nowMs: number): Promise<Set<Region>> {
  const visibility = await regionHealthStore.agentVisibility(tx, new Date(nowMs - HEARTBEAT_MS));
  return new Set(visibility.filter(({ blind, agents }) => blind === agents).map(({ region }) => region));
}

/** An answer of a site's own shows that the region reaches the site; one that unrelated sites give too does not. */
async function observedSites(tx: Tx, region: Region, nowMs: number): Promise<SiteObservation[]> {
  const alike = await findLookAlikes(tx, [region], nowMs);
  return regionHealthStore.sites(tx, region, alike.get(region)!, nowMs);
}

async function begin(
  tx: Tx,
  region: Region,
  failures: CorrelatedFailures | null,
  nowMs: number,
): Promise<OperatorNotice> {
  const period = {
    id: newId(nowMs),
    region,
    reason: failures ? ('correlated_failures' as const) : ('blind_agents' as const),
    onsetMs: failures?.onsetMs ?? nowMs,
    noticedMs: nowMs,
    facts: { ...failures },
  };
  await suspectPeriodStore.begin(tx, period);
  const since = new Date(period.onsetMs).toISOString();
  return addNotice(tx, 'region_suspect', region, nowMs, {
    message: failures
      ? `Failures in the region ${region} do not count since ${since}: ${failures.failingSites} sites without a common owner, domain or network began to fail together${failures.upElsewhere > 0 ? `, and ${failures.upElsewhere} of them are up elsewhere` : ''}. They open no incident until the region reaches its targets again: check the network of its agents.`
      : `Failures in the region ${region} do not count since ${since}: its agents report that they have lost their network.`,
    detail: { reason: period.reason, onset: since, ...failures },
  });
}

async function review(
  tx: Tx,
  period: OpenSuspectPeriod,
  blind: ReadonlySet<Region>,
  nowMs: number,
): Promise<OperatorNotice | undefined> {
  const { id, region, reason, onsetMs, noticedMs, calmSinceMs } = period;
  const isCalm =
    !blind.has(region) &&
    (reason === 'blind_agents'
      ? (await regionHealthStore.agentVisibility(tx, new Date(nowMs - HEARTBEAT_MS))).some(
          (agents) => agents.region === region,
        )
      : decideCalm(await observedSites(tx, region, nowMs), onsetMs, nowMs));
  const isAbandoned = nowMs - noticedMs > ABANDONED_MS && !(await regionHealthStore.isChecked(tx, region));
  if (!isAbandoned) {
    if (isCalm !== (calmSinceMs !== null)) await suspectPeriodStore.calm(tx, id, isCalm ? nowMs : null);
    const calmMs = reason === 'blind_agents' ? SEEING_MS : CALM_MS;
    if (!isCalm || calmSinceMs === null || nowMs - calmSinceMs < calmMs) return undefined;
  }
  await suspectPeriodStore.end(tx, id, new Date(nowMs));
  const minutes = Math.max(1, Math.round((nowMs - onsetMs) / 60_000));
  return addNotice(tx, 'region_trusted', region, nowMs, {
    message: isAbandoned
      ? `The region ${region} was suspect for ${minutes} min, and has no checks any more.`
      : `Failures in the region ${region} count again, after ${minutes} min: its agents reach their targets.`,
    detail: { reason, onset: new Date(onsetMs).toISOString() },
  });
}

async function addNotice(
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
