import { notFound } from '@watchpost/shared/fault';
import type { Tx } from '../../platform/db/database.js';
import type { ActionGroup } from './action-group.js';
import { actionGroupStore, type GroupFilter, type SealedGroupRow } from './action-group-store.js';
import { describeActionGroup } from './describe-action-group.js';
import type { RecipientRules } from './recipients/recipient-rules.js';

/** Holds a group until the transaction ends, and reads it as it is shown. @throws Fault not_found */
export async function lockActionGroup(
  rules: RecipientRules,
  tx: Tx,
  workspaceId: string,
  id: string,
  filter: GroupFilter = {},
  strength: 'NO KEY UPDATE' | 'UPDATE' = 'NO KEY UPDATE',
): Promise<{ row: SealedGroupRow; group: ActionGroup }> {
  const row = await actionGroupStore.lock(workspaceId, tx, id, filter, strength);
  if (!row) throw notFound('action group');
  // A statement of its own: while the lock was waited for, monitors may have come and gone.
  return { row, group: describeActionGroup(await actionGroupStore.find(workspaceId, tx, id, filter), rules) };
}
