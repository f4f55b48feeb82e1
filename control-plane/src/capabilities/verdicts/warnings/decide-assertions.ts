import type { Region } from '@watchpost/shared/region';
import type { Series } from '../series/series.js';
import type { SuccessWindows, WindowCheck } from './success-window-store.js';

/** The numbers of successful checks in a row that begin and end a warning in a region. */
export interface AssertionSettings {
  alertAfter: number;
  recoverAfter: number;
}

/** The latest successful checks of a monitor of whose assertions some only warn. */
export interface AssertionReading {
  settings: AssertionSettings;
  windows: SuccessWindows;
}

/**
 * The series of the assertions that only warn: a check that succeeds without a warning is up in them, one with a warning down.
 * A region of which nothing is known, or that cannot reach the target, counts for neither.
 * @param http the series of the HTTP checks
 * @param warning the regions that warn in the outage that continues
 */
export function assertionSeries(
  { settings, windows }: AssertionReading,
  http: readonly Series[],
  warning: readonly Region[],
): Series[] {
  return http.map((series) => {
    const checks = windows.get(series.region) ?? [];
    const latest = checks.at(-1);
    const wasFailing = warning.includes(series.region);
    if (series.failing !== false || latest === undefined) {
      const freshUntilMs = series.failing ? null : series.freshUntilMs;
      return { ...series, failing: wasFailing || null, streakOutcome: null, conclusiveAtMs: null, freshUntilMs };
    }
    const row = latestRow(checks);
    return {
      ...series,
      streak: row.length,
      streakOutcome: latest.warning === null ? 'up' : 'down',
      streakSinceMs: row[0]!.scheduledAtMs,
      failing: isFailing(row, checks, settings, wasFailing),
      answerVerified: false,
      lastMessage: latest.warning,
    };
  });
}

/** The latest checks that all warn, or all do not. */
function latestRow(checks: readonly WindowCheck[]): readonly WindowCheck[] {
  const isWarned = checks.at(-1)!.warning !== null;
  return checks.slice(1 + checks.findLastIndex(({ warning }) => (warning !== null) !== isWarned));
}

function isFailing(
  row: readonly WindowCheck[],
  checks: readonly WindowCheck[],
  { alertAfter, recoverAfter }: AssertionSettings,
  wasFailing: boolean,
): boolean | null {
  const isWarned = row[0]!.warning !== null;
  if (isWarned && row.length >= alertAfter) return true;
  if (!isWarned && row.length >= recoverAfter) return false;
  if (wasFailing) return true;
  return row.length < checks.length || !isWarned ? false : null;
}
