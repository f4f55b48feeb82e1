import type { AlertMessage } from './messages/alert-message.js';
import { type Channel, defineChannel } from './channel.js';
import { composeMessage } from './messages/compose-message.js';
import { type JsonRequest, postJson } from './sending/post-json.js';

/** A chat that takes messages at a secret URL. */
interface Chat<Type extends string> extends Pick<Channel<Type>, 'type' | 'id' | 'title'> {
  /** Where people find the URL. */
  help: string;
  example: string;
  /** @returns what is posted, as the service wants it */
  message(message: AlertMessage): Record<string, unknown>;
  /** As of `JsonRequest`. */
  judge?: JsonRequest['judge'];
}

export function defineChat<const Type extends string>(definition: Chat<Type>): Channel<Type> {
  const { help, example, message, judge, ...chat } = definition;
  const judged = judge === undefined ? {} : { judge };
  return defineChannel<Type>({
    ...chat,
    article: 'a',
    fields: [{ name: 'webhookUrl', title: 'Webhook URL', kind: 'secretUrl', example, help }],
    destination: 'webhookUrl',
    isPersonal: false,
    outlet: 'webhook',
    // The stored address is masked already.
    mask: (address) => address,
    render: (event, links) => ({ text: null, body: message(composeMessage(event, links)) }),
    send: ({ channels, destination: { fields = {} }, message: sent, nowMs }) =>
      postJson(channels, { url: String(fields['webhookUrl']), body: message(sent), ...judged }, nowMs),
  });
}
