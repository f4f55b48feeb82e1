import type { Clock } from '@watchpost/shared/clock';
import type { Tx } from '../../../platform/db/database.js';
import { recordAudit } from '../../audit/index.js';
import { channelLimit, type Entitlements } from '../../plans/index.js';
import { ACTION_GROUP_TYPES, typesWithin } from '../../channels/index.js';
import { disabledGroup } from '../../delivery/index.js';
import { groupLimitStore } from './group-limit-store.js';

/**
 * Disables the groups of an owner that are over the limits of the plan, the newest of each channel first. Nothing is
 * deleted or enabled again automatically. Call it in the transaction that lowers the limits and locks the owner's
 * account.
 */
export async function disableGroupsOverLimit(
  deps: { clock: Clock },
  tx: Tx,
  ownerId: string,
  { limits }: Pick<Entitlements, 'limits'>,
): Promise<void> {
  const now = new Date(deps.clock.now());
  for (const limit of new Set(ACTION_GROUP_TYPES.map(channelLimit))) {
    const keep = limits[limit];
    if (keep === null) continue;
    const disabled = await groupLimitStore.disableNewest(ownerId, tx, typesWithin(limit), keep, now);
    await recordAudit(deps, tx, 'system', ...disabled.map(disabledGroup));
  }
}
