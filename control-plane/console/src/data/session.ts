import { computed, signal } from '@preact/signals';
import { queryText, type Query } from './address.js';
import type { FirstDocument } from '@watchpost/control-plane/capabilities/sign-in/first-document-schemas';

export const first = readFirstDocument();

/** The workspaces of the user; what a screen creates or renames joins here. */
export const workspaces = signal<FirstWorkspace[]>(first?.workspaces ?? []);

/** The workspace of the address, to which requests belong. */
export const workspaceId = signal(first?.workspaceId ?? first?.workspaces[0]?.id ?? '');

export const workspace = computed(() => workspaces.value.find(({ id }) => id === workspaceId.value));

/** A request was answered with 401: nothing more can be read before the user signs in again. */
export const sessionEnded = signal(false);

const RANK: Record<Role, number> = { Viewer: 0, Responder: 1, Editor: 2, Admin: 3, Owner: 4 };

/** @returns whether the user's role in the workspace is at least this one */
export function hasRole(role: Role): boolean {
  const own = workspace.value?.role;
  return own !== undefined && RANK[own] >= RANK[role];
}

export function signInAddress(): string {
  return `/console/sign-in?returnTo=${encodeURIComponent(location.pathname + location.search)}`;
}

/** The path of a screen in the current workspace: `pathTo('/monitors')`. Reading it follows the workspace. */
export function pathTo(screen = '', query?: Query): string {
  return `/console/w/${workspaceId.value}${screen}${queryText(query)}`;
}

export type FirstWorkspace = FirstDocument['workspaces'][number];
export type Role = FirstWorkspace['role'];

/** @returns the first document; undefined where the page has none, as the sign-in page */
function readFirstDocument(): FirstDocument | undefined {
  const text = document.getElementById('first')?.textContent;
  return text ? (JSON.parse(text) as FirstDocument) : undefined;
}
