import { decideHeartbeat, type HeartbeatDecision, type HeartbeatSubject } from '../../heartbeats/index.js';
import type { CurrentIncident } from '../../incidents/index.js';
import { decideIncidentTrack, type IncidentStep, type TrackMemory } from '../outage/decide-incident-track.js';
import type { VerdictSettings, VerdictState } from './decide-verdict.js';

export interface HeartbeatVerdict {
  state: VerdictState;
  step: IncidentStep | null;
  /** When to decide again even if nothing happens; null: never. */
  decideAtMs: number | null;
  heartbeat: HeartbeatDecision;
}

const HEALTH = { available: 'available', unavailable: 'unavailable', unknown: null } as const;
const SIGNAL = { available: 'fine', unavailable: 'failing', unknown: 'unclear' } as const;
const PAUSED: HeartbeatDecision = {
  verdict: 'unknown',
  sinceMs: null,
  failure: null,
  expectedByMs: null,
  decideAtMs: null,
};

/**
 * The verdict on a heartbeat, and its consequence for the incident. The next success closes the incident, however often it
 * failed before: unlike checks, reports of a job do not flap by themselves.
 */
export function decideHeartbeatVerdict(
  before: VerdictState,
  subject: HeartbeatSubject,
  { isEnabled, autoClose, coveredUntilMs }: Pick<VerdictSettings, 'isEnabled' | 'autoClose' | 'coveredUntilMs'>,
  incidents: readonly CurrentIncident[],
  nowMs: number,
): HeartbeatVerdict {
  const heartbeat = isEnabled ? decideHeartbeat(subject, nowMs) : PAUSED;
  const { verdict, sinceMs, decideAtMs } = heartbeat;
  const newest = incidents.find(({ incidentType }) => incidentType === 'Heartbeat') ?? null;
  const trouble = {
    signal: SIGNAL[verdict],
    regions: [],
    healthy: [],
    severity: 'down' as const,
    messageOf: () => null,
  };
  const decided = isEnabled
    ? decideIncidentTrack(calm(before.memory.tracks?.Heartbeat), trouble, newest, { autoClose, coveredUntilMs, nowMs })
    : null;
  const state: VerdictState = {
    verdict,
    verdictSinceMs:
      verdict === before.verdict ? before.verdictSinceMs : Math.max(sinceMs ?? nowMs, before.verdictSinceMs),
    healthStatus: HEALTH[verdict],
    memory: decided ? { tracks: { Heartbeat: calm(decided.memory) } } : {},
  };
  const moments = [decideAtMs, decided?.decideAtMs ?? null].filter((moment) => moment !== null);
  return {
    state,
    step: decided?.step ?? null,
    decideAtMs: moments.length === 0 ? null : Math.min(...moments),
    heartbeat,
  };
}

/** Without what is remembered of flips. */
function calm(memory: TrackMemory = {}): TrackMemory {
  const { flipsMs: _flips, flapping: _flapping, ...rest } = memory;
  return rest;
}
