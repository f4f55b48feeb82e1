import { DAY_MS } from '@watchpost/shared/time';
import type { AlertEvent, DomainExpiringDetail } from '../../channels/index.js';
import {
  decideDomain,
  type DomainDecision,
  domainEvidence,
  domainReason,
  type DomainSubject,
} from '../../domains/index.js';
import type { CurrentIncident, IncidentCommand } from '../../incidents/index.js';
import { decideIncidentTrack } from '../outage/decide-incident-track.js';
import type { VerdictMemory, VerdictState } from './decide-verdict.js';
import type { VerdictSubject } from './verdict-store.js';

export interface DomainReach {
  state: VerdictState;
  decideAtMs: number | null;
  commands: IncidentCommand[];
  events: AlertEvent[];
}

/**
 * Decides the verdict on a monitor of a domain, and what follows from it. As with a certificate, a fault makes it degraded,
 * and its incident is a warning.
 */
export function reachDomain(
  subject: VerdictSubject,
  domain: DomainSubject,
  incidents: readonly CurrentIncident[],
  nowMs: number,
): DomainReach {
  const { state: before, settings } = subject;
  const { isEnabled, coveredUntilMs } = settings;
  if (!isEnabled)
    return { state: stateOf(before, null, before.memory, nowMs), decideAtMs: null, commands: [], events: [] };
  const decision = decideDomain(domain.reading, domain.settings, nowMs);
  const { signal, sinceMs } = decision;
  const newest = incidents.find(({ incidentType }) => incidentType === 'Domain') ?? null;
  const trouble = { signal, sinceMs, regions: [], healthy: [], severity: 'warning' as const, messageOf: () => null };
  const { memory, step, decideAtMs } = decideIncidentTrack(before.memory.tracks?.Domain ?? {}, trouble, newest, {
    ...settings,
    nowMs,
  });
  const isSilent = coveredUntilMs !== null && nowMs < coveredUntilMs;
  const notice = isSilent ? null : noticeOf(before.memory.domainNotice, domain, decision);
  const domainNotice = notice ?? before.memory.domainNotice;
  const moments = [decision.decideAtMs, decideAtMs].filter((moment) => moment !== null);
  const commands: IncidentCommand[] = [];
  if (step?.kind === 'open') commands.push(openCommand(subject, domain, decision, step, nowMs));
  else if (step) commands.push({ ...step, workspaceId: subject.workspaceId, atMs: nowMs, isSilent });
  return {
    state: stateOf(before, signal, { tracks: { Domain: memory }, ...(domainNotice && { domainNotice }) }, nowMs),
    decideAtMs: moments.length === 0 ? null : Math.min(...moments),
    commands,
    events: notice ? [expiringEvent(subject, domain, notice, nowMs)] : [],
  };
}

function stateOf(
  before: VerdictState,
  signal: DomainDecision['signal'] | null,
  memory: VerdictMemory,
  nowMs: number,
): VerdictState {
  const verdict = signal === 'fine' || signal === 'failing' ? 'available' : 'unknown';
  return {
    verdict,
    verdictSinceMs: verdict === before.verdict ? before.verdictSinceMs : Math.max(nowMs, before.verdictSinceMs),
    healthStatus: verdict === 'unknown' ? null : signal === 'fine' ? 'available' : 'degraded',
    memory,
  };
}

type Notice = NonNullable<VerdictMemory['domainNotice']>;

/** The notice that is due: of the smallest threshold reached, once for each expiry. */
function noticeOf(sent: Notice | undefined, { reading }: DomainSubject, decision: DomainDecision): Notice | null {
  const { thresholdDays } = decision;
  const expiresMs = reading?.expiresMs ?? null;
  if (thresholdDays === null || expiresMs === null) return null;
  return sent?.expiresMs === expiresMs && sent.thresholdDays <= thresholdDays ? null : { expiresMs, thresholdDays };
}

function expiringEvent(
  { workspaceId, monitorKey }: VerdictSubject,
  { name: domain, reading }: DomainSubject,
  { expiresMs, thresholdDays }: Notice,
  nowMs: number,
): AlertEvent {
  const detail: DomainExpiringDetail = {
    domain,
    thresholdDays,
    daysUntilExpiry: Math.floor((expiresMs - nowMs) / DAY_MS),
    expiresAt: new Date(expiresMs).toISOString(),
    registrar: reading?.registrar ?? null,
  };
  return {
    type: 'monitor.domain_expiring',
    workspaceId,
    monitorKey,
    incidentId: null,
    atMs: nowMs,
    detail: { ...detail },
  };
}

function openCommand(
  { workspaceId, monitorKey, monitorId, name: monitorName }: VerdictSubject,
  domain: DomainSubject,
  { state }: DomainDecision,
  step: Extract<NonNullable<ReturnType<typeof decideIncidentTrack>['step']>, { kind: 'open' }>,
  nowMs: number,
): IncidentCommand {
  const { startedMs, severity, regions, events, earlierIncidentId } = step;
  return {
    kind: 'open',
    workspaceId,
    monitorKey,
    monitorId,
    monitorName,
    incidentType: 'Domain',
    severity,
    regions,
    failureReason: domainReason(state!, domain.reading!),
    context: { failingSince: new Date(startedMs).toISOString(), domain: domainEvidence(domain, state!) },
    atMs: nowMs,
    startedMs,
    events,
    openedDetail: earlierIncidentId === null ? {} : { earlierIncidentId },
  };
}
