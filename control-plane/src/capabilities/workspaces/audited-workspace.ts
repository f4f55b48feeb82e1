import type { Workspace } from './workspace-schemas.js';

/** The fields of a workspace that people set, for the audit log. */
export function auditedWorkspace({ name, ownerId, settings }: Workspace): object {
  return { name, ownerId, settings };
}
