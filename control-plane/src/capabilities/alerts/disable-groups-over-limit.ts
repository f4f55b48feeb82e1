import type { Clock } from '@watchpost/shared/clock';
import type { Tx } from '../../platform/db/database.js';
import { recordAudit } from '../audit/index.js';
import type { Entitlements } from '../plans/index.js';
import { ACTION_GROUP_TYPES, LIMIT_OF } from './action-group.js';
import { disabledGroup } from './audited-group.js';
import { groupLimitStore } from './group-limit-store.js';

/**
 * Disables what an owner has enabled over the limits of the plan, the newest of each channel first. Nothing is
 * deleted, and nothing is enabled again by itself. To be called in the transaction that makes the limits
 * smaller and holds the owner's account.
 */
export async function disableGroupsOverLimit(
  deps: { clock: Clock },
  tx: Tx,
  ownerId: string,
  { limits }: Pick<Entitlements, 'limits'>,
): Promise<void> {
  const now = new Date(deps.clock.now());
  for (const type of ACTION_GROUP_TYPES) {
    const keep = limits[LIMIT_OF[type]];
    if (keep === null) continue;
    const disabled = await groupLimitStore.disableNewest(ownerId, tx, type, keep, now);
    await recordAudit(deps, tx, 'system', ...disabled.map(disabledGroup));
  }
}
