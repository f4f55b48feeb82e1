import type { Destination } from '../channels/channels.js';
import type { SendOutcome } from '../channels/send-outcome.js';
import { sendMessage, type Notification } from '../channels/send-message.js';
import type { DeliveryDeps } from './delivery-deps.js';

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
