import { Fault } from '@watchpost/shared/fault';
import { type Actor, type Role, roleAllows } from '../identity/caller.js';
import { scopesAllow } from './scopes.js';

/** What a caller needs: one of the scopes, and the role. */
export interface Access {
  scopes: readonly string[];
  role: Role;
}

/** @throws Fault insufficient_scope, insufficient_workspace_role */
export function requireAccess({ caller, workspace }: Actor, { scopes, role }: Access): void {
  requireScope(caller.scopes, scopes);
  requireRole(workspace.role, role);
}

/** @throws Fault insufficient_scope */
export function requireScope(held: ReadonlySet<string>, accepted: readonly string[]): void {
  if (!scopesAllow(held, accepted))
    throw new Fault('insufficient_scope', `This needs a token with one of these scopes: ${accepted.join(', ')}.`);
}

/** @throws Fault insufficient_workspace_role */
export function requireRole(role: Role, minimum: Role): void {
  if (!roleAllows(role, minimum))
    throw new Fault(
      'insufficient_workspace_role',
      `This needs the role ${minimum}; yours in this workspace is ${role}.`,
    );
}
