import type { Tx } from '../../../platform/db/database.js';
import type { LatencyReading } from './decide-latency.js';
import { latencyWindowStore } from './latency-window-store.js';
import type { VerdictSubject } from '../verdict/verdict-store.js';

/** A window that is not full after so many intervals more than it has checks is not of now. */
const SPARE_INTERVALS = 2;

/** What the latest checks of those monitors took that are asked about their latency. */
export async function readLatencyWindows(
  tx: Tx,
  subjects: readonly VerdictSubject[],
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
