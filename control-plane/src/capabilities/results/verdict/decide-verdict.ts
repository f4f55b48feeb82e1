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

/** What is remembered between decisions, as JSON; empty in the beginning and while nothing is checked. */
export interface VerdictMemory extends WarningsMemory {
  outage?: OutageMemory;
  /** Since when an incident waits to be opened, see `isUnconfirmed`. */
  heldSinceMs?: number;
}

export interface VerdictState {
  verdict: Verdict;
  verdictSinceMs: number;
  /** null exactly while the verdict is `unknown`: nobody can tell, and what nobody can tell never looks healthy. */
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
  /** When to decide again although nothing happens; null: no need. */
  decideAtMs: number | null;
  /** How fast it is; null where nobody asks. */
  latency: LatencyDecision | null;
}

const LOOK_AGAIN_MS = 30_000;
/** So long the very first failure of a single region waits before it makes an incident: until others would be seen to fail there too. */
export const HOLD_MS = 10_000;

/**
 * The verdict on a monitor, and what it means for its incidents. Pure: the same state, series and
 * moment give the same decision, and deciding again changes nothing.
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
    // A monitor that is not asked about availability has a verdict, and no incident about it.
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
      // A result that is being stored at this very moment may think that the verdict still counts its region.
      lapsed ? nowMs + LOOK_AGAIN_MS : null,
    ]),
  };
}

/**
 * Whether the decision that was just reached knows all that this one has to say: as long as neither
 * `failing` nor its freshness moves, further results do not call for another. Of one that has fallen silent it knows that.
 */
export function isSettled({ stale, conclusiveAtMs, freshUntilMs }: Series, nowMs: number): boolean {
  const isFresh = freshUntilMs !== null && freshUntilMs > nowMs;
  return stale ? !isFresh : isFresh && conclusiveAtMs !== null;
}

/**
 * One failure, once, in one region that may be blind: the first check that fails there, of a monitor that alerts
 * at once, comes before anybody can see that all the others fail too.
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

/** Whether it has checks by which it can be told to be there; latency comes from the HTTP check. */
function hasReachability(settings: VerdictSettings): boolean {
  return watchesAvailability(settings) || settings.monitorTypes.includes('Latency');
}

/**
 * The verdict on a monitor of which only certificate or names are checked: nobody asked whether it is there, so it is
 * never `unavailable`, and `available` only while all that is asked is freshly known and fine.
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
