import {
  failureEvidence,
  failureReason,
  type HeartbeatSubject,
  type ReachedHeartbeat,
} from '../../heartbeats/index.js';
import type { CurrentIncident, IncidentCommand } from '../../incidents/index.js';
import { decideHeartbeatVerdict, type HeartbeatVerdict } from './decide-heartbeat-verdict.js';
import type { VerdictSubject } from './verdict-store.js';

export interface HeartbeatReach {
  verdict: HeartbeatVerdict;
  reached: ReachedHeartbeat;
  commands: IncidentCommand[];
}

/** Decides the verdict on a heartbeat, and what follows from it. */
export function reachHeartbeat(
  subject: VerdictSubject,
  heartbeat: HeartbeatSubject,
  incidents: readonly CurrentIncident[],
  nowMs: number,
): HeartbeatReach {
  const { monitorKey, settings } = subject;
  const verdict = decideHeartbeatVerdict(subject.state, heartbeat, settings, incidents, nowMs);
  const { failure, expectedByMs } = verdict.heartbeat;
  const { state } = verdict;
  return {
    verdict,
    reached: {
      subject: { ...heartbeat, state: { ...heartbeat.state, failure, expectedByMs } },
      change:
        state.verdict === subject.state.verdict
          ? null
          : { monitorKey, atMs: state.verdictSinceMs, verdict: verdict.heartbeat.verdict },
    },
    commands: commandsOf(subject, verdict, nowMs),
  };
}

function commandsOf(
  { workspaceId, monitorKey, monitorId, name: monitorName, settings, state }: VerdictSubject,
  { step, heartbeat: { failure, sinceMs } }: HeartbeatVerdict,
  nowMs: number,
): IncidentCommand[] {
  if (!step) return [];
  const { coveredUntilMs } = settings;
  const isSilent = coveredUntilMs !== null && nowMs < coveredUntilMs;
  if (step.kind !== 'open') return [{ ...step, workspaceId, atMs: sinceMs ?? nowMs, isSilent }];
  // What a maintenance window hid begins at its end, other failures when they occurred.
  const atMs = state.memory.tracks?.Heartbeat?.hidden ? step.startedMs : (sinceMs ?? nowMs);
  const { severity, regions, events, earlierIncidentId } = step;
  return [
    {
      kind: 'open',
      workspaceId,
      monitorKey,
      monitorId,
      monitorName,
      incidentType: 'Heartbeat',
      severity,
      regions,
      failureReason: failureReason(failure!),
      context: { failingSince: new Date(failure!.atMs).toISOString(), heartbeat: failureEvidence(failure!) },
      atMs,
      events,
      openedDetail: earlierIncidentId === null ? {} : { earlierIncidentId },
    },
  ];
}
