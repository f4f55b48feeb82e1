import { cleanLine, cleanText } from '@watchpost/shared/clean-line';
import type { AlertMessage, NotifiedEvent } from '../messages/alert-message.js';
import type { MessageLinks } from '../sending/channels.js';
import { webhookContent } from '../webhook-body.js';
import { renderTemplate } from './liquid-text.js';

const MOST_BODY = 4_000;

/**
 * Composes a message by the template of a group: the first line is the title, and the others are the body. Links stay ours; what is not about a monitor, such as a test, has our text.
 * @param message ours, which is sent where the template fails
 */
export function composeByTemplate(
  template: string,
  message: AlertMessage,
  event: NotifiedEvent,
  links: MessageLinks,
): { message: AlertMessage; failure: string | null } {
  if (event.subject.monitor === null && event.subject.incident === null) return { message, failure: null };
  const { type, timestamp, data } = webhookContent(event, links);
  const { monitor, incident, workspaceId: id, detail = {} } = data;
  const rendered = renderTemplate(template, {
    monitor,
    incident,
    event: { type, timestamp, detail },
    workspace: { id, name: event.subject.workspaceName },
  });
  if ('failure' in rendered) return { message, failure: rendered.failure };
  const [first = '', ...lines] = rendered.text.trim().split('\n');
  const title = cleanLine(first);
  if (title === '') return { message, failure: 'its first line is empty' };
  const body = cleanText(lines.join('\n').trim(), MOST_BODY);
  return {
    message: { ...message, title, sentences: body === '' ? [] : [body], facts: [], byTemplate: true },
    failure: null,
  };
}
