import { cleanLine, cleanText } from '@watchpost/shared/clean-line';
import type { Channel } from '../channel.js';
import type { AlertMessage, Notification } from '../messages/alert-message.js';
import { composeJointMessage, itemsAsSentences, latestOfEach } from '../messages/compose-joint-message.js';
import { composeMessage } from '../messages/compose-message.js';
import type { MessageLinks } from '../sending/channels.js';
import { webhookContent } from '../webhook-body.js';
import { renderTemplate } from './liquid-text.js';

const MOST_BODY = 4_000;

type Some<Item> = readonly [Item, ...Item[]];

/** What people read, and why the template failed, so that it is in our words; null where it did not. */
export interface Composed {
  message: AlertMessage;
  failure: string | null;
}

/**
 * Composes one message about all that it contains, by the template of the group where it has one.
 * @param template null where the group has none
 */
export function composeForGroup(
  { isPersonal }: Pick<Channel, 'isPersonal'>,
  template: string | null,
  notifications: Some<Notification>,
  links: MessageLinks,
): Composed {
  const latest = latestOfEach(notifications) as unknown as Some<Notification>;
  const message = oursAbout(isPersonal, latest, links);
  return template === null ? { message, failure: null } : composeByTemplate(template, message, latest, links);
}

function oursAbout(isPersonal: boolean, latest: Some<Notification>, links: MessageLinks): AlertMessage {
  const [{ event, extra }, ...others] = latest;
  if (others.length === 0) return composeMessage(event, links, extra);
  const joint = composeJointMessage(latest, links);
  return isPersonal ? joint : itemsAsSentences(joint);
}

/**
 * The first line of a template is the title, and the others are the body. Links stay ours; what is not about a monitor, such as a test, has our
 * text, and so has a message about several events whose template does not read all: it would hide the others.
 * @param message ours, which is sent where the template fails
 */
function composeByTemplate(
  template: string,
  message: AlertMessage,
  latest: Some<Notification>,
  links: MessageLinks,
): Composed {
  const ours = { message, failure: null };
  if (latest.some(({ event: { subject } }) => subject.monitor === null && subject.incident === null)) return ours;
  const contents = latest.map(({ event }) => webhookContent(event, links));
  const events = contents.map(({ type, timestamp, data: { monitor, incident, detail = {} } }) => ({
    ...{ type, timestamp, detail, monitor, incident },
  }));
  const { monitor, incident, ...event } = events.at(-1)!;
  const [{ event: first }] = latest;
  let readsAll = false;
  const rendered = renderTemplate(template, {
    ...{ monitor, incident, event, workspace: { id: first.workspaceId, name: first.subject.workspaceName } },
    get events() {
      readsAll = true;
      return events;
    },
  });
  if ('failure' in rendered) return { message, failure: rendered.failure };
  if (events.length > 1 && !readsAll) return ours;
  const [title = '', ...lines] = rendered.text.trim().split('\n');
  if (cleanLine(title) === '') return { message, failure: 'its first line is empty' };
  const body = cleanText(lines.join('\n').trim(), MOST_BODY);
  const { items: _, ...rest } = message;
  return {
    message: { ...rest, title: cleanLine(title), sentences: body === '' ? [] : [body], facts: [], byTemplate: true },
    failure: null,
  };
}
