import { performance } from 'node:perf_hooks';
import { COMMIT, VERSION } from '@watchpost/shared/build';
import { collectDefaultMetrics, type Registry } from 'prom-client';
import { metricsOn } from '@watchpost/shared/metrics-on';

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
/** Each sample wakes the process, which costs most where it would sleep. */
const IDLE_SAMPLE_MS = 500;
const BUSY_SAMPLE_MS = 20;
const BUSY_SHARE = 0.1;
/** prom-client's own are times between samples, so that an idle process seems to be blocked for as long as a sample takes. */
const BIASED = ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99'].map(
  (part) => `nodejs_eventloop_lag_${part}_seconds`,
);
const NEVER_MS = 2 ** 31 - 1;

/** Registers the metrics of the process: what runs, those of Node.js, and the delay of its event loop. @returns a function that stops */
export function measureProcess(registry: Registry): () => void {
  metricsOn(registry)
    .gauge('watchpost_build_info', 'Always 1; the labels state what runs', 'version', 'commit', 'node')
    .set({ version: VERSION, commit: COMMIT, node: process.versions.node }, 1);
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: NEVER_MS });
  for (const name of BIASED) registry.removeSingleMetric(name);
  return measureEventLoopDelay(registry);
}

/**
 * By how much timers fire after their time: so long does everything wait that arrives meanwhile. A short block of a process
 * that was idle before may fall between two samples.
 */
export function measureEventLoopDelay(registry: Registry): () => void {
  const delay = metricsOn(registry).histogram(
    'watchpost_event_loop_delay_seconds',
    'By how much timers fire late, because the process computes something else',
    SECONDS,
  );
  let use = performance.eventLoopUtilization();
  let dueMs: number;
  let timer: NodeJS.Timeout;
  const arm = (ms: number): void => {
    dueMs = performance.now() + ms;
    timer = setTimeout(sample, ms).unref();
  };
  const sample = (): void => {
    delay.observe(Math.max(0, performance.now() - dueMs) / 1_000);
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, use);
    use = now;
    arm(utilization > BUSY_SHARE ? BUSY_SAMPLE_MS : IDLE_SAMPLE_MS);
  };
  arm(IDLE_SAMPLE_MS);
  return () => clearTimeout(timer);
}
