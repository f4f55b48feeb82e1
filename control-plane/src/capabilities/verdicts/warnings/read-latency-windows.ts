import type { MonitorType } from '@watchpost/shared/monitor-types';
import type { Tx } from '../../../platform/db/database.js';
import type { LatencySettings } from '../../monitors/index.js';
import type { LatencyReading } from './decide-latency.js';
import { latencyWindowStore } from './latency-window-store.js';

/** A monitor whose latency may be monitored. */
interface LatencySubject {
  monitorKey: number;
  intervalMs: number;
  changedMs: number;
  settings: { isEnabled: boolean; monitorTypes: readonly MonitorType[] };
  latencySettings: LatencySettings;
}

/** A window reaches back this many intervals more than it has checks; older checks do not count. */
const SPARE_INTERVALS = 2;

/** The latest durations of those monitors whose latency is monitored. */
export async function readLatencyWindows(
  tx: Tx,
  subjects: readonly LatencySubject[],
  nowMs: number,
): Promise<Map<number, LatencyReading>> {
  const monitored = subjects.filter(({ settings }) => settings.isEnabled && settings.monitorTypes.includes('Latency'));
  const windows = await latencyWindowStore.read(
    tx,
    monitored.map(({ monitorKey, intervalMs, changedMs, latencySettings: { windowChecks } }) => ({
      monitorKey,
      checks: windowChecks,
      fromMs: Math.max(changedMs, nowMs - (windowChecks + SPARE_INTERVALS) * intervalMs),
    })),
  );
  return new Map(
    monitored.map(({ monitorKey, latencySettings }) => [
      monitorKey,
      { settings: latencySettings, windows: windows.get(monitorKey) ?? new Map() },
    ]),
  );
}
