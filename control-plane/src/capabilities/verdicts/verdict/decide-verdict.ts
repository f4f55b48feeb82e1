import { AVAILABILITY_KINDS, checkKindsOf } from '@watchpost/shared/check';
import type { IncidentType } from '@watchpost/shared/incident-types';
import { factsOf } from '@watchpost/shared/monitor-types';
import type { Region } from '@watchpost/shared/region';
import type { CurrentIncident } from '../../incidents/index.js';
import {
  type AttachmentDecision,
  type AttachmentMemory,
  type Causes,
  decideAttachment,
  type Failure,
  NO_CAUSES,
} from '../outage/decide-attachment.js';
import { decideIncidentTrack, type IncidentStep, type Trouble } from '../outage/decide-incident-track.js';
import { decideOutage, quorumSinceMs, type OutageMemory } from '../outage/decide-outage.js';
import {
  decideRegionVotes,
  decideReportedVerdict,
  regionsAnswering,
  regionsVoting,
  type RegionVote,
} from '../outage/decide-region-votes.js';
import type { LatencyDecision } from '../warnings/decide-latency.js';
import { HOLD_ANSWER_MOST_MS, HOLD_MOST_MS } from '../trust/decide-hold.js';
import {
  decideWarnings,
  type WarningsDecision,
  type WarningsMemory,
  type WarningsSettings,
} from '../warnings/decide-warnings.js';
import type { HealthStatus, Series, Verdict } from '../series/series.js';

/** The state between decisions, stored as JSON; empty at first and while the monitor is paused or disabled. */
export interface VerdictMemory extends WarningsMemory {
  outage?: OutageMemory;
  /** For which failure the opening of an incident is held. */
  hold?: Hold;
  /** Of a failure that has no incident of its own, because what the monitor depends on may explain it. */
  attachment?: AttachmentMemory;
  /** The last notice of the expiry of a domain. */
  domainNotice?: { expiresMs: number; thresholdDays: number };
}

/** The first failure of a lone region, for which the opening of an incident is held: see `findUnconfirmed`. */
export interface Hold {
  region: Region;
  /** Scheduled time of the failure; null where it is of former settings. */
  failingSinceMs: number | null;
  heldSinceMs: number;
  /** When it ends, unless it is reviewed before. */
  untilMs: number;
}

export interface VerdictState {
  verdict: Verdict;
  verdictSinceMs: number;
  /** Null exactly while the verdict is `unknown`, which never appears as healthy. */
  healthStatus: HealthStatus | null;
  memory: VerdictMemory;
}

export interface VerdictSettings extends WarningsSettings {
  /**
   * False for monitors that are not checked: their verdict is `unknown`, and nothing begins or ends. One that a maintenance
   * window holds keeps its memory, because its incident stays open.
   */
  isEnabled: boolean;
  /** Regions with enough owners for failures to correlate there, which may become suspect a moment later. */
  watched: ReadonlySet<Region>;
  /**
   * Private locations whose failures make the monitor `partial` at most, and decide nothing else. None where only private
   * locations check it; absent: none.
   */
  advisory?: ReadonlySet<Region>;
  /** A hold that has another end, because the region of its failure has been examined since: see `reviewHolds`. */
  reviewed?: Hold | undefined;
  /** What the monitor depends on; absent: nothing. */
  causes?: Causes | undefined;
}

export interface VerdictDecision {
  state: VerdictState;
  steps: { incidentType: IncidentType; step: IncidentStep }[];
  /** What becomes of a failure that a cause may explain. */
  attachment: AvailabilityAttachment | null;
  /** When to decide again even if nothing happens; null: never. */
  decideAtMs: number | null;
  /** Null where latency is not monitored. */
  latency: LatencyDecision | null;
  /** The series of the assertions that only warn. */
  assertions: readonly Series[];
}

/** A change of the attachment of a failure, with what a dependent shows of it. */
export interface AvailabilityAttachment extends Pick<AttachmentDecision, 'attach' | 'detach'> {
  regions: Region[];
  severity: 'down' | 'partial';
}

const LOOK_AGAIN_MS = 30_000;

