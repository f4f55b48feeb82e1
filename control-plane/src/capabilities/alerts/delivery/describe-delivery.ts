import type { DeliveryView } from './delivery-schemas.js';
import type { DeliveryRow } from './delivery-store.js';

/** A delivery as it is shown. */
export function describeDelivery(row: DeliveryRow): DeliveryView {
  const { address, created, lastAttempt, nextAttempt, finished, ...rest } = row;
  return {
    ...rest,
    destination: address,
    created: created.toISOString(),
    lastAttempt: lastAttempt?.toISOString() ?? null,
    nextAttempt: nextAttempt?.toISOString() ?? null,
    finished: finished?.toISOString() ?? null,
  };
}
