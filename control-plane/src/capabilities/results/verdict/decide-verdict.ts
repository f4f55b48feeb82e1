import type { Region } from '@watchpost/shared/region';
import type { CurrentIncident, IncidentType } from '../../incidents/index.js';
import { decideIncidentTrack, type IncidentStep, type Trouble } from '../outage/decide-incident-track.js';
import { decideOutage, type OutageMemory } from '../outage/decide-outage.js';
import {
  decideRegionVotes,
  decideReportedVerdict,
  regionsVoting,
  type RegionVote,
} from '../outage/decide-region-votes.js';
import type { LatencyDecision } from '../warnings/decide-latency.js';
import {
  decideWarnings,
  type WarningsDecision,
  type WarningsMemory,
  type WarningsSettings,
} from '../warnings/decide-warnings.js';
import { AVAILABILITY_KINDS, type HealthStatus, type Series, type Verdict } from '../series/series.js';

/** The state between decisions, stored as JSON; empty at first and while nothing is checked. */
export interface VerdictMemory extends WarningsMemory {
  outage?: OutageMemory;
  /** Since when the opening of an incident is held, see `isUnconfirmed`. */
  heldSinceMs?: number;
}

export interface VerdictState {
  verdict: Verdict;
  verdictSinceMs: number;
  /** Null exactly while the verdict is `unknown`, which never appears as healthy. */
  healthStatus: HealthStatus | null;
  memory: VerdictMemory;
}

export interface VerdictSettings extends WarningsSettings {
  /** False for paused, disabled and deleted monitors: their verdict is `unknown`, and they have no incident. */
  isEnabled: boolean;
  /** Regions with enough owners for failures to correlate there, which may become suspect a moment later. */
  watched: ReadonlySet<Region>;
}

export interface VerdictDecision {
  state: VerdictState;
  steps: { incidentType: IncidentType; step: IncidentStep }[];
  /** When to decide again even if nothing happens; null: never. */
  decideAtMs: number | null;
  /** Null where latency is not monitored. */
  latency: LatencyDecision | null;
}

const LOOK_AGAIN_MS = 30_000;
/** How long the first failure of a single region is held before it opens an incident: by then other failures there are known. */
export const HOLD_MS = 10_000;

/**
 * The verdict on a monitor, and its consequences for incidents. Pure: the same state, series and moment yield the same
 * decision, and deciding again changes nothing.
 */
export function decideVerdict(
  before: VerdictState,
  series: readonly Series[],
  settings: VerdictSettings,
  incidents: readonly CurrentIncident[],
  nowMs: number,
): VerdictDecision {
  if (!settings.isEnabled)
    return { state: stateOf(before, 'unknown', {}, nowMs, false), steps: [], decideAtMs: null, latency: null };
  const own = series.filter(({ kind }) => AVAILABILITY_KINDS.has(kind));
  const votes = decideRegionVotes(settings.regions, own, { nowMs, ...settings });

  const track = before.memory.tracks?.Availability ?? {};
  const ongoing = track.sinceMs === undefined ? null : (before.memory.outage ?? null);
  const outage = decideOutage(votes, settings.quorum, ongoing);
  const heldSinceMs =
    outage.signal === 'failing' && track.sinceMs === undefined && isUnconfirmed(votes, own, settings)
      ? (before.memory.heldSinceMs ?? nowMs)
      : null;
  const isHeld = heldSinceMs !== null && nowMs < heldSinceMs + HOLD_MS;
  const healthy = regionsVoting(votes, 'healthy');
  const trouble: Trouble = {
    // A monitor without an availability type has a verdict, and no incident of that type.
    signal: watchesAvailability(settings) ? (isHeld ? 'unclear' : outage.signal) : 'fine',
    regions: outage.memory.members,
    healthy,
    severity: healthy.length > 0 ? 'partial' : 'down',
    messageOf: (region) => own.find((one) => one.region === region && one.failing)?.lastMessage ?? null,
  };
  const newest = incidents.find(({ incidentType }) => incidentType === 'Availability') ?? null;
  const decided = decideIncidentTrack(track, trouble, newest, { autoClose: settings.autoClose, nowMs });

  const warnings = decideWarnings(before.memory, series, settings, incidents, nowMs);
  const verdict = hasReachability(settings) ? decideReportedVerdict(votes) : decideOwnVerdict(warnings);

  const memory: VerdictMemory = { ...before.memory, tracks: { Availability: decided.memory, ...warnings.tracks } };
  delete memory.outage;
  delete memory.outages;
  if (Object.keys(warnings.outages).length > 0) memory.outages = warnings.outages;
  delete memory.heldSinceMs;
  if (isHeld) memory.heldSinceMs = heldSinceMs;
  if (decided.memory.sinceMs !== undefined) memory.outage = outage.memory;
  const awaited = settings.regions.some((region) => !own.some((one) => one.region === region));
  const lapsed = series.some((one) => !one.stale && one.freshUntilMs !== null && one.freshUntilMs <= nowMs);
  return {
    state: stateOf(before, verdict, memory, nowMs, warnings.atFault),
    steps: [
      ...(decided.step ? [{ incidentType: 'Availability' as const, step: decided.step }] : []),
      ...warnings.steps,
    ],
    latency: warnings.latency,
    decideAtMs: earliest([
      decided.decideAtMs,
      ...warnings.decideAtMs,
      isHeld ? heldSinceMs + HOLD_MS : null,
      awaited && settings.awaitedUntilMs > nowMs ? settings.awaitedUntilMs : null,
      // A result that is stored concurrently may be based on a verdict that still counts its region.
      lapsed ? nowMs + LOOK_AGAIN_MS : null,
    ]),
  };
}

