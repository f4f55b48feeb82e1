import type { MessageHandle, SendOutcome } from '../../../platform/mail/send-outcome.js';
import { channelOf, type Destination, type Notification, type Outgoing, sendMessage } from '../../channels/index.js';
import { type AdmittedMessage, type OutgoingMessage, refundMessage } from '../admission/admit-message.js';
import type { Refusal } from '../admission/decide-admission.js';
import { CONFIRMATION_PURPOSE, type NewDelivery } from '../queue/delivery.js';
import type { DeliveryDeps } from '../delivery-deps.js';

/**
 * The outcome of an attempt. `refused`: the recipient has not agreed, or the budget is used up. `nowhere`: the
 * destination no longer exists.
 */
export type AttemptOutcome =
  | (SendOutcome & { durationMs?: number })
  | { kind: 'refused'; error: Refusal; statusCode: null; answer: string }
  | { kind: 'nowhere'; statusCode: null; answer: string };

/**
 * Sends a message once if the recipient has agreed and the owner's budget allows it. A message that is not sent is
 * refunded; a process that dies before the refund leaves one message too many counted.
 */
export async function attemptDelivery(
  deps: DeliveryDeps & { admit(message: OutgoingMessage): Promise<AdmittedMessage> },
  workspaceId: string,
  destination: Destination,
  delivery: Pick<NewDelivery, 'id' | 'purpose' | 'groupId'> & { handle?: MessageHandle | null },
  notifications: readonly Notification[],
  nowMs: number,
): Promise<AttemptOutcome> {
  const { channel } = destination;
  const { id, handle = null } = delivery;
  const outgoing = { destination, id, notifications: notifications as [Notification, ...Notification[]], handle };
  const send = (isMember = false) => sendOnce(deps, { ...outgoing, destination: { ...destination, isMember } }, nowMs);
  // A confirmation code is the request for agreement; its budget was taken when it was queued.
  const { consent } = channelOf(channel);
  if (!consent || delivery.purpose === CONFIRMATION_PURPOSE) return send();
  const purpose = delivery.groupId === null ? 'page' : 'alert';
  const message = { workspaceId, channel: consent, address: destination.address, purpose } as const;
  const admitted = await deps.admit(message);
  if (admitted === null) return { kind: 'nowhere', statusCode: null, answer: 'The workspace is gone.' };
  if (admitted.refusal !== null)
    return { kind: 'refused', error: admitted.refusal, statusCode: null, answer: admitted.answer };
  const outcome = await send(admitted.isMember);
  if (outcome.kind !== 'sent') await deps.db.transaction((tx) => refundMessage(tx, admitted));
  return outcome;
}

/**
 * Sends a message once and records the metrics. An internal error is logged and is a `failed` outcome, so the delivery
 * is retried.
 */
async function sendOnce(
  deps: Pick<DeliveryDeps, 'channels' | 'evidenceLinks' | 'metrics' | 'logger'>,
  outgoing: Outgoing,
  nowMs: number,
): Promise<SendOutcome & { durationMs: number }> {
  const { id, destination } = outgoing;
  const started = performance.now();
  const outcome = await sendMessage(deps.channels, (subject) => deps.evidenceLinks.do(subject), outgoing, nowMs).catch(
    (error: unknown): SendOutcome => {
      deps.logger.error({ err: error, channel: destination.channel, id }, 'failed to compose or send a message');
      return { kind: 'failed', statusCode: null, answer: 'The message could not be sent.' };
    },
  );
  const durationMs = performance.now() - started;
  deps.metrics.tried(destination.channel, outcome.kind, durationMs);
  return { ...outcome, durationMs: Math.round(durationMs) };
}
