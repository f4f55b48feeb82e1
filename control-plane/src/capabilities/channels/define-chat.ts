import type { AlertMessage } from './messages/alert-message.js';
import type { Channel } from './channel.js';
import { webhookUrlField } from './content/field-kinds.js';
import { defineService } from './define-service.js';
import type { JsonRequest } from './sending/post-json.js';

/** A chat that takes messages at a secret URL. */
interface Chat<Type extends string> extends Pick<Channel<Type>, 'type' | 'id' | 'title'> {
  help: string;
  example: string;
  /** @returns what is posted, as the service wants it */
  message(message: AlertMessage): Record<string, unknown>;
  /** As of `JsonRequest`. */
  judge?: JsonRequest['judge'];
}

export function defineChat<const Type extends string>(definition: Chat<Type>): Channel<Type> {
  const { help, example, judge, ...chat } = definition;
  const judged = judge === undefined ? {} : { judge };
  return defineService<Type>({
    ...chat,
    category: 'chat',
    fields: [webhookUrlField({ example, help })],
    destination: 'webhookUrl',
    requests: (body, { webhookUrl }) => [{ url: webhookUrl!, body, ...judged }],
  });
}
