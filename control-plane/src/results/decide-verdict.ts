import type { MonitorType } from '@watchpost/shared/check';
import type { Region } from '@watchpost/shared/region';
import type { CurrentIncident, IncidentType } from '../incidents/index.js';
import { decideIncidentTrack, type IncidentStep, type TrackMemory, type Trouble } from './decide-incident-track.js';
import { decideOutage, type OutageMemory } from './decide-outage.js';
import { decideRegionVotes, decideReportedVerdict, regionsVoting } from './decide-region-votes.js';
import { AVAILABILITY_KINDS, type HealthStatus, type Quorum, type RegionStanding, type Verdict } from './verdict.js';

/** What is remembered between decisions, as JSON; empty in the beginning and while nothing is checked. */
export interface VerdictMemory {
  outage?: OutageMemory;
  /** Each incident type has a track of its own. */
  tracks?: Partial<Record<IncidentType, TrackMemory>>;
}

export interface VerdictState {
  verdict: Verdict;
  verdictSinceMs: number;
  /** null exactly while the verdict is `unknown`: nobody can tell, and what nobody can tell never looks healthy. */
  healthStatus: HealthStatus | null;
  memory: VerdictMemory;
}

export interface VerdictSettings {
  /** False for paused, disabled and deleted monitors: nothing is concluded, and nothing is unclear either. */
  isEnabled: boolean;
  monitorTypes: readonly MonitorType[];
  /** All regions that check the monitor, home included. */
  regions: readonly Region[];
  /** Until when a region is awaited that nothing is known of: three intervals after the last change. */
  awaitedUntilMs: number;
  quorum: Quorum;
  autoClose: boolean;
  suspects: ReadonlySet<Region>;
}

export interface VerdictDecision {
  state: VerdictState;
  steps: { incidentType: IncidentType; step: IncidentStep }[];
  /** When to decide again although nothing happens; null: no need. */
  decideAtMs: number | null;
}

const LOOK_AGAIN_MS = 30_000;

/**
 * The verdict on a monitor, and what it means for its incidents. Pure: the same state, standings and
 * moment give the same decision, and deciding again changes nothing.
 */
export function decideVerdict(
  before: VerdictState,
  standings: readonly RegionStanding[],
  settings: VerdictSettings,
  incidents: readonly CurrentIncident[],
  nowMs: number,
): VerdictDecision {
  if (!settings.isEnabled) return { state: stateOf(before, 'unknown', {}, nowMs), steps: [], decideAtMs: null };
  const own = standings.filter(({ kind }) => AVAILABILITY_KINDS.has(kind));
  const votes = decideRegionVotes(settings.regions, own, { nowMs, ...settings });
  const verdict = decideReportedVerdict(votes);

  const track = before.memory.tracks?.Availability ?? {};
  const ongoing = track.sinceMs === undefined ? null : (before.memory.outage ?? null);
  const outage = decideOutage(votes, settings.quorum, ongoing);
  const healthy = regionsVoting(votes, 'healthy');
  const trouble: Trouble = {
    // A monitor that is not asked about availability has a verdict, and no incident about it.
    signal: watchesAvailability(settings) ? outage.signal : 'fine',
    regions: outage.memory.members,
    healthy,
    severity: healthy.length > 0 ? 'partial' : 'down',
    messageOf: (region) => own.find((standing) => standing.region === region && standing.failing)?.lastMessage ?? null,
  };
  const newest = incidents.find(({ incidentType }) => incidentType === 'Availability') ?? null;
  const decided = decideIncidentTrack(track, trouble, newest, { autoClose: settings.autoClose, nowMs });

  const memory: VerdictMemory = { ...before.memory, tracks: { ...before.memory.tracks, Availability: decided.memory } };
  delete memory.outage;
  if (decided.memory.sinceMs !== undefined) memory.outage = outage.memory;
  const awaited = settings.regions.some((region) => !own.some((standing) => standing.region === region));
  const lapsed = own.some(
    (standing) => !standing.stale && standing.freshUntilMs !== null && standing.freshUntilMs <= nowMs,
  );
  return {
    state: stateOf(before, verdict, memory, nowMs),
    steps: decided.step ? [{ incidentType: 'Availability', step: decided.step }] : [],
    decideAtMs: earliest([
      decided.decideAtMs,
      awaited && settings.awaitedUntilMs > nowMs ? settings.awaitedUntilMs : null,
      // A result that is being stored at this very moment may think that the verdict still counts its region.
      lapsed ? nowMs + LOOK_AGAIN_MS : null,
    ]),
  };
}

/**
 * Whether the decision that was just reached knows all that this standing has to say: as long as neither
 * `failing` nor its freshness moves, further results do not call for another.
 */
export function isSettled(standing: RegionStanding, nowMs: number): boolean {
  return (
    !standing.stale &&
    standing.conclusiveAtMs !== null &&
    standing.freshUntilMs !== null &&
    standing.freshUntilMs > nowMs
  );
}

function watchesAvailability({ monitorTypes }: VerdictSettings): boolean {
  return monitorTypes.includes('HttpAvailability') || monitorTypes.includes('TcpUdp');
}

function stateOf(before: VerdictState, verdict: Verdict, memory: VerdictMemory, nowMs: number): VerdictState {
  const verdictSinceMs = verdict === before.verdict ? before.verdictSinceMs : nowMs;
  return { verdict, verdictSinceMs, healthStatus: HEALTH[verdict], memory };
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
