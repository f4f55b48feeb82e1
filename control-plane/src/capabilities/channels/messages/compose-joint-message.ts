import { cleanLine, cleanText } from '@watchpost/shared/clean-line';
import type { AlertMessage, MessageItem, Notification } from './alert-message.js';
import type { MessageLinks } from '../sending/channels.js';
import { composeMessage } from './compose-message.js';
import { asksToAcknowledge } from './describe-change.js';

/** The incidents that a joint message describes; the others are counted. */
export const MOST_DESCRIBED = 20;
/** The incidents in its title. */
const MOST_NAMED = 3;
const MOST_REASONS = 3;
const TONES: readonly AlertMessage['tone'][] = ['bad', 'warning', 'info', 'good'];

/**
 * Composes one message to a person about several incidents: how many, the first ones with the links of each, and a link
 * that acknowledges all.
 * @param latest as returned by `latestOfEach`, several
 */
export function composeJointMessage(latest: readonly Notification[], links: MessageLinks): AlertMessage {
  const messages = latest.map(({ event, extra: { why: _, ...extra } }) => composeMessage(event, links, extra));
  const described = messages.slice(0, MOST_DESCRIBED);
  const open = latest.filter(({ event }) => event.type === 'incident.opened').length;
  const all = latest.map(({ extra }) => extra.acknowledgeAllUrl).find((url) => url?.startsWith(`${links.baseUrl}/`));
  const acknowledge = all === undefined ? [] : [{ label: 'Acknowledge all', url: all }];
  const left = messages.length - described.length;
  const [{ event }] = latest as [Notification];
  return {
    tone: TONES.find((tone) => messages.some((message) => message.tone === tone))!,
    title: titleOf(latest, open),
    sentences: [
      ...reasonsOf(latest),
      ...(open > 0 ? ['Acknowledge the incidents, so that others know that you work on them.'] : []),
      ...(left > 0 ? [`The first ${described.length} are described here, ${left} more are not.`] : []),
    ].map((text) => cleanText(text)),
    facts: [{ name: 'Workspace', value: cleanLine(event.subject.workspaceName) }].filter(({ value }) => value !== ''),
    links: [
      ...acknowledge,
      { label: 'All open incidents', url: `${links.baseUrl}/console/w/${event.workspaceId}/incidents` },
    ],
    thread: described[0]!.thread,
    otherThreads: described.slice(1).flatMap(({ thread }) => (thread === null ? [] : [thread])),
    startsThread: open > 0,
    items: described.map(itemOf),
  };
}

/** Describes each incident of a joint message in a sentence, for chats: their messages have no parts. */
export function itemsAsSentences(message: AlertMessage): AlertMessage {
  const { items = [], sentences } = message;
  return { ...message, sentences: [...sentences, ...items.map((item) => [item.title, ...item.sentences].join(' · '))] };
}

/** Returns the last notification about each incident, at the place of the first. */
export function latestOfEach(notifications: readonly Notification[]): Notification[] {
  return [...new Map(notifications.map((one) => [one.event.subject.incident?.id ?? one.event.id, one])).values()];
}

function itemOf({ title, sentences, links }: AlertMessage): MessageItem {
  // What to do is stated once, for all.
  return { title, sentences: sentences.filter((text) => !asksToAcknowledge(text)), links };
}

function titleOf(notifications: readonly Notification[], open: number): string {
  const count = notifications.length;
  const over = count - open;
  const names = notifications.slice(0, MOST_NAMED).map(({ event: { subject } }) => nameOf(subject));
  const more = count - names.length;
  const what = open === 0 ? ' are over' : over > 0 ? `, ${over} of them over` : '';
  return `${count} incidents${what}: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function nameOf({ monitor, incident }: Notification['event']['subject']): string {
  return cleanLine(monitor?.name ?? incident?.monitorName ?? '', 60);
}

/** Why the reader is notified, each reason once. */
function reasonsOf(notifications: readonly Notification[]): string[] {
  const reasons = new Set(notifications.flatMap(({ extra }) => extra.why ?? []));
  return [...reasons].slice(0, MOST_REASONS);
}
