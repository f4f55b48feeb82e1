import { LatencyHistogram } from './histogram.js';
import { addPackedTotals } from './packed-results.js';
import type { LatencyPart } from './bucket-store.js';

/** Milliseconds. */
export interface LatencyFigures {
  checks: number;
  average: number | null;
  p50: number | null;
  p90: number | null;
  p95: number | null;
  p99: number | null;
  min: number | null;
  max: number | null;
}

export interface LatencyPhases {
  dns: number | null;
  connect: number | null;
  tls: number | null;
  firstByte: number | null;
  transfer: number | null;
}

/** The figures without successful checks. */
export const NO_LATENCY: LatencyFigures & LatencyPhases = {
  checks: 0,
  average: null,
  p50: null,
  p90: null,
  p95: null,
  p99: null,
  min: null,
  max: null,
  dns: null,
  connect: null,
  tls: null,
  firstByte: null,
  transfer: null,
};

const SHARES = [0.5, 0.9, 0.95, 0.99];

/** ms with two decimals. */
const ms = (us: number) => Math.round(us / 10) / 100;

/** The figures of all parts together, ms: average, minimum and maximum exact, percentiles within 1 %. */
export function latencyFigures(parts: readonly LatencyPart[]): (LatencyFigures & LatencyPhases) | null {
  const sum = (of: 'checks' | 'totalUs' | 'dnsUs' | 'connectUs' | 'tlsUs' | 'firstByteUs' | 'transferUs') =>
    parts.reduce((total, part) => total + part[of], 0);
  const checks = sum('checks');
  if (checks === 0) return null;
  const bounds = {
    minUs: Math.min(...parts.map(({ minUs }) => minUs)),
    maxUs: Math.max(...parts.map(({ maxUs }) => maxUs)),
  };
  const histogram = new LatencyHistogram();
  for (const { histogram: encoded, totals } of parts) {
    if (encoded) histogram.addEncoded(encoded);
    if (totals) addPackedTotals(histogram, totals);
  }
  const [p50 = null, p90 = null, p95 = null, p99 = null] = histogram.quantiles(SHARES, bounds).map(ms);
  return {
    checks,
    average: ms(sum('totalUs') / checks),
    p50,
    p90,
    p95,
    p99,
    min: ms(bounds.minUs),
    max: ms(bounds.maxUs),
    dns: ms(sum('dnsUs') / checks),
    connect: ms(sum('connectUs') / checks),
    tls: ms(sum('tlsUs') / checks),
    firstByte: ms(sum('firstByteUs') / checks),
    transfer: ms(sum('transferUs') / checks),
  };
}
