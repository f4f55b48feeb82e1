import type { Workspace } from './workspace-schemas.js';

/** For the audit log: what people set of a workspace. */
export function auditedWorkspace({ name, ownerId, settings }: Workspace): object {
  return { name, ownerId, settings };
}