/**
 * The verdict on a monitor, and its consequences for incidents. Pure: the same state, series and moment yield the same
 * decision, and deciding again changes nothing.
 */
export function decideVerdict(
  before: VerdictState,
  all: readonly Series[],
  { advisory = new Set(), ...given }: VerdictSettings,
  incidents: readonly CurrentIncident[],
  nowMs: number,
): VerdictDecision {
  const settings = { ...given, regions: given.regions.filter((region) => !advisory.has(region)) };
  const series = all.filter(({ region }) => !advisory.has(region));
  if (!settings.isEnabled)
    return {
      state: stateOf(before, 'unknown', before.memory, nowMs, false),
      steps: [],
      attachment: null,
      decideAtMs: null,
      latency: null,
      assertions: [],
    };
  const own = reachability(series);
  const votes = decideRegionVotes(settings.regions, own, { nowMs, ...settings });

  const track = before.memory.tracks?.Availability ?? {};
  const ongoing = track.sinceMs === undefined ? null : (before.memory.outage ?? null);
  const outage = decideOutage(votes, settings.quorum, ongoing);
  const isNew = track.sinceMs === undefined;
  const isHoldable = outage.signal === 'failing' && isNew && before.memory.attachment === undefined;
  const hold = isHoldable ? holdOf(before, votes, own, settings, nowMs) : null;
  const isCovered = settings.coveredUntilMs !== null && nowMs < settings.coveredUntilMs;
  // A window hides the failure anyhow; at its end the hold goes on from when it began.
  const isHeld = hold !== null && nowMs < hold.untilMs && !isCovered;
  const healthy = regionsVoting(votes, 'healthy');
  const answering = regionsAnswering(votes, own);
  const severity = answering.length > 0 ? 'partial' : 'down';
  // A monitor without an availability type has a verdict, and no incident of that type.
  const isWatched = watchesAvailability(settings);
  const signal = isWatched ? (isHeld ? 'unclear' : outage.signal) : 'fine';
  const failure = { signal, sinceMs: failingSinceOf(own) };
  const attachment = attachmentOf(before.memory.attachment, failure, { ...settings, isNew, isCovered, nowMs });
  const trouble: Trouble = {
    signal: !isWatched ? 'unwatched' : attachment.outcome === 'own' ? signal : 'unclear',
    // What an incident of a cause explained until now begins now.
    sinceMs: attachment.detach === null ? quorumSinceMs(votes, own, settings.quorum) : null,
    regions: outage.memory.members,
    healthy,
    severity,
    messageOf: (region) => own.find((one) => one.region === region && one.failing)?.lastMessage ?? null,
  };
  const newest = incidents.find(({ incidentType }) => incidentType === 'Availability') ?? null;
  const decided = decideIncidentTrack(track, trouble, newest, { ...settings, nowMs });

  const warnings = decideWarnings(before.memory, series, settings, incidents, nowMs);
  const advice = decideRegionVotes([...advisory], reachability(all), { nowMs, ...settings });
  const verdict = hasReachability(settings)
    ? decideReportedVerdict({
        failing: regionsVoting(votes, 'failing').length,
        answering: answering.length,
        advisoryFailing: regionsVoting(advice, 'failing').length,
      })
    : decideOwnVerdict(warnings);

  const memory: VerdictMemory = { ...before.memory, tracks: { Availability: decided.memory, ...warnings.tracks } };
  delete memory.outage;
  delete memory.outages;
  if (Object.keys(warnings.outages).length > 0) memory.outages = warnings.outages;
  delete memory.hold;
  if (hold !== null && (isHeld || isCovered)) memory.hold = hold;
  delete memory.attachment;
  if (Object.keys(attachment.memory).length > 0) memory.attachment = attachment.memory;
  if (decided.memory.sinceMs !== undefined) memory.outage = outage.memory;
  const awaited = given.regions.some((region) => !reachability(all).some((one) => one.region === region));
  const lapsed = all.some((one) => !one.stale && one.freshUntilMs !== null && one.freshUntilMs <= nowMs);
  return {
    state: stateOf(before, verdict, memory, nowMs, warnings.atFault),
    steps: [
      ...(decided.step ? [{ incidentType: 'Availability' as const, step: decided.step }] : []),
      ...warnings.steps,
    ],
    attachment:
      attachment.attach !== null || attachment.detach !== null
        ? { ...attachment, regions: trouble.regions, severity }
        : null,
    latency: warnings.latency,
    assertions: warnings.assertions,
    decideAtMs: earliest([
      decided.decideAtMs,
      attachment.decideAtMs,
      ...warnings.decideAtMs,
      isHeld ? hold.untilMs : null,
      awaited && settings.awaitedUntilMs > nowMs ? settings.awaitedUntilMs : null,
      // A result that is stored concurrently may be based on a verdict that still counts its region.
      lapsed ? nowMs + LOOK_AGAIN_MS : null,
    ]),
  };
}

