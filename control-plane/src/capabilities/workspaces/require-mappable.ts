import { isDeepStrictEqual } from 'node:util';
import { Fault } from '@watchpost/shared/fault';
import { whomToAsk } from '../../platform/identity/admission.js';
import type { RoleMapping } from './decide-mapped-role.js';
import type { WorkspaceChangeDeps } from './workspace-deps.js';

const MAX_MAPPED_VALUES = 100;

/**
 * Admins and the Owner change the mapping, which has no role above Admin: so nobody maps above the own role.
 * @throws Fault `validation_failed` where the operator has named no claim, or there are too many values
 */
export function requireMappable(
  { installation: { roleClaim, contact } }: Pick<WorkspaceChangeDeps, 'installation'>,
  before: RoleMapping,
  after: RoleMapping,
): void {
  const count = Object.keys(after).length;
  if (count === 0 || isDeepStrictEqual(before, after)) return;
  const message =
    roleClaim === null
      ? `takes no values: this installation of Watchpost gives no roles by a claim; ${whomToAsk(contact)}`
      : count > MAX_MAPPED_VALUES && `has ${count} values, and may have ${MAX_MAPPED_VALUES}`;
  if (message)
    throw new Fault('validation_failed', `The mapping of roles ${message}`, [
      { path: 'settings.roleMapping', message },
    ]);
}