/**
 * Whether the decision just made takes all of a series into account: until `failing` or freshness changes, further results
 * require no other decision. A stale series is settled as such.
 */
export function isSettled({ stale, conclusiveAtMs, freshUntilMs }: Series, nowMs: number): boolean {
  const isFresh = freshUntilMs !== null && freshUntilMs > nowMs;
  return stale ? !isFresh : isFresh && conclusiveAtMs !== null;
}

/**
 * A single failure in a single region that may be blind. The first failing check of a monitor that alerts at once arrives
 * before other failures of the region are known.
 */
function isUnconfirmed(
  votes: ReadonlyMap<Region, RegionVote>,
  series: readonly Series[],
  { watched }: VerdictSettings,
): boolean {
  const failing = regionsVoting(votes, 'failing');
  return (
    failing.length === 1 &&
    watched.has(failing[0]!) &&
    series.every((one) => one.region !== failing[0] || !one.failing || (one.streak < 2 && !one.answerVerified))
  );
}

function watchesAvailability({ monitorTypes }: VerdictSettings): boolean {
  return monitorTypes.includes('HttpAvailability') || monitorTypes.includes('TcpUdp');
}

/** Whether it has checks that determine whether it can be reached; latency is measured by the HTTP check. */
function hasReachability(settings: VerdictSettings): boolean {
  return watchesAvailability(settings) || settings.monitorTypes.includes('Latency');
}

/**
 * The verdict on a monitor with certificate or DNS checks only: it is never `unavailable`, and `available` only while all
 * of these kinds have fresh results without a fault.
 */
function decideOwnVerdict({ atFault, ownKinds, ownReporting }: WarningsDecision): Verdict {
  if (ownReporting === 0) return 'unknown';
  if (atFault) return 'partial';
  return ownReporting === ownKinds ? 'available' : 'unknown';
}

function stateOf(
  before: VerdictState,
  verdict: Verdict,
  memory: VerdictMemory,
  nowMs: number,
  atFault: boolean,
): VerdictState {
  const verdictSinceMs = verdict === before.verdict ? before.verdictSinceMs : nowMs;
  const healthStatus = verdict === 'available' && atFault ? 'degraded' : HEALTH[verdict];
  return { verdict, verdictSinceMs, healthStatus, memory };
}

const HEALTH: Record<Verdict, HealthStatus | null> = {
  available: 'available',
  partial: 'degraded',
  unavailable: 'unavailable',
  unknown: null,
};

function earliest(moments: readonly (number | null)[]): number | null {
  const set = moments.filter((moment) => moment !== null);
  return set.length === 0 ? null : Math.min(...set);
}
