import type { Role } from '../../platform/identity/caller.js';
import type { readMonitorCharts } from '../figures/index.js';
import type { listMonitors, MONITOR_FORM } from '../monitors/index.js';
import type { readOverview } from '../overview/index.js';

/** The document in the HTML of the console, by which its first screen needs no request. */
export interface FirstDocument {
  /** The version of the program that served it. */
  version: string;
  user: { id: string; name: string; email: string | null };
  workspaces: { id: string; name: string; role: Role; plan: string }[];
  /** The workspace of the path, else the one that was used last; null where the user has none. */
  workspaceId: string | null;
  /** True where people create workspaces, false where only operators do. */
  mayCreateWorkspaces: boolean;
  /** The claim that a workspace may map to roles; null: none. */
  roleClaim: string | null;
  /** From which the stream of events brings what is not in the document. */
  eventId: string;
  /** The session ends then if it is not used again. */
  sessionEndsAt: string;
  /** The document was made then: the clock of the browser may be wrong. */
  serverTime: string;
  /** As `GET /api/v1/overview` answers; null where the path is another screen. */
  overview: Awaited<ReturnType<typeof readOverview>> | null;
  /** The first page of the list of monitors with their charts, where the path is the overview. */
  monitors: {
    monitors: Awaited<ReturnType<typeof listMonitors>>['items'];
    total: number;
    charts: Awaited<ReturnType<typeof readMonitorCharts>>;
  } | null;
  monitorForm: typeof MONITOR_FORM;
}
