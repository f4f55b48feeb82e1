import type { AlertMessage } from './alert-message.js';
import { cleanLine, unlink } from '@watchpost/shared/clean-line';

/** Two parts in the phones' own alphabet. */
const MOST = 306;
const MOST_LINES = 10;

/** One message as an SMS: the link to acknowledge, and as much of the rest as fits. */
export function smsText(message: AlertMessage): string {
  const link = acknowledgeLink(message);
  const title = cleanLine(unlink(message.title), 120);
  const said = cleanLine(unlink(message.sentences.join(' ')), Math.max(20, MOST - title.length - link.length - 14));
  return `Watchpost: ${title}. ${said}${link}`;
}

/** Everything that was held back, in one. */
export function smsSummary(messages: readonly AlertMessage[]): string {
  if (messages.length === 1) return smsText(messages[0]!);
  const lines = messages.slice(-MOST_LINES).map(({ title }) => cleanLine(unlink(title), 60));
  const more = messages.length - lines.length;
  // One link acknowledges one incident: it says which.
  const last = messages.findLast((message) => acknowledgeLink(message) !== '');
  const link = last ? acknowledgeLink(last, cleanLine(unlink(last.title), 60)) : '';
  return `Watchpost: ${messages.length} alerts: ${lines.join('; ')}${more > 0 ? `; and ${more} before` : ''}.${link}`;
}

function acknowledgeLink({ links }: AlertMessage, what?: string): string {
  const link = links.find(({ label }) => label === 'Acknowledge');
  return link ? ` ${link.label}${what === undefined ? '' : ` "${what}"`}: ${link.url}` : '';
}
