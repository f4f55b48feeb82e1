import type { Role } from '../../platform/identity/caller.js';
import type { readMonitorCharts } from '../figures/index.js';
import type { countMonitorGroups, listMonitors, MONITOR_FORM } from '../monitors/index.js';
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
  /** True with the embedded provider, which is reached from the machine of the service alone. */
  isLocal: boolean;
  /** The claim that a workspace may map to roles; null: none. */
  roleClaim: string | null;
  /** From which the stream of events brings what is not in the document. */
  eventId: string;
  /** The document was made then: the clock of the browser may be wrong. */
  serverTime: string;
  /** As `GET /api/v1/overview` answers; null where the path is another screen. */
  overview: Awaited<ReturnType<typeof readOverview>> | null;
  /** The answer of `GET /api/v1/overview/groups`, where the address of the overview names what its picture is grouped by. */
  groups: ({ by: string } & Awaited<ReturnType<typeof countMonitorGroups>>) | null;
  /** The first page of the list of monitors with their charts, where the path is the overview. */
  monitors: {
    monitors: Awaited<ReturnType<typeof listMonitors>>['items'];
    total: number;
    charts: Awaited<ReturnType<typeof readMonitorCharts>>;
  } | null;
  monitorForm: typeof MONITOR_FORM;
}
