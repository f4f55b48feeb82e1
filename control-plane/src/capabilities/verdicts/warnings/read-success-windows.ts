import type { MonitorType } from '@watchpost/shared/monitor-types';
import type { Tx } from '../../../platform/db/database.js';
import type { AssertionSettings } from './decide-assertions.js';
import type { LatencySettings } from './decide-latency.js';
import type { SuccessReadings } from './is-one-sided.js';
import { type SuccessWindows, successWindowStore } from './success-window-store.js';

interface WindowSubject {
  monitorKey: number;
  intervalMs: number;
  changedMs: number;
  settings: { isEnabled: boolean; monitorTypes: readonly MonitorType[] };
  latencySettings: LatencySettings;
  /** Null where no assertion only warns. */
  assertionSettings: AssertionSettings | null;
}

/** A window reaches back this many intervals more than it has checks; older checks do not count. */
const SPARE_INTERVALS = 2;

/** The latest successful checks of those monitors whose latency is monitored, or of whose assertions some only warn. */
export async function readSuccessWindows(
  tx: Tx,
  subjects: readonly WindowSubject[],
  nowMs: number,
): Promise<Map<number, SuccessReadings>> {
  const judged = subjects.flatMap((subject) => {
    const { isEnabled, monitorTypes } = subject.settings;
    const latency = monitorTypes.includes('Latency') ? subject.latencySettings : null;
    const assertions = subject.assertionSettings;
    const checksOf = { latency: latency?.windowChecks ?? 0, assertions: assertions ? windowChecksOf(assertions) : 0 };
    const checks = Math.max(checksOf.latency, checksOf.assertions);
    return isEnabled && checks > 0 ? [{ subject, latency, assertions, checksOf, checks }] : [];
  });
  const fromMs = ({ changedMs, intervalMs }: WindowSubject, checks: number) =>
    Math.max(changedMs, nowMs - (checks + SPARE_INTERVALS) * intervalMs);
  const windows = await successWindowStore.read(
    tx,
    judged.map(({ subject, assertions, checks }) => ({
      monitorKey: subject.monitorKey,
      checks,
      fromMs: fromMs(subject, checks),
      withWarnings: assertions !== null,
    })),
  );
  return new Map(
    judged.map(({ subject, latency, assertions, checksOf }) => {
      const read = windows.get(subject.monitorKey) ?? new Map();
      const latest = (checks: number) => cut(read, checks, fromMs(subject, checks));
      return [
        subject.monitorKey,
        {
          ...(latency ? { latency: { settings: latency, windows: latest(checksOf.latency) } } : {}),
          ...(assertions ? { assertions: { settings: assertions, windows: latest(checksOf.assertions) } } : {}),
        },
      ];
    }),
  );
}

/** Returns how many checks decide in a region. */
function windowChecksOf({ alertAfter, recoverAfter }: AssertionSettings): number {
  return Math.max(alertAfter, recoverAfter);
}

function cut(windows: SuccessWindows, checks: number, fromMs: number): SuccessWindows {
  return new Map(
    [...windows].map(([region, own]) => [
      region,
      own.filter(({ scheduledAtMs }) => scheduledAtMs >= fromMs).slice(-checks),
    ]),
  );
}
