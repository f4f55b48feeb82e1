import type { AlertMessage, NotifiedEvent } from './messages/alert-message.js';
import { type Channel, defineChannel } from './channel.js';
import { type JsonRequest, postJson } from './sending/post-json.js';
import type { SendOutcome } from '../../platform/mail/send-outcome.js';

type Body = Record<string, unknown>;
/** The fields of a group, with secrets; none in samples. */
type Fields = Readonly<Record<string, string | null>>;

interface Service<Type extends string> extends Pick<
  Channel<Type>,
  'type' | 'id' | 'title' | 'category' | 'fields' | 'destination' | 'alternatives' | 'skips' | 'events'
> {
  /** Default `a`. */
  article?: Channel['article'];
  /** @returns what is posted, without secrets: samples show it */
  message(message: AlertMessage, event: NotifiedEvent, fields: Fields): Body;
  /**
   * The requests that carry a message, one after the other; each has to be accepted before the next one is made. A retry
   * begins with the first, so the service must take each of them twice as once.
   * @param id of the message, the same at every attempt
   */
  requests(body: Body, fields: Fields, event: NotifiedEvent, id: string): JsonRequest[];
}

export function defineService<const Type extends string>(definition: Service<Type>): Channel<Type> {
  const { message, requests, ...channel } = definition;
  return defineChannel<Type>({
    article: 'a',
    ...channel,
    isPersonal: false,
    outlet: 'webhook',
    // Secrets are masked in the stored address already.
    mask: (address) => address,
    render: (sent, [{ event }]) => ({ text: null, body: message(sent, event, {}) }),
    async send({ channels, destination, id, notifications: [{ event }], message: composed, nowMs }) {
      const fields = destination.fields as Fields;
      let outcome: SendOutcome | undefined;
      for (const request of requests(message(composed, event, fields), fields, event, id)) {
        outcome = await postJson(channels, request, nowMs);
        if (outcome.kind !== 'sent') break;
      }
      return outcome!;
    },
  });
}
