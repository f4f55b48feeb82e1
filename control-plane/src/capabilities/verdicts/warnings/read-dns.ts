import { schedulePhaseMs } from '@watchpost/shared/check';
import { formatDuration } from '@watchpost/shared/duration';
import { checkedFrom } from '@watchpost/shared/region';
import { coveredRegions, decideNextCheck } from '../../monitors/index.js';
import { entitlementsOf } from '../../plans/index.js';
import type { HistoryRow } from './answer-history-store.js';
import { describeDns } from './describe-dns.js';
import type { DnsHistoryEntryView, DnsHistoryView } from './dns-schemas.js';
import type { CheckSchedule } from './check-schedule-store.js';
import { type CheckHistoryDeps, type HistoryQuery, readCheckHistory } from './read-check-history.js';

/** The schedule of a monitor's DNS checks, and their answers, newest first. @throws Fault not_found */
export async function readDnsHistory(
  deps: CheckHistoryDeps,
  workspaceId: string,
  monitorId: string,
  query: HistoryQuery,
): Promise<{ body: DnsHistoryView; total: number }> {
  const { monitor, items: rows, total } = await readCheckHistory(deps, workspaceId, { monitorId, kind: 'dns' }, query);
  const nextMs = nextCheckMs(monitor, deps.clock.now());
  const schedule = {
    checkInterval: formatDuration(monitor.intervalMs),
    lastChecked: monitor.lastDnsMs === null ? null : new Date(monitor.lastDnsMs).toISOString(),
    nextCheck: nextMs === null ? null : new Date(nextMs).toISOString(),
  };
  return { body: { schedule, history: rows.map(describeRow) }, total };
}

function describeRow({ region, startedAtMs, content, responseUs, changes, message }: HistoryRow): DnsHistoryEntryView {
  const detail = content?.kind === 'dns' ? { ...content, responseUs: responseUs ?? 0 } : null;
  return describeDns(detail, {
    checkedAtMs: startedAtMs,
    region,
    failureReason: message,
    changed: changes !== null,
    changes: changes ?? [],
  });
}

function nextCheckMs(monitor: CheckSchedule, nowMs: number): number | null {
  const entitlements = entitlementsOf(monitor.plan, monitor.planLimits);
  const isRun = monitor.isEnabled && monitor.monitorTypes.includes('Dns');
  if (!isRun || !entitlements.features.monitorTypes.includes('Dns')) return null;
  const { monitorKey, intervalMs, changedMs } = monitor;
  const regions = checkedFrom(monitor.homeRegion, coveredRegions(monitor.enabledRegions, entitlements), []);
  const phasesMs = regions.map((region) => schedulePhaseMs({ monitorKey, kind: 'dns' }, region, intervalMs));
  return decideNextCheck({ changedAtMs: changedMs, intervalMs, phasesMs }, nowMs);
}
