import { mixHash } from '@watchpost/shared/mix-hash';
import type { CheckResult } from '@watchpost/shared/outcome';
import { regionCode, type Region } from '@watchpost/shared/region';
import { MINUTE_MS } from '@watchpost/shared/time';

/** A period in which each monitor is down once or not at all, and how long it is down. */
const PERIOD_MS = 5 * MINUTE_MS;
const DOWN_MS = 3 * MINUTE_MS;
/** One of this many failures is seen in one region only. */
const LOCAL_SHARE = 10;
const TIMEOUT_MS = 30_000;
const RANGE = 2 ** 32;

/** What the simulated sites do. Each outcome follows from the seed, so that all agents and each repeated run agree. */
export interface SimulatedSites {
  seed: number;
  /** The share of monitors that are down at some time of a period. */
  failingShare: number;
}

/** How long a simulated check takes, in ms: 12 to 140, with one in 64 up to ten times slower. */
export function simulatedMs({ seed }: SimulatedSites, monitorKey: number, scheduledAtMs: number): number {
  const drawn = draw(seed, monitorKey, Math.floor(scheduledAtMs / 1_000));
  const usual = 12 + (drawn % 128);
  return (drawn >>> 16) % 64 === 0 ? usual * (1 + ((drawn >>> 22) % 10)) : usual;
}

/** Whether the site of a monitor is down at a time, as the region sees it. */
export function isSimulatedDown(sites: SimulatedSites, monitorKey: number, region: Region, atMs: number): boolean {
  // Each monitor has its own periods, so that failures begin evenly.
  const shiftedMs = atMs + (mixHash(monitorKey ^ sites.seed) % PERIOD_MS);
  const period = Math.floor(shiftedMs / PERIOD_MS);
  const drawn = draw(sites.seed + 1, monitorKey, period);
  if (drawn >= sites.failingShare * RANGE || shiftedMs % PERIOD_MS >= DOWN_MS) return false;
  const isLocal = mixHash(drawn) % LOCAL_SHARE === 0;
  return !isLocal || (mixHash(drawn ^ 1) % 8) + 1 === regionCode(region);
}

export function simulatedResult(
  sites: SimulatedSites,
  monitorKey: number,
  region: Region,
  scheduledAtMs: number,
): CheckResult {
  const isDown = isSimulatedDown(sites, monitorKey, region, scheduledAtMs);
  const totalUs = simulatedMs(sites, monitorKey, scheduledAtMs) * 1_000 + (monitorKey % 1_000);
  return {
    key: { monitorKey, kind: 'http' },
    scheduledAtMs,
    startedAtMs: scheduledAtMs + 1,
    freshMs: 2 * MINUTE_MS + TIMEOUT_MS,
    totalUs,
    timings: {
      dnsUs: Math.floor(totalUs * 0.05),
      connectUs: Math.floor(totalUs * 0.2),
      tlsUs: Math.floor(totalUs * 0.4),
      firstByteUs: Math.floor(totalUs * 0.3),
      transferUs: Math.floor(totalUs * 0.05),
    },
    statusCode: isDown ? 500 : 200,
    address: '203.0.113.7:443',
    evidence: isDown ? { headers: { server: 'simulated' }, bodyStart: 'Internal Server Error' } : null,
    loopLagUs: 120,
    outcome: isDown
      ? {
          kind: 'down',
          phase: 'content',
          reason: 'unexpected_status',
          message: 'The server answered with status 500 Internal Server Error instead of 200-399.',
        }
      : { kind: 'up' },
    ...(isDown && { answer: 'verified' as const }),
  };
}

function draw(seed: number, monitorKey: number, time: number): number {
  return mixHash(mixHash(mixHash(seed) ^ monitorKey) ^ time);
}
