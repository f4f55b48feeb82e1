import type { Bench } from './bench.js';
import { scaleDeadlineSeconds } from './scale/cell-plan.js';

/** In the order in which they run. */
export const BENCHES: readonly Bench[] = [
  { name: 'probe', deadlineSeconds: 420, load: async () => (await import('./probe.js')).benchProbe },
  { name: 'assertions', deadlineSeconds: 60, load: async () => (await import('./assertions.js')).benchAssertions },
  { name: 'dnssec', deadlineSeconds: 60, load: async () => (await import('./dnssec.js')).benchDnssec },
  { name: 'agent-cost', deadlineSeconds: 540, load: async () => (await import('./agent-cost.js')).benchAgentCost },
  { name: 'start-lag', deadlineSeconds: 90, load: async () => (await import('./start-lag.js')).benchStartLag },
  { name: 'agent-memory', deadlineSeconds: 90, load: async () => (await import('./agent-memory.js')).benchAgentMemory },
  {
    name: 'agent-restart',
    deadlineSeconds: 60,
    load: async () => (await import('./agent-restart.js')).benchAgentRestart,
  },
  { name: 'ingest', deadlineSeconds: 120, load: async () => (await import('./ingest.js')).benchIngest },
  { name: 'stream', deadlineSeconds: 120, load: async () => (await import('./stream.js')).benchStream },
  {
    name: 'product-cost',
    deadlineSeconds: ({ minutes = 3 }) => 2 * (180 + minutes * 65) + 60,
    load: async () => (await import('./product-cost.js')).benchProductCost,
  },
  {
    name: 'peers',
    isOnRequest: true,
    deadlineSeconds: ({ minutes = 3 }) => 2 * (270 + minutes * 65) + 60,
    load: async () => (await import('./peers.js')).benchPeers,
  },
  { name: 'idle', deadlineSeconds: 600, load: async () => (await import('./idle.js')).benchIdle },
  {
    name: 'scale-sweep',
    deadlineSeconds: 600,
    load: async () => (await import('./sweep-scale.js')).benchSweepScale,
  },
  { name: 'snapshot', deadlineSeconds: 600, load: async () => (await import('./snapshot.js')).benchSnapshot },
  {
    name: 'autovacuum',
    isOnRequest: true,
    deadlineSeconds: ({ minutes = 5 }) => minutes * 75 + 120,
    load: async () => (await import('./autovacuum.js')).benchAutovacuum,
  },
  { name: 'change', deadlineSeconds: 90, load: async () => (await import('./change.js')).benchChange },
  { name: 'fleet', deadlineSeconds: 120, load: async () => (await import('./fleet.js')).benchFleet },
  { name: 'scale-fleet', deadlineSeconds: 180, load: async () => (await import('./scale-fleet.js')).benchScaleFleet },
  {
    name: 'scale',
    isOnRequest: true,
    deadlineSeconds: scaleDeadlineSeconds,
    load: async () => (await import('./scale/scale.js')).benchScale,
  },
  { name: 'page', deadlineSeconds: 90, load: async () => (await import('./page.js')).benchPage },
  { name: 'alerts', deadlineSeconds: 90, load: async () => (await import('./alerts.js')).benchAlerts },
  { name: 'delivery', deadlineSeconds: 180, load: async () => (await import('./delivery.js')).benchDelivery },
  { name: 'storm', deadlineSeconds: 900, load: async () => (await import('./storm.js')).benchStorm },
  { name: 'reports', deadlineSeconds: 240, load: async () => (await import('./reports.js')).benchReports },
  { name: 'packing', deadlineSeconds: 240, load: async () => (await import('./packing.js')).benchPacking },
  { name: 'mcp', deadlineSeconds: 150, load: async () => (await import('./mcp.js')).benchMcp },
  { name: 'overview', deadlineSeconds: 240, load: async () => (await import('./overview.js')).benchOverview },
  { name: 'documents', deadlineSeconds: 300, load: async () => (await import('./documents.js')).benchDocuments },
  { name: 'pings', deadlineSeconds: 240, load: async () => (await import('./pings.js')).benchPings },
  { name: 'rest', deadlineSeconds: 300, load: async () => (await import('./rest.js')).benchRest },
];
