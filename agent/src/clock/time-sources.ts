import { uptime } from 'node:os';
import { performance } from 'node:perf_hooks';
import type { TimeSources } from './server-clock.js';

/** This machine's clocks. On Linux the uptime counts suspension (CLOCK_BOOTTIME), the monotonic clock does not. */
export const systemTimeSources: TimeSources = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  bootMs: () => uptime() * 1000,
};
