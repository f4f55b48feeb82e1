import type { Clock } from '@watchpost/shared/clock';
import type { Tx } from '../../platform/db/database.js';
import { LAST } from './decide-escalation.js';
import { pagingStore } from './paging-store.js';

/**
 * Has the leads paged at once, as if nobody on call could be reached: the steps before it would page the person again who
 * asks for this. It is stored in the transaction, and the next run of paging takes the step.
 * @returns the incidents for which anybody is left to page
 */
export async function escalateNow(
  { clock }: { clock: Clock },
  tx: Tx,
  workspaceId: string,
  incidentIds: readonly string[],
): Promise<Set<string>> {
  return pagingStore.hasten(workspaceId, tx, { incidentIds, step: LAST }, new Date(clock.now()));
}
