import { AVAILABILITY_CODES, checkKindsOf, schedulePhaseMs } from '@watchpost/shared/check';
import { OUTCOME_CODES } from '@watchpost/shared/outcome';
import { describeStep, phasesOf } from '@watchpost/shared/steps/step-results';
import { type Place, regionCode, regionOfCode, type Region } from '@watchpost/shared/region';
import { DAY_MS, MINUTE_MS } from '@watchpost/shared/time';
import { entitlementsOf } from '../plans/index.js';
import { decideCoverage, placesOf, type Coverage } from './checks/decide-coverage.js';
import { decideNextCheck } from './checks/decide-next-check.js';
import type { PingUrlOf } from './heartbeat/ping-url.js';
import { currentFindings, describeAddresses, findingsOf, warningsOf } from './describe-findings.js';
import { describeSettings } from './settings/describe-settings.js';
import type { MonitorSettings } from './settings/monitor-settings.js';
import type { MonitorView } from './monitor-schemas.js';
import type { FindingRow, MonitorViewRow, SslStatusRow, SeriesRow } from './monitor-view-store.js';

/** The sweep takes some seconds to notice that a deadline has passed. */
const OVERDUE_MS = MINUTE_MS;

const iso = (ms: number) => new Date(ms).toISOString();

export function describeMonitor(row: MonitorViewRow, nowMs: number, pingUrlOf: PingUrlOf): MonitorView {
  const coverage = decideCoverage(row, entitlementsOf(row.plan, row.planLimits));
  const series = row.series ?? [];
  const findings = currentFindings(row.findings ?? [], series);
  const decisive = decisiveSeries(series);
  const latest = decisive.filter((one) => one.startedMs !== null).toSorted((a, b) => b.startedMs! - a.startedMs!)[0];
  // Nothing is checked from anywhere where the job itself reports.
  const isChecked = checkKindsOf(coverage.monitorTypes).length > 0;
  const places = isChecked ? placesOf(row.homeRegion, coverage.extraRegions, row.locations) : [];
  const { heartbeat, ...configuration } = describeConfiguration(row);
  return {
    ...configuration,
    heartbeat: heartbeat && {
      ...heartbeat,
      pingUrl: pingUrlOf(row),
      lastPing: row.lastPing === null ? null : row.lastPing.toISOString(),
      expectedBy: row.expectedBy === null || row.monitoringStatus !== 'enabled' ? null : row.expectedBy.toISOString(),
    },
    // Stale series are marked by the sweep for silence. Old results must not look healthy where no sweep runs.
    healthStatus: isSilent(decisive, nowMs) || isOverdue(row, nowMs) ? null : row.healthStatus,
    lastChecked: lastCheckedOf(series),
    nextCheck: nextCheckOf(row, coverage, places, nowMs),
    latestTestResult: latest ? describeResult(latest, findingsOf(findings, [latest])) : null,
    latestIncident: row.latestIncident ? describeIncident(row.latestIncident) : null,
    regions: places.map(({ region }) => describeRegion(region, series, decisive, nowMs)),
    addresses: describeAddresses(findings),
    addressWarnings: warningsOf(findingsOf(findings, series)),
    sslStatus: row.sslStatus ? describeSslStatus(row.sslStatus) : null,
    lastDay: row.lastDay && {
      until: iso(row.lastDay.untilMs),
      uptimePercentage: row.lastDay.uptime,
      p95: row.lastDay.p95Us === null ? null : Math.round(row.lastDay.p95Us / 10) / 100,
    },
    planRestricted: coverage.restricted,
    managedBy: row.managedBy,
    maintenance: row.maintenance && { windowId: row.maintenance.windowId, until: iso(row.maintenance.untilMs) },
  };
}

/**
 * The part of a monitor that its ETag covers: the fields that only people change. With results, the ETag would change with
 * every check and `If-Match` would be useless.
 */
export function describeConfiguration(
  row: MonitorSettings & Pick<MonitorViewRow, 'id' | 'workspaceId' | 'created' | 'lastModified'>,
) {
  return {
    id: row.id,
    workspaceId: row.workspaceId,
    ...describeSettings(row),
    created: row.created.toISOString(),
    lastModified: row.lastModified.toISOString(),
  };
}

/** A bad certificate does not make a site unavailable: where availability is checked, only those checks count. */
function decisiveSeries(series: readonly SeriesRow[]): readonly SeriesRow[] {
  const decisive = series.filter(({ kind }) => AVAILABILITY_CODES.includes(kind));
  return decisive.length > 0 ? decisive : series;
}

