import { cleanLine, unlink } from '@watchpost/shared/clean-line';
import type { AlertMessage } from './alert-message.js';
import { EVIDENCE_LABEL } from './compose-message.js';

/** Two parts in the phones' own alphabet. */
const MOST = 306;
/** Less than this says nothing: then the evidence can be asked for elsewhere. */
const LEAST_SAID = 40;
const MOST_LINES = 10;

/** One message as an SMS: its links, and as much of the rest as fits. Where not even that does, the one to acknowledge. */
export function smsText(message: AlertMessage): string {
  const acknowledge = acknowledgeLink(message);
  const title = cleanLine(unlink(message.title), 120);
  const both = evidenceLink(message) + acknowledge;
  const room = (link: string) => MOST - title.length - link.length - 14;
  const link = room(both) >= LEAST_SAID ? both : acknowledge;
  return `Watchpost: ${title}. ${cleanLine(unlink(message.sentences.join(' ')), Math.max(20, room(link)))}${link}`;
}

/** Everything that was held back, in one. */
export function smsSummary(messages: readonly AlertMessage[]): string {
  if (messages.length === 1) return smsText(messages[0]!);
  const lines = messages.slice(-MOST_LINES).map(({ title }) => cleanLine(unlink(title), 60));
  const more = messages.length - lines.length;
  // One link acknowledges one incident: it says which.
  const last = messages.findLast((message) => acknowledgeLink(message) !== '');
  const link = last ? acknowledgeLink(last, cleanLine(unlink(last.title), 60)) : '';
  const evidence = evidenceLink(messages.at(-1)!, 'Evidence of the last');
  return `Watchpost: ${messages.length} alerts: ${lines.join('; ')}${more > 0 ? `; and ${more} before` : ''}.${evidence}${link}`;
}

function evidenceLink({ links }: AlertMessage, label = 'Evidence'): string {
  const link = links.find((one) => one.label === EVIDENCE_LABEL);
  return link ? ` ${label}: ${link.url}` : '';
}

function acknowledgeLink({ links }: AlertMessage, what?: string): string {
  const link = links.find(({ label }) => label === 'Acknowledge');
  return link ? ` ${link.label}${what === undefined ? '' : ` "${what}"`}: ${link.url}` : '';
}
