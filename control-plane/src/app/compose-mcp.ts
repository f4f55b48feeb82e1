import { createEgressPolicy } from '@watchpost/shared/egress';
import type { Platform } from './platform.js';
import type { Coordination } from '../platform/coordination/coordination.js';
import { checkTools, PUBLIC_CHECKS, type Fleet } from '../capabilities/fleet/index.js';
import { type DiagnosisDeps, diagnosisTools } from '../capabilities/diagnosis/index.js';
import { incidentTools } from '../capabilities/incidents/index.js';
import { EventStreams } from '../platform/mcp/event-streams.js';
import { McpMetrics } from '../platform/mcp/mcp-metrics.js';
import { Sessions } from '../platform/mcp/sessions.js';
import type { Route } from '../platform/http/route.js';
import type { Tool } from '../platform/mcp/tool.js';
import { maintenanceTools } from '../capabilities/maintenance/index.js';
import { monitorTools } from '../capabilities/monitors/index.js';
import { twinTools } from './twin-tools.js';
import { uptimeTools } from '../capabilities/figures/index.js';

/** What assistants get: the tools of the slices, and what the shell keeps for them. */
export interface ComposedMcp {
  tools: readonly Tool[];
  metrics: McpMetrics;
  sessions: Sessions;
  streams: EventStreams;
}

export function composeMcp(
  platform: Platform,
  { createLimiter }: Coordination,
  fleet: Fleet,
  diagnosis: DiagnosisDeps,
  routes: readonly Route[],
  baseUrl: string,
): ComposedMcp {
  const { config, db, clock, logger, registry, secretBox } = platform;
  const metrics = new McpMetrics(registry);
  return {
    tools: [
      ...incidentTools({ db, clock }),
      ...diagnosisTools(diagnosis),
      ...monitorTools({ db, clock, secretBox, baseUrl }),
      ...maintenanceTools({ db, clock }),
      ...twinTools(routes, { clock }),
      ...uptimeTools({ db, clock, retentionDays: config.retentionRawDays }),
      ...checkTools({
        fleet,
        clock,
        egress: createEgressPolicy({ allowCidrs: config.publicCheckAllowCidrs, denyCidrs: config.probeDenyCidrs }),
        limits: {
          address: createLimiter({ keyPrefix: 'public-check', points: PUBLIC_CHECKS.address, windowSeconds: 60 }),
          network: createLimiter({ keyPrefix: 'public-check-net', points: PUBLIC_CHECKS.network, windowSeconds: 60 }),
          everybody: createLimiter({
            keyPrefix: 'public-check-all',
            points: PUBLIC_CHECKS.everybody,
            windowSeconds: 60,
          }),
        },
      }),
    ],
    metrics,
    sessions: new Sessions({ db, clock, secretBox }),
    streams: new EventStreams(metrics.streams, logger),
  };
}
