import { CHECK_KIND_CODES, schedulePhaseMs } from '@watchpost/shared/check';
import { formatDuration } from '@watchpost/shared/duration';
import { OUTCOME_CODES } from '@watchpost/shared/outcome';
import { HOME_REGION, regionCode, regionOfCode, type Region } from '@watchpost/shared/region';
import { DAY_MS } from '@watchpost/shared/time';
import { entitlementsOf } from '../plans/index.js';
import { decideCoverage, type Coverage } from './checks/decide-coverage.js';
import { decideNextCheck } from './checks/decide-next-check.js';
import { checkKindsOf } from './checks/check-kinds.js';
import { maskHeaders } from './settings/http-headers.js';
import type { MonitorView } from './monitor-schemas.js';
import type { MonitorViewRow, SslStatusRow, StandingRow } from './monitor-view-store.js';

const iso = (ms: number) => new Date(ms).toISOString();

/** What callers see of a monitor. */
export function describeMonitor(row: MonitorViewRow, nowMs: number): MonitorView {
  const coverage = decideCoverage(row, entitlementsOf(row.plan, row.planLimits));
  const standings = row.standings ?? [];
  const telling = tellingStandings(standings);
  const latest = telling
    .filter((standing) => standing.startedMs !== null)
    .toSorted((a, b) => b.startedMs! - a.startedMs!)[0];
  const regions: Region[] = [HOME_REGION, ...coverage.extraRegions];
  return {
    ...describeConfiguration(row),
    // Silence is noticed by whoever sweeps for it; what is old must not look healthy where nobody does.
    healthStatus: isSilent(telling, nowMs) ? null : row.healthStatus,
    lastChecked: lastCheckedOf(standings),
    nextCheck: nextCheckOf(row, coverage, regions, nowMs),
    latestTestResult: latest ? describeResult(latest) : null,
    latestIncident: row.latestIncident ? describeIncident(row.latestIncident) : null,
    regions: regions.map((region) => describeRegion(region, standings, telling, nowMs)),
    sslStatus: row.sslStatus ? describeSslStatus(row.sslStatus) : null,
    planRestricted: coverage.restricted,
  };
}

/**
 * What of a monitor only changes when somebody changes it. Its entity tag stands for this: one over
 * results too would be out of date with every check, and `If-Match` of no use.
 */
export function describeConfiguration(row: MonitorViewRow) {
  return {
    id: row.id,
    workspaceId: row.workspaceId,
    name: row.name,
    url: row.url,
    monitoringStatus: row.monitoringStatus,
    monitorTypes: row.monitorTypes,
    checkInterval: formatDuration(row.checkIntervalMs),
    checkTimeout: formatDuration(row.checkTimeoutMs),
    numberOfChecksBeforeAlert: row.numberOfChecksBeforeAlert,
    numberOfChecksBeforeRecovery: row.numberOfChecksBeforeRecovery,
    enabledRegions: row.enabledRegions,
    serviceGroupId: row.serviceGroupId,
    reporting: row.reporting,
    http: { ...row.http, headers: maskHeaders(row.http.headers) },
    ssl: row.ssl,
    latency: row.latency,
    dns: row.dns,
    tcpUdp: row.tcpUdp,
    created: row.created.toISOString(),
    lastModified: row.lastModified.toISOString(),
  };
}

/** A bad certificate does not make a site unavailable: where availability is checked, those checks alone tell of it. */
function tellingStandings(standings: readonly StandingRow[]): readonly StandingRow[] {
  const telling = standings.filter(({ kind }) => kind === CHECK_KIND_CODES.http || kind === CHECK_KIND_CODES.tcpUdp);
  return telling.length > 0 ? telling : standings;
}

/** Whether no region's last word holds any longer. */
function isSilent(telling: readonly StandingRow[], nowMs: number): boolean {
  const untils = telling.flatMap(({ startedMs, freshUntilMs }) => (startedMs === null ? [] : (freshUntilMs ?? [])));
  return untils.length > 0 && untils.every((untilMs) => untilMs <= nowMs);
}

function endedMs(standing: StandingRow): number {
  return standing.startedMs! + Math.round(standing.totalUs / 1_000);
}

function lastCheckedOf(standings: readonly StandingRow[]): string | null {
  const ends = standings.filter((standing) => standing.startedMs !== null).map(endedMs);
  return ends.length === 0 ? null : iso(Math.max(...ends));
}

function describeResult(standing: StandingRow): MonitorView['latestTestResult'] {
  const couldTell = standing.outcome !== OUTCOME_CODES.inconclusive;
  const wasAvailable = standing.outcome === OUTCOME_CODES.up;
  return {
    responseTime: standing.totalUs / 1_000,
    statusCode: standing.statusCode === 0 ? null : standing.statusCode,
    wasAvailable: couldTell ? wasAvailable : null,
    started: iso(standing.startedMs!),
    ended: iso(endedMs(standing)),
    failureReason: wasAvailable
      ? null
      : couldTell
        ? standing.message
        : 'The agent could not tell: the fault was its own.',
  };
}

function describeSslStatus({ region, checkedMs, message, detail }: SslStatusRow): MonitorView['sslStatus'] {
  return {
    checkedAt: iso(checkedMs),
    isValid: detail?.isValid ?? null,
    daysUntilExpiry: detail && Math.floor((Date.parse(detail.validTo) - checkedMs) / DAY_MS),
    subject: detail?.subject ?? null,
    issuer: detail?.issuer ?? null,
    validTo: detail?.validTo ?? null,
    failureReason: message,
    region: regionOfCode(region),
  };
}

function describeIncident(incident: NonNullable<MonitorViewRow['latestIncident']>): MonitorView['latestIncident'] {
  return {
    id: incident.id,
    status: incident.status as 'Ongoing',
    started: iso(incident.startedMs),
    ended: incident.endedMs === null ? null : iso(incident.endedMs),
    failureReason: incident.failureReason,
  };
}

function describeRegion(
  region: Region,
  standings: readonly StandingRow[],
  telling: readonly StandingRow[],
  nowMs: number,
): MonitorView['regions'][number] {
  const here = standings.filter((standing) => standing.region === regionCode(region));
  const isAwaited = (standing: StandingRow) => standing.startedMs === null && !standing.stale;
  const isStale = (standing: StandingRow) =>
    standing.stale ||
    (standing.startedMs !== null &&
      (standing.freshUntilMs === null ||
        standing.freshUntilMs < nowMs ||
        (!standing.isConclusive && telling.includes(standing))));
  const status = here.some(isStale)
    ? 'stale'
    : here.length === 0 || here.some(isAwaited)
      ? 'awaitingFirstChecks'
      : // Undecided: all results so far are failures, and fewer than an incident takes.
        here.some((standing) => standing.failing !== false && telling.includes(standing))
        ? 'unavailable'
        : 'available';
  return { region, status, lastChecked: lastCheckedOf(here) };
}

function nextCheckOf(
  row: MonitorViewRow,
  coverage: Coverage,
  regions: readonly Region[],
  nowMs: number,
): string | null {
  if (row.monitoringStatus !== 'enabled') return null;
  const phasesMs = checkKindsOf(coverage.monitorTypes).flatMap((kind) =>
    regions.map((region) => schedulePhaseMs({ monitorKey: row.key, kind }, region, row.checkIntervalMs)),
  );
  const next = decideNextCheck(
    { changedAtMs: row.checksChanged.getTime(), intervalMs: row.checkIntervalMs, phasesMs },
    nowMs,
  );
  return next === null ? null : iso(next);
}
