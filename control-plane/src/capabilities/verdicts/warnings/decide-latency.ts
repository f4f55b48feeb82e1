import type { Region } from '@watchpost/shared/region';
import type { latencySettings } from '../../monitors/index.js';
import type { OutageSignal } from '../outage/decide-outage.js';
import type { SuccessWindows } from './success-window-store.js';

export type LatencySettings = typeof latencySettings.defaults;

/** The durations of a monitor's latest successful checks, the last `windowChecks` of each region, oldest first. */
export interface LatencyReading {
  settings: LatencySettings;
  windows: SuccessWindows;
}

export interface LatencyDecision {
  /** `unclear`: no region that is up has a full window. */
  signal: OutageSignal;
  /** The percentile over all full windows together, ms; null while there is none. */
  valueMs: number | null;
  /** The same of each region with a full window. */
  regions: { region: Region; valueMs: number }[];
  /** Of those, the ones above the threshold; all of them where only together they are. */
  slow: Region[];
  fine: Region[];
}

/**
 * Whether a monitor is too slow: the percentile over the merged windows of all regions that are up is above the threshold.
 * A region counts once its window is full: a few checks after a change are not conclusive.
 */
export function decideLatency({ settings, windows }: LatencyReading, healthy: readonly Region[]): LatencyDecision {
  const { percentile, thresholdMs, windowChecks } = settings;
  const full = healthy.flatMap((region) => {
    const checks = windows.get(region) ?? [];
    return checks.length < windowChecks ? [] : [{ region, us: checks.map(({ totalUs }) => totalUs) }];
  });
  const regions = full.map(({ region, us }) => ({ region, valueMs: percentileMs(us, percentile) }));
  if (full.length === 0) return { signal: 'unclear', valueMs: null, regions, slow: [], fine: [] };
  const merged = full.flatMap(({ us }) => us);
  const valueMs = percentileMs(merged, percentile);
  const fine = regions.filter((one) => one.valueMs <= thresholdMs).map(({ region }) => region);
  const slow = regions.filter((one) => one.valueMs > thresholdMs).map(({ region }) => region);
  if (valueMs <= thresholdMs) return { signal: 'fine', valueMs, regions, slow, fine };
  return slow.length === 0
    ? { signal: 'failing', valueMs, regions, slow: fine, fine: [] }
    : { signal: 'failing', valueMs, regions, slow, fine };
}

/** Interpolated between the two neighbouring values (`percentile_cont`), as in the latency report. ms, two decimals. */
function percentileMs(us: readonly number[], percentile: number): number {
  const ordered = us.toSorted((a, b) => a - b);
  const place = ((ordered.length - 1) * percentile) / 100;
  const below = ordered[Math.floor(place)]!;
  const above = ordered[Math.ceil(place)]!;
  return Math.round((below + (above - below) * (place - Math.floor(place))) / 10) / 100;
}

export function latencyMessage({ percentile, thresholdMs, windowChecks }: LatencySettings, valueMs: number): string {
  const value = Math.round(valueMs).toLocaleString('en-US');
  const which = percentile === 50 ? 'median' : `${percentile}th percentile`;
  const checks = windowChecks === 1 ? 'last check' : `last ${windowChecks} checks`;
  return `Too slow: the ${which} of the ${checks} is ${value} ms, above the threshold of ${thresholdMs.toLocaleString('en-US')} ms.`;
}
