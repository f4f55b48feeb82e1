import type { Clock } from '@watchpost/shared/clock';
import type { Tx } from '../../../platform/db/database.js';
import { type JointLink, newAcknowledgeLink, storeJointLinks } from '../links/acknowledge-link.js';
import { pagedUserOf } from './decide-joint.js';
import type { LeasedLane } from '../queue/delivery-lane.js';
import { deliveryStore, type DueDelivery } from '../queue/delivery-store.js';

/** A message that contains one delivery or several, before its first attempt. */
export interface JointMessage {
  workspaceId: string;
  messageId: string;
  deliveries: readonly DueDelivery[];
  /** Acknowledges all of its incidents; null where it contains one, or its reader may acknowledge none. */
  link: { url: string; hash: Buffer; userId: string } | null;
}

/** @param batch at least one */
export function newJointMessage(
  baseUrl: string,
  { workspaceId }: LeasedLane,
  batch: readonly DueDelivery[],
): JointMessage {
  const userId = batch.map(pagedUserOf).find((id) => id !== null);
  const link =
    userId !== undefined && acknowledgeable(batch).length > 1 ? { ...newAcknowledgeLink(baseUrl), userId } : null;
  return { workspaceId, messageId: batch[0]!.id, deliveries: batch, link };
}

/**
 * Fixes what messages contain, and issues the links that acknowledge all incidents of one.
 * @returns the deliveries that each contains
 */
export async function joinDeliveries(
  deps: { clock: Clock },
  tx: Tx,
  messages: readonly JointMessage[],
): Promise<DueDelivery[][]> {
  const rows = messages.flatMap(({ workspaceId, messageId, deliveries, link }) =>
    deliveries.map(({ id }) => ({
      workspaceId,
      id,
      messageId,
      extra: link === null ? {} : { acknowledgeAllUrl: link.url },
    })),
  );
  const free = await deliveryStore.join(tx, rows);
  const joined = messages.map(({ messageId, deliveries, link }) =>
    deliveries
      .filter(({ id }) => free.has(id))
      .map((one) => ({
        ...one,
        messageId,
        extra: link === null ? one.extra : { ...one.extra, acknowledgeAllUrl: link.url },
      })),
  );
  const links = messages.flatMap(({ workspaceId, link }, place): JointLink[] => {
    const incidentIds = acknowledgeable(joined[place]!);
    return link === null || incidentIds.length === 0
      ? []
      : [{ workspaceId, incidentIds, userId: link.userId, hash: link.hash }];
  });
  await storeJointLinks(deps, tx, links);
  return joined;
}

/** The incidents that the reader of a message may acknowledge by links. */
function acknowledgeable(deliveries: readonly DueDelivery[]): string[] {
  const ids = deliveries.flatMap(({ incidentId, extra }) =>
    incidentId !== null && extra.acknowledgeUrl !== undefined ? [incidentId] : [],
  );
  return [...new Set(ids)];
}
