import {
  failureEvidence,
  failureReason,
  type HeartbeatFailure,
  type HeartbeatSubject,
  type ReachedHeartbeat,
} from '../../heartbeats/index.js';
import type { CurrentIncident, IncidentCommand } from '../../incidents/index.js';
import type { Causes } from '../outage/decide-attachment.js';
import type { IncidentStep } from '../outage/decide-incident-track.js';
import { decideHeartbeatVerdict, type HeartbeatVerdict } from './decide-heartbeat-verdict.js';
import { detachCommand } from './open-commands.js';
import type { VerdictSubject } from './verdict-store.js';

export interface HeartbeatReach {
  verdict: HeartbeatVerdict;
  reached: ReachedHeartbeat;
  commands: IncidentCommand[];
}

export function reachHeartbeat(
  subject: VerdictSubject,
  heartbeat: HeartbeatSubject,
  incidents: readonly CurrentIncident[],
  causes: Causes | undefined,
  nowMs: number,
): HeartbeatReach {
  const { monitorKey, settings } = subject;
  const verdict = decideHeartbeatVerdict(subject.state, heartbeat, { ...settings, causes }, incidents, nowMs);
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

function commandsOf(subject: VerdictSubject, verdict: HeartbeatVerdict, nowMs: number): IncidentCommand[] {
  const { workspaceId, monitorKey, monitorId, name: monitorName } = subject;
  const { step, attachment, heartbeat } = verdict;
  const { attach, detach } = attachment ?? { attach: null, detach: null };
  const own = step ? stepCommands(subject, verdict, step, detach, nowMs) : [];
  const steps = step ? [{ incidentType: 'Heartbeat' as const, step }] : [];
  if (detach !== null) own.push(detachCommand(subject, 'Heartbeat', detach, steps, nowMs));
  if (attach === null) return own;
  const dependent = { workspaceId, monitorKey, monitorId, monitorName, incidentType: 'Heartbeat' as const };
  const failure = { severity: 'down' as const, regions: [], ...describeFailure(heartbeat.failure!) };
  return [...own, { kind: 'attach', incidentId: attach, ...dependent, ...failure, atMs: nowMs }];
}

function describeFailure(failure: HeartbeatFailure) {
  return {
    failureReason: failureReason(failure),
    context: { failingSince: new Date(failure.atMs).toISOString(), heartbeat: failureEvidence(failure) },
  };
}

function stepCommands(
  { workspaceId, monitorKey, monitorId, name: monitorName, settings }: VerdictSubject,
  { heartbeat: { failure, sinceMs } }: HeartbeatVerdict,
  step: IncidentStep,
  causeIncidentId: string | null,
  nowMs: number,
): IncidentCommand[] {
  const { coveredUntilMs } = settings;
  const isSilent = coveredUntilMs !== null && nowMs < coveredUntilMs;
  if (step.kind !== 'open') return [{ ...step, workspaceId, atMs: sinceMs ?? nowMs, isSilent }];
  const { startedMs, severity, regions, events, earlierIncidentId } = step;
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
      ...describeFailure(failure!),
      atMs: nowMs,
      startedMs,
      events,
      openedDetail: {
        ...(earlierIncidentId === null ? {} : { earlierIncidentId }),
        ...(causeIncidentId === null ? {} : { causeIncidentId }),
      },
    },
  ];
}
