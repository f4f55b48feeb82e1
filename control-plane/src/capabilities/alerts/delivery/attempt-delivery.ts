import type { Destination } from '../channels/channels.js';
import { type Notification, sendMessage } from '../channels/send-message.js';
import type { SendOutcome } from '../channels/send-outcome.js';
import { admitMessage, returnMessage } from '../recipients/admit-message.js';
import type { Refusal } from '../recipients/decide-admission.js';
import { CONFIRMATION_PURPOSE, type NewDelivery } from './delivery.js';
import type { DeliveryDeps } from './delivery-deps.js';

/** What came of a message; `refused`: the recipient has not agreed, or the budget is used up; `nowhere`: there was nothing to try. */
export type AttemptOutcome =
  | SendOutcome
  | { kind: 'refused'; error: Refusal; statusCode: null; answer: string }
  | { kind: 'nowhere'; statusCode: null; answer: string };

/**
 * As `tryDestination`, where the recipient agreed and the owner's budget allows. Only what is sent is counted; a
 * process that dies in between leaves one too many counted.
 */
export async function attemptDelivery(
  deps: DeliveryDeps,
  workspaceId: string,
  destination: Destination,
  delivery: Pick<NewDelivery, 'id' | 'purpose' | 'groupId'>,
  told: readonly Notification[],
  nowMs: number,
): Promise<AttemptOutcome> {
  const { channel } = destination;
  const send = () => tryDestination(deps, destination, delivery.id, told, nowMs);
  // The code itself is what asks, and took its budget when it was written.
  if ((channel !== 'email' && channel !== 'sms') || delivery.purpose === CONFIRMATION_PURPOSE) return send();
  const purpose = delivery.groupId === null ? 'page' : 'alert';
  const message = { workspaceId, channel, address: destination.address, purpose } as const;
  const admitted = await deps.db.transaction((tx) => admitMessage(deps, tx, message));
  if (admitted === null) return { kind: 'nowhere', statusCode: null, answer: 'The workspace is gone.' };
  if (admitted.refusal !== null)
    return { kind: 'refused', error: admitted.refusal, statusCode: null, answer: admitted.answer };
  const outcome = await send();
  if (outcome.kind !== 'sent') await deps.db.transaction((tx) => returnMessage(tx, admitted));
  return outcome;
}

/**
 * Sends once, and counts it. A fault of our own is an outcome too: it is logged, and the delivery is tried again.
 * @param id of the message, the same at every try
 */
export async function tryDestination(
  deps: Pick<DeliveryDeps, 'channels' | 'metrics' | 'logger'>,
  destination: Destination,
  id: string,
  told: readonly Notification[],
  nowMs: number,
): Promise<SendOutcome> {
  const started = performance.now();
  const outcome = await sendMessage(
    deps.channels,
    destination,
    id,
    told as [Notification, ...Notification[]],
    nowMs,
  ).catch((error: unknown): SendOutcome => {
    deps.logger.error({ err: error, channel: destination.channel, id }, 'a message could not be made or sent');
    return { kind: 'failed', statusCode: null, answer: 'The message could not be sent.' };
  });
  deps.metrics.tried(destination.channel, outcome.kind, performance.now() - started);
  return outcome;
}
