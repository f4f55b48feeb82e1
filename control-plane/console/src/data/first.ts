import type { MonitorForm, MonitorView } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';

export type Role = 'Owner' | 'Admin' | 'Editor' | 'Responder' | 'Viewer';

export interface FirstWorkspace {
  id: string;
  name: string;
  role: Role;
  plan: string;
}

/** What the HTML of the console contains, so that the first screen needs no request. */
export interface FirstDocument {
  /** Of the program that served it. */
  version: string;
  user: { id: string; name: string; email: string | null };
  workspaces: FirstWorkspace[];
  workspaceId: string | null;
  /** Whether people create workspaces, or only operators do. */
  mayCreateWorkspaces: boolean;
  /** From which the stream of events brings what is not in the document. */
  eventId: string;
  sessionEndsAt: string;
  /** When the server made the document. */
  serverTime: string;
  /** Only where the path is the overview. */
  overview?: unknown;
  /** The first page of the list of monitors with their charts, where the path is the overview. */
  monitors?: { monitors: MonitorView[]; total: number; charts: unknown[] } | null;
  monitorForm: MonitorForm;
}

/** @returns the first document; undefined where the page has none, as the sign-in page */
export function readFirstDocument(): FirstDocument | undefined {
  const text = document.getElementById('first')?.textContent;
  return text ? (JSON.parse(text) as FirstDocument) : undefined;
}
