import { checkKindsOfIncident } from '@watchpost/shared/check';
import { INCIDENT_TYPES, type IncidentType } from '@watchpost/shared/incident-types';
import { factsOf, type MonitorType } from '@watchpost/shared/monitor-types';
import type { Region } from '@watchpost/shared/region';
import type { Severity } from '@watchpost/shared/incident-types';
import type { CurrentIncident } from '../../incidents/index.js';
import {
  decideIncidentTrack,
  type IncidentStep,
  type TrackMemory,
  type Trouble,
} from '../outage/decide-incident-track.js';
import { assertionSeries } from './decide-assertions.js';
import { decideLatency, latencyMessage, type LatencyDecision } from './decide-latency.js';
import type { SuccessReadings } from './is-one-sided.js';
import { decideOutage, quorumSinceMs, type OutageMemory } from '../outage/decide-outage.js';
import { decideRegionVotes, regionsVoting, type RegionVote } from '../outage/decide-region-votes.js';
import type { Quorum, Series } from '../series/series.js';

/** The incident types that warn: there is a fault, and the site may still be available. */
export type WarningType = Exclude<IncidentType, 'Availability'>;

/** The check kinds of each warning. */
const WARNINGS = INCIDENT_TYPES.flatMap((incidentType) => {
  const kinds = checkKindsOfIncident(incidentType);
  return incidentType === 'Availability' || kinds.length === 0 ? [] : [{ incidentType, kinds }];
});

/** The state between decisions. */
export interface WarningsMemory {
  /** Of each warning, while it continues. */
  outages?: Partial<Record<WarningType, OutageMemory>>;
  /** Each incident type has a track of its own. */
  tracks?: Partial<Record<IncidentType, TrackMemory>>;
}

export interface WarningsSettings {
  /** Those that are run. */
  monitorTypes: readonly MonitorType[];
  /** All regions that check the monitor, home included. */
  regions: readonly Region[];
  /** Until when a region without results is awaited: three intervals after the last change. */
  awaitedUntilMs: number;
  quorum: Quorum;
  autoClose: boolean;
  suspects: ReadonlySet<Region>;
  /** When the last maintenance window ends, or ended, that covers the monitor; null: none does or did lately. */
  coveredUntilMs: number | null;
  /** The certificate of each address must be without fault: a fault at one is as severe as an outage. */
  everyCertificate: boolean;
  /** Its successful checks are judged by them. */
  successes: SuccessReadings;
}

export interface WarningsDecision {
  /** There is a fault: in a region now, or one that has not ended yet. */
  atFault: boolean;
  /** The number of monitored kinds of certificate and DNS checks, and of those with fresh results. */
  ownKinds: number;
  ownReporting: number;
  steps: { incidentType: IncidentType; step: IncidentStep }[];
  tracks: Partial<Record<WarningType, TrackMemory>>;
  outages: Partial<Record<WarningType, OutageMemory>>;
  decideAtMs: (number | null)[];
  latency: LatencyDecision | null;
  /** The series of the assertions that only warn; empty where there are none. */
  assertions: readonly Series[];
}

interface Assessment {
  trouble: Trouble;
  memory: OutageMemory;
  failsSomewhere: boolean;
  isReporting: boolean;
}

/**
 * The consequences of a monitor's certificate, DNS and latency for its health and its incidents. Certificates and DNS are
 * decided by the regions' votes and the workspace's quorum, as availability is; latency is one figure of all regions.
 */