function reachability(series: readonly Series[]): Series[] {
  return series.filter(({ kind }) => AVAILABILITY_KINDS.includes(kind));
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
 * What becomes of a failure by the causes of the monitor. One that has an incident already keeps it. A maintenance window
 * hides failures anyhow: until its end, nothing is attached, and what is attached stays so.
 */
export function attachmentOf(
  before: AttachmentMemory = {},
  failure: Failure,
  { causes = NO_CAUSES, isNew, isCovered, nowMs }: AttachmentContext,
): AttachmentDecision {
  if (isNew && !(isCovered && failure.signal === 'failing')) return decideAttachment(before, failure, causes, nowMs);
  return { memory: isNew ? before : {}, outcome: 'own', attach: null, detach: null, decideAtMs: null };
}

interface AttachmentContext {
  causes?: Causes | undefined;
  /** It has no incident. */
  isNew: boolean;
  isCovered: boolean;
  nowMs: number;
}

function failingSinceOf(series: readonly Series[]): number | null {
  return earliest(series.map(({ failing, streakSinceMs }) => (failing ? streakSinceMs : null)));
}

/**
 * The failure for which an incident is held: a single failure in a single region that may be blind. The first failing check
 * of a monitor that alerts at once arrives before other failures of the region are known. An answer of the site shows that
 * the region sees, and is held only until it is known that no other sites give the same one.
 */
function holdOf(
  before: VerdictState,
  votes: ReadonlyMap<Region, RegionVote>,
  series: readonly Series[],
  { watched, reviewed }: VerdictSettings,
  nowMs: number,
): Hold | null {
  const [region, ...others] = regionsVoting(votes, 'failing');
  if (region === undefined || others.length > 0 || !watched.has(region)) return null;
  const failing = series.filter((one) => one.region === region && one.failing);
  if (failing.some(({ streak, answerVerified }) => streak >= 2 || answerVerified)) return null;
  const failingSinceMs = earliest(failing.map(({ streakSinceMs }) => streakSinceMs));
  const failure = { region, failingSinceMs };
  const { hold } = before.memory;
  if (isSameFailure(failure, reviewed)) return reviewed;
  if (isSameFailure(failure, hold)) return hold;
  const isAnswer = failing.some(({ answerDigest }) => typeof answerDigest === 'number');
  return { ...failure, heldSinceMs: nowMs, untilMs: nowMs + (isAnswer ? HOLD_ANSWER_MOST_MS : HOLD_MOST_MS) };
}

function isSameFailure(
  { region, failingSinceMs }: Pick<Hold, 'region' | 'failingSinceMs'>,
  other: Hold | undefined,
): other is Hold {
  return other?.region === region && other.failingSinceMs === failingSinceMs;
}

/** Whether it opens an incident when its target cannot be reached. */
function watchesAvailability({ monitorTypes }: VerdictSettings): boolean {
  return monitorTypes.some((type) => factsOf(type).incidentType === 'Availability');
}

/** Whether it has checks that determine whether it can be reached; latency is measured by the HTTP check. */
function hasReachability({ monitorTypes }: VerdictSettings): boolean {
  return checkKindsOf(monitorTypes).some((kind) => AVAILABILITY_KINDS.includes(kind));
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