/** Whether the last results of all regions are stale. */
function isSilent(decisive: readonly SeriesRow[], nowMs: number): boolean {
  const untils = decisive.flatMap(({ startedMs, freshUntilMs }) => (startedMs === null ? [] : (freshUntilMs ?? [])));
  return untils.length > 0 && untils.every((untilMs) => untilMs <= nowMs);
}

function endedMs(series: SeriesRow): number {
  return series.startedMs! + Math.round(series.totalUs / 1_000);
}

/** Whether a heartbeat is still shown as available although its deadline has passed for longer than the sweep takes. */
function isOverdue({ healthStatus, expectedBy }: MonitorViewRow, nowMs: number): boolean {
  return healthStatus === 'available' && expectedBy !== null && expectedBy.getTime() + OVERDUE_MS < nowMs;
}

function lastCheckedOf(series: readonly SeriesRow[]): string | null {
  const ends = series.filter((one) => one.startedMs !== null).map(endedMs);
  return ends.length === 0 ? null : iso(Math.max(...ends));
}

function describeResult(series: SeriesRow, findings: readonly FindingRow[]): MonitorView['latestTestResult'] {
  const warnings = warningsOf(findings);
  const steps = findings.flatMap((found) => found.steps ?? []);
  const ping = findings.find((found) => found.ping)?.ping;
  const isConclusive = series.outcome !== OUTCOME_CODES.inconclusive;
  const wasAvailable = series.outcome === OUTCOME_CODES.up;
  return {
    responseTime: series.totalUs / 1_000,
    statusCode: series.statusCode === 0 ? null : series.statusCode,
    wasAvailable: isConclusive ? wasAvailable : null,
    started: iso(series.startedMs!),
    ended: iso(endedMs(series)),
    failureReason: wasAvailable ? null : isConclusive ? series.message : 'The agent could not complete the check.',
    assertions: series.assertions ?? null,
    ...(warnings.length > 0 && { addressWarnings: warnings }),
    ...(steps.length > 0 && { ...storedPhases(series), steps: steps.map(describeStep) }),
    ...(ping && { ping }),
  };
}

/** The request for an access token is not stored with a result. */
function storedPhases({ timings }: SeriesRow): { phases?: NonNullable<MonitorView['latestTestResult']>['phases'] } {
  if (!timings) return {};
  const { auth: _, ...phases } = phasesOf(timings);
  return { phases };
}

function describeSslStatus({ region, checkedMs, message, detail }: SslStatusRow): MonitorView['sslStatus'] {
  return {
    checkedAt: iso(checkedMs),
    isValid: detail?.isValid ?? null,
    daysUntilExpiry: detail && Math.floor((Date.parse(detail.validTo) - checkedMs) / DAY_MS),
    subject: detail?.subject ?? null,
    issuer: detail?.issuer ?? null,
    validFrom: detail?.validFrom ?? null,
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
  series: readonly SeriesRow[],
  decisive: readonly SeriesRow[],
  nowMs: number,
): MonitorView['regions'][number] {
  const here = series.filter((one) => one.region === regionCode(region));
  const isAwaited = (one: SeriesRow) => one.startedMs === null && !one.stale;
  const isStale = (one: SeriesRow) =>
    one.stale ||
    (one.startedMs !== null &&
      (one.freshUntilMs === null || one.freshUntilMs < nowMs || (one.conclusiveMs === null && decisive.includes(one))));
  const status = here.some(isStale)
    ? 'stale'
    : here.length === 0 || here.some(isAwaited)
      ? 'awaitingFirstChecks'
      : // Undecided: all results so far are failures, and fewer than an incident takes.
        here.some((one) => one.failing !== false && decisive.includes(one))
        ? 'unavailable'
        : 'available';
  return { region, status, lastChecked: lastCheckedOf(here) };
}

function nextCheckOf(
  row: MonitorViewRow,
  coverage: Coverage,
  places: readonly { place: Place }[],
  nowMs: number,
): string | null {
  if (row.monitoringStatus !== 'enabled' || row.maintenance?.pausesChecks) return null;
  const phasesMs = checkKindsOf(coverage.monitorTypes).flatMap((kind) =>
    places.map(({ place }) => schedulePhaseMs({ monitorKey: row.key, kind }, place, row.checkIntervalMs)),
  );
  const next = decideNextCheck(
    { changedAtMs: row.checksChanged.getTime(), intervalMs: row.checkIntervalMs, phasesMs },
    nowMs,
  );
  return next === null ? null : iso(next);
}
