import { formatDuration } from '@watchpost/shared/duration';
import { found } from '@watchpost/shared/fault';
import type { Tx } from '../../platform/db/database.js';
import {
  type PeriodSummary,
  readAvailability,
  readLatency,
  readPeriodSummary,
  type ReportDeps,
} from '../figures/index.js';
import { type IncidentFigures, reportIncidentStore } from './report-incident-store.js';
import type { ReportView } from './report-schemas.js';
import { type ReportSubject, reportSubjectStore } from './report-subject-store.js';

const POINTS = 200;
const MAX_INCIDENTS = 100;

/**
 * The report of a monitor for a period, compared with the preceding period of the same length.
 * @throws Fault not_found, validation_failed
 */
export async function generateReport(
  deps: ReportDeps,
  workspaceId: string,
  monitorId: string,
  query: { startDate?: number | undefined; endDate?: number | undefined },
): Promise<ReportView> {
  const subject = found(await deps.db.read((tx) => reportSubjectStore.find(workspaceId, tx, monitorId)), 'monitor');
  const availability = await readAvailability(deps, workspaceId, monitorId, query);
  const period = { startMs: Date.parse(availability.periodStart), endMs: Date.parse(availability.periodEnd) };
  const latency = await readLatency(deps, workspaceId, monitorId, { ...period, points: POINTS });
  const { current, previous } = await readPeriodSummary(deps, workspaceId, monitorId, period);
  return {
    ...describeSubject(subject),
    generatedAt: iso(deps.clock.now()),
    periodStart: availability.periodStart,
    periodEnd: availability.periodEnd,
    availability: { ...countsOf(current), ...maintenanceOf(current), timeline: availability.timeline },
    latency: { unit: 'ms', ...latencyOf(current), series: pointsOf(latency.series) },
    regions: current.regions.map((figures) => ({
      region: figures.region,
      ...countsOf(figures),
      ...latencyOf(figures),
      awaitingFirstChecks: !figures.hasResults,
      series: pointsOf(latency.regions.find(({ region }) => region === figures.region)?.series ?? []),
    })),
    ...(await deps.db.read(async (tx) => ({
      incidents: await incidentsOf(tx, workspaceId, monitorId, current),
      comparison: await comparisonOf(tx, workspaceId, monitorId, previous),
    }))),
  };
}

async function incidentsOf(
  tx: Tx,
  workspaceId: string,
  monitorId: string,
  { startMs, endMs }: PeriodSummary,
): Promise<ReportView['incidents']> {
  const [from, to] = [new Date(startMs), new Date(endMs)];
  const figures = await reportIncidentStore.figures(workspaceId, tx, monitorId, from, to);
  const rows = await reportIncidentStore.during(workspaceId, tx, monitorId, from, to, MAX_INCIDENTS);
  return {
    total: figures.total,
    totalTimeToRecovery: figures.recovered === 0 ? null : formatDuration(Math.round(figures.recoveryMs)),
    meanTimeToRecovery: meanOf(figures),
    items: rows.map((row) => ({
      ...row,
      started: row.started.toISOString(),
      ended: row.ended?.toISOString() ?? null,
    })),
  };
}

async function comparisonOf(
  tx: Tx,
  workspaceId: string,
  monitorId: string,
  previous: PeriodSummary,
): Promise<ReportView['comparison']> {
  const [from, to] = [new Date(previous.startMs), new Date(previous.endMs)];
  const figures = await reportIncidentStore.figures(workspaceId, tx, monitorId, from, to);
  return {
    periodStart: iso(previous.startMs),
    periodEnd: iso(previous.endMs),
    ...countsOf(previous),
    ...latencyOf(previous),
    incidents: figures.total,
    meanTimeToRecovery: meanOf(figures),
  };
}

function describeSubject({ monitorId, monitorName, url, timezone, created }: ReportSubject) {
  return { monitorId, monitorName, url, watchedSince: created.toISOString(), timezone };
}

function countsOf({
  totalChecks,
  healthyChecks,
  unhealthyChecks,
  uptimePercentage,
}: Pick<PeriodSummary, 'totalChecks' | 'healthyChecks' | 'unhealthyChecks' | 'uptimePercentage'>) {
  return { totalChecks, healthyChecks, unhealthyChecks, uptimePercentage };
}

function maintenanceOf({ maintenanceSeconds, uptimePercentageWithMaintenance }: PeriodSummary) {
  return { maintenanceSeconds, uptimePercentageWithMaintenance };
}

function latencyOf({ latency: { average, p50, p90, p95, p99, min, max } }: Pick<PeriodSummary, 'latency'>) {
  return { average, p50, p90, p95, p99, min, max };
}

function pointsOf(series: readonly { time: string; average: number; p95: number }[]) {
  return series.map(({ time, average, p95 }) => ({ time, average, p95 }));
}

function meanOf({ recovered, recoveryMs }: IncidentFigures): string | null {
  return recovered === 0 ? null : formatDuration(Math.round(recoveryMs / recovered));
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
