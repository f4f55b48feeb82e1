import { decideHeartbeat, type HeartbeatDecision, type HeartbeatSubject } from '../../heartbeats/index.js';
import type { CurrentIncident } from '../../incidents/index.js';
import type { AttachmentDecision } from '../outage/decide-attachment.js';
import { decideIncidentTrack, type IncidentStep, type TrackMemory } from '../outage/decide-incident-track.js';
import { attachmentOf, type VerdictSettings, type VerdictState } from './decide-verdict.js';

export interface HeartbeatVerdict {
  state: VerdictState;
  step: IncidentStep | null;
  /** What becomes of a failure that a cause may explain; null where it is paused. */
  attachment: AttachmentDecision | null;
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
  settings: Pick<VerdictSettings, 'isEnabled' | 'autoClose' | 'coveredUntilMs' | 'causes'>,
  incidents: readonly CurrentIncident[],
  nowMs: number,
): HeartbeatVerdict {
  const { isEnabled, autoClose, coveredUntilMs, causes } = settings;
  const heartbeat = isEnabled ? decideHeartbeat(subject, nowMs) : PAUSED;
  const { verdict, sinceMs, decideAtMs } = heartbeat;
  const newest = incidents.find(({ incidentType }) => incidentType === 'Heartbeat') ?? null;
  const track = calm(before.memory.tracks?.Heartbeat);
  const isCovered = coveredUntilMs !== null && nowMs < coveredUntilMs;
  const isNew = track.sinceMs === undefined;
  const failure = { signal: SIGNAL[verdict], sinceMs };
  const attachment = isEnabled
    ? attachmentOf(before.memory.attachment, failure, { causes, isNew, isCovered, nowMs })
    : null;
  const trouble = {
    signal: attachment === null || attachment.outcome === 'own' ? SIGNAL[verdict] : ('unclear' as const),
    // What an incident of a cause explained until now begins now.
    sinceMs: attachment?.detach ? null : sinceMs,
    regions: [],
    healthy: [],
    severity: 'down' as const,
    messageOf: () => null,
  };
  const decided = isEnabled ? decideIncidentTrack(track, trouble, newest, { autoClose, coveredUntilMs, nowMs }) : null;
  const state: VerdictState = {
    verdict,
    verdictSinceMs:
      verdict === before.verdict ? before.verdictSinceMs : Math.max(sinceMs ?? nowMs, before.verdictSinceMs),
    healthStatus: HEALTH[verdict],
    memory: decided
      ? {
          tracks: { Heartbeat: calm(decided.memory) },
          ...(attachment && Object.keys(attachment.memory).length > 0 ? { attachment: attachment.memory } : {}),
        }
      : {},
  };
  const moments = [decideAtMs, decided?.decideAtMs ?? null, attachment?.decideAtMs ?? null].filter(
    (moment) => moment !== null,
  );
  return {
    state,
    step: decided?.step ?? null,
    attachment,
    decideAtMs: moments.length === 0 ? null : Math.min(...moments),
    heartbeat,
  };
}

/** Without what is remembered of flips. */
function calm(memory: TrackMemory = {}): TrackMemory {
  const { flipsMs: _flips, flapping: _flapping, ...rest } = memory;
  return rest;
}
