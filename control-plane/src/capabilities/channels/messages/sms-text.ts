import { cleanLine, unlink } from '@watchpost/shared/clean-line';
import type { MessageLinks } from '../sending/channels.js';
import type { AlertMessage, Notification } from './alert-message.js';
import { ACKNOWLEDGE_LABEL, composeMessage, EVIDENCE_LABEL } from './compose-message.js';

/** Two SMS parts in the GSM 7-bit alphabet. */
const MAX_LENGTH = 306;
/** If fewer characters are left for the sentences, the link to the evidence is omitted. */
const MIN_SENTENCES = 40;
const MAX_LINES = 10;

/**
 * Renders what one SMS contains: the words of a template, with the links of the last event, or ours about each event.
 * @param message about all of them
 */
export function smsOf(
  message: AlertMessage,
  notifications: readonly [Notification, ...Notification[]],
  links: MessageLinks,
): string {
  const each = notifications.map(({ event, extra }) => composeMessage(event, links, extra));
  return message.byTemplate
    ? smsText({ ...message, links: each.at(-1)!.links })
    : smsSummary(each, notifications[0].extra.acknowledgeAllUrl);
}

/** Renders a message as SMS: the title, the links, and as much of the sentences as fits. */
export function smsText(message: AlertMessage): string {
  const acknowledge = acknowledgeLink(message);
  const title = smsLine(message.title, 120);
  const both = evidenceLink(message) + acknowledge;
  const left = (link: string) => MAX_LENGTH - title.length - link.length - 14;
  const link = left(both) >= MIN_SENTENCES ? both : acknowledge;
  return `Watchpost: ${title}. ${smsLine(message.sentences.join(' '), Math.max(20, left(link)))}${link}`;
}

/**
 * Renders several messages as one SMS.
 * @param acknowledgeAllUrl acknowledges the incidents of all of them
 */
export function smsSummary(messages: readonly AlertMessage[], acknowledgeAllUrl?: string): string {
  if (messages.length === 1) return smsText(messages[0]!);
  const lines = messages.slice(-MAX_LINES).map(({ title }) => smsLine(title, 60));
  const more = messages.length - lines.length;
  // The link acknowledges one incident, so its label contains the title of that one.
  const last = messages.findLast((message) => acknowledgeLink(message) !== '');
  const link =
    acknowledgeAllUrl !== undefined
      ? ` Acknowledge all: ${acknowledgeAllUrl}`
      : last
        ? acknowledgeLink(last, smsLine(last.title, 60))
        : '';
  const evidence = evidenceLink(messages.at(-1)!, 'Evidence of the last');
  return `Watchpost: ${messages.length} alerts: ${lines.join('; ')}${more > 0 ? `; and ${more} before` : ''}.${evidence}${link}`;
}

function evidenceLink({ links }: AlertMessage, label = 'Evidence'): string {
  const link = links.find((one) => one.label === EVIDENCE_LABEL);
  return link ? ` ${label}: ${link.url}` : '';
}

function acknowledgeLink({ links }: AlertMessage, what?: string): string {
  const link = links.find(({ label }) => label === ACKNOWLEDGE_LABEL);
  return link ? ` ${link.label}${what === undefined ? '' : ` "${what}"`}: ${link.url}` : '';
}

/**
 * One line without links. A single character outside the GSM 7-bit alphabet would make every part of the SMS less than half as
 * long: what cuts a text here and earlier, and the one character of ASCII that the alphabet lacks, are replaced.
 */
function smsLine(text: string, most: number): string {
  return cleanLine(unlink(text).replaceAll('…', '...').replaceAll('`', "'"), most, '...');
}