export function decideWarnings(
  before: WarningsMemory,
  series: readonly Series[],
  settings: WarningsSettings,
  incidents: readonly CurrentIncident[],
  nowMs: number,
): WarningsDecision {
  const decision: WarningsDecision = {
    atFault: false,
    ownKinds: 0,
    ownReporting: 0,
    steps: [],
    tracks: {},
    outages: {},
    decideAtMs: [],
    latency: null,
    assertions: [],
  };
  for (const { incidentType, kinds } of WARNINGS) {
    const isWatched = isWatchedFor(incidentType, settings);
    const track = before.tracks?.[incidentType] ?? {};
    const newest = incidents.find((incident) => incident.incidentType === incidentType) ?? null;
    if (!isWatched && Object.keys(track).length === 0 && (newest === null || newest.isClosed)) continue;
    const ongoing = track.sinceMs === undefined ? null : (before.outages?.[incidentType] ?? null);
    let own = series.filter((one) => kinds.includes(one.kind));
    if (incidentType === 'Assertion' && settings.successes.assertions)
      own = decision.assertions = assertionSeries(settings.successes.assertions, own, ongoing?.members ?? []);
    const votes = decideRegionVotes(settings.regions, own, { nowMs, ...settings });
    const healthy = regionsVoting(votes, 'healthy');
    const isReporting = healthy.length + regionsVoting(votes, 'failing').length > 0;
    let assessed: Assessment;
    if (!isWatched) assessed = { ...nothing(healthy), isReporting };
    else if (incidentType === 'Latency') {
      decision.latency = settings.successes.latency ? decideLatency(settings.successes.latency, healthy) : null;
      assessed = { ...assessLatency(decision.latency, settings, ongoing), isReporting };
    } else {
      const outage = decideOutage(votes, settings.quorum, ongoing);
      const messageOf: Trouble['messageOf'] = (region) =>
        own.find((one) => one.region === region && one.failing)?.lastMessage ?? null;
      assessed = {
        trouble: {
          signal: outage.signal,
          sinceMs: quorumSinceMs(votes, own, settings.quorum),
          regions: outage.memory.members,
          healthy,
          severity: severityOf(incidentType, own, votes, settings),
          messageOf,
        },
        memory: outage.memory,
        failsSomewhere:
          regionsVoting(votes, 'failing').length > 0 || (incidentType === 'Assertion' && warnsNow(own, votes)),
        isReporting,
      };
      decision.ownKinds += 1;
      if (isReporting) decision.ownReporting += 1;
    }
    const decided = decideIncidentTrack(track, assessed.trouble, newest, { ...settings, nowMs });
    if (Object.keys(decided.memory).length > 0) decision.tracks[incidentType] = decided.memory;
    if (decided.memory.sinceMs !== undefined) decision.outages[incidentType] = assessed.memory;
    if (decided.step) decision.steps.push({ incidentType, step: decided.step });
    decision.decideAtMs.push(decided.decideAtMs);
    decision.atFault ||= assessed.failsSomewhere || decided.memory.sinceMs !== undefined;
  }
  return decision;
}

/** Decides whether its checks are a reason for incidents of a type. */
function isWatchedFor(incidentType: WarningType, { monitorTypes, successes }: WarningsSettings): boolean {
  if (incidentType === 'Assertion') return successes.assertions !== undefined;
  return monitorTypes.some((type) => factsOf(type).incidentType === incidentType);
}

/** It is not, or no longer, monitored. */
function nothing(healthy: Trouble['healthy']): Omit<Assessment, 'isReporting'> {
  return {
    trouble: { signal: 'unwatched', sinceMs: null, regions: [], healthy, severity: 'warning', messageOf: () => null },
    memory: { members: [], recovering: false },
    failsSomewhere: false,
  };
}

/** A certificate that some addresses of a region do not show is a partial failure there, unless each address must work. */
function severityOf(
  incidentType: WarningType,
  own: readonly Series[],
  votes: ReadonlyMap<Region, RegionVote>,
  { everyCertificate }: WarningsSettings,
): Severity {
  if (incidentType === 'SslExpiry' && everyCertificate) return 'down';
  const isPartial = own.some((one) => one.failing && one.isPartial && votes.get(one.region) === 'failing');
  return isPartial ? 'partial' : 'warning';
}

/** Decides whether the latest check of a region warns: the monitor is degraded at once, and not only after several. */
function warnsNow(own: readonly Series[], votes: ReadonlyMap<Region, RegionVote>): boolean {
  return own.some(
    ({ region, streakOutcome }) => streakOutcome === 'down' && (votes.get(region) ?? 'silent') !== 'silent',
  );
}

function assessLatency(
  latency: LatencyDecision | null,
  { regions: counting, successes: { latency: reading } }: WarningsSettings,
  ongoing: OutageMemory | null,
): Omit<Assessment, 'isReporting'> {
  const isClear = latency !== null && latency.signal !== 'unclear';
  const regions = !isClear ? (ongoing?.members ?? []) : latency.signal === 'failing' ? latency.slow : [];
  const signal = latency?.signal ?? 'unclear';
  const isRemoved = ongoing !== null && !ongoing.members.some((region) => counting.includes(region));
  return {
    trouble: {
      signal: signal === 'fine' && isRemoved ? 'removed' : signal,
      // The checks of a window are not a row of failures.
      sinceMs: null,
      regions,
      healthy: latency?.fine ?? [],
      severity: 'warning',
      messageOf: (region) => {
        const valueMs = latency?.regions.find((one) => one.region === region)?.valueMs;
        return reading && valueMs !== undefined ? latencyMessage(reading.settings, valueMs) : null;
      },
    },
    memory: { members: regions, recovering: false },
    failsSomewhere: false,
  };
}
