import { z } from 'zod';
import { rowsOfPage } from '../../platform/http/schemas.js';
import { viewOf } from '../../platform/http/view-of.js';
import { pageOf, READS, tool, type Tool, type ToolAccess } from '../../platform/mcp/tool.js';
import { listOutput, pageArguments, pageAsked } from '../../platform/mcp/tool-schemas.js';
import type { MaintenanceReadDeps } from './maintenance-deps.js';
import { windowListQuery, windowSchema } from './maintenance-schemas.js';
import { listWindows } from './read-windows.js';

const READ: ToolAccess = { scopes: ['monitor.admin', 'monitor.read'], role: 'Viewer', feature: 'mcpRead' };

const shownWindow = windowSchema.omit({
  statusPageIds: true,
  notifySubscribers: true,
  created: true,
  lastModified: true,
});

export function maintenanceTools(deps: MaintenanceReadDeps): Tool[] {
  return [
    tool({
      name: 'list_maintenance_windows',
      title: 'List maintenance windows',
      description:
        'Lists planned work: when each window runs, what it covers, and when it comes next. For why an outage notified nobody, ' +
        'or what is planned. While a window is active no incident opens for what it covers.',
      input: z.strictObject({
        state: windowListQuery.shape.state.describe('Only windows that are scheduled, active or finished.'),
        ...pageArguments,
      }),
      output: listOutput(shownWindow),
      access: READ,
      effect: READS,
      async handle({ args, actor }) {
        const page = pageAsked(args);
        const { items, total } = await listWindows(deps, actor, args.state ?? null, rowsOfPage(page));
        return pageOf(
          items.map((window) => viewOf(shownWindow, window)),
          total,
          page,
        );
      },
    }),
  ];
}
