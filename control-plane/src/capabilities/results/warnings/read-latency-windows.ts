import type { MonitorType } from '@watchpost/shared/check';
import type { Tx } from '../../../platform/db/database.js';
import type { LatencySettings } from '../../monitors/index.js';
import type { LatencyReading } from './decide-latency.js';
import { latencyWindowStore } from './latency-window-store.js';

/** A monitor whose latency may be asked about. */
interface LatencySubject {
  monitorKey: number;
  intervalMs: number;
  changedMs: number;
  settings: { isEnabled: boolean; monitorTypes: readonly MonitorType[] };
  latencySettings: LatencySettings;
}

/** A window that is not full after so many intervals more than it has checks is not of now. */
const SPARE_INTERVALS = 2;

/** What the latest checks of those monitors took that are asked about their latency. */
export async function readLatencyWindows(
  tx: Tx,
  subjects: readonly LatencySubject[],
  nowMs: number,
): Promise<Map<number, LatencyReading>> {
  const asked = subjects.filter(({ settings }) => settings.isEnabled && settings.monitorTypes.includes('Latency'));
  const windows = await latencyWindowStore.read(
    tx,
    asked.map(({ monitorKey, intervalMs, changedMs, latencySettings: { windowChecks } }) => ({
      monitorKey,
      checks: windowChecks,
      fromMs: Math.max(changedMs, nowMs - (windowChecks + SPARE_INTERVALS) * intervalMs),
    })),
  );
  return new Map(
    asked.map(({ monitorKey, latencySettings }) => [
      monitorKey,
      { settings: latencySettings, windows: windows.get(monitorKey) ?? new Map() },
    ]),
  );
}
