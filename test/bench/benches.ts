import type { Bench } from './bench.js';

/** In the order in which they run. */
export const BENCHES: readonly Bench[] = [
  { name: 'probe', deadlineSeconds: 180, load: async () => (await import('./probe.js')).benchProbe },
  { name: 'agent-cost', deadlineSeconds: 240, load: async () => (await import('./agent-cost.js')).benchAgentCost },
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
    deadlineSeconds: 150,
    load: async () => (await import('./product-cost.js')).benchProductCost,
  },
  { name: 'change', deadlineSeconds: 90, load: async () => (await import('./change.js')).benchChange },
  { name: 'fleet', deadlineSeconds: 120, load: async () => (await import('./fleet.js')).benchFleet },
  { name: 'page', deadlineSeconds: 90, load: async () => (await import('./page.js')).benchPage },
  { name: 'alerts', deadlineSeconds: 90, load: async () => (await import('./alerts.js')).benchAlerts },
  { name: 'reports', deadlineSeconds: 240, load: async () => (await import('./reports.js')).benchReports },
  { name: 'mcp', deadlineSeconds: 150, load: async () => (await import('./mcp.js')).benchMcp },
  { name: 'rest', deadlineSeconds: 120, load: async () => (await import('./rest.js')).benchRest },
];
