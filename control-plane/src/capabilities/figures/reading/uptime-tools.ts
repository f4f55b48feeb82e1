import { z } from 'zod';
import { DAY_MS } from '@watchpost/shared/time';
import { isoTimestamp } from '../../../platform/http/schemas.js';
import { oneOf, READS, tool, type Tool } from '../../../platform/mcp/tool.js';
import { idArgument } from '../../../platform/mcp/tool-schemas.js';
import { readMonitorName } from '../../monitors/index.js';
import type { ReportDeps } from './read-availability.js';
import { maintenanceFigures } from './results-schemas.js';
import { readUptime } from './read-uptime.js';

const count = z.int().min(0);

const output = z.strictObject({
  monitorId: z.uuid(),
  monitorName: z.string(),
  url: z.string().nullable(),
  daysBack: z.int(),
  periodStart: isoTimestamp.describe('The full hour where single results are no longer kept'),
  periodEnd: isoTimestamp,
  totalChecks: count,
  healthyChecks: count,
  unhealthyChecks: count,
  uptimePercentage: z.number().min(0).max(100).nullable().describe('Four decimals; null without checks'),
  ...maintenanceFigures,
  uptimeFormatted: z.string().describe('For people: 99.9306%'),
});

/** Uptime over MCP: what the availability of REST counts. */
export function uptimeTools(deps: ReportDeps): Tool[] {
  return [
    tool({
      name: 'get_monitor_uptime',
      title: 'Get the uptime of a monitor',
      description:
        'Returns how reliable a monitor was over the last days, as the share of healthy checks over all regions: for "what was our ' +
        'uptime this month?" and service levels. Inconclusive checks and those in maintenance windows do not count. For what happened in detail use ' +
        'list_all_incidents.',
      input: z.strictObject({
        monitorId: idArgument('The id of the monitor, as list_monitors gives it.'),
        daysBack: z.int().min(1).max(365).default(30).describe('How many days back from now, 1 to 365.'),
      }),
      output,
      access: { scopes: ['monitor.admin', 'monitor.read'], role: 'Viewer', feature: 'mcpRead' },
      effect: READS,
      async handle({ args, actor }) {
        const { monitorId, daysBack } = args;
        const endMs = deps.clock.now();
        const startMs = endMs - daysBack * DAY_MS;
        const { name, url } = await readMonitorName(deps, actor, monitorId);
        const uptime = await readUptime(deps, actor.workspace.workspaceId, monitorId, { startMs, endMs });
        return oneOf({
          monitorId,
          monitorName: name,
          url,
          daysBack,
          periodStart: new Date(uptime.startMs).toISOString(),
          periodEnd: new Date(uptime.endMs).toISOString(),
          totalChecks: uptime.total,
          healthyChecks: uptime.healthy,
          unhealthyChecks: uptime.unhealthy,
          uptimePercentage: uptime.uptimePercentage,
          maintenanceSeconds: uptime.maintenanceSeconds,
          uptimePercentageWithMaintenance: uptime.uptimePercentageWithMaintenance,
          uptimeFormatted: uptime.uptimePercentage === null ? 'no checks' : `${uptime.uptimePercentage.toFixed(4)}%`,
        });
      },
    }),
  ];
}
