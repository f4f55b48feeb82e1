import { cleanText } from '@watchpost/shared/clean-line';
import type { AlertMessage } from './alert-message.js';

/**
 * Renders what is below the title of a message as text without markup: sentences, facts and links.
 * @param most in UTF-16 units
 */
export function plainText(
  { sentences, facts, links }: Pick<AlertMessage, 'sentences' | 'facts' | 'links'>,
  most: number,
): string {
  const parts = [sentences, facts.map(({ name, value }) => `${name}: ${value}`), linesOf(links)];
  const text = parts.flatMap((lines) => (lines.length === 0 ? [] : [lines.join('\n')])).join('\n\n');
  return cleanText(text, most);
}

export function linesOf(links: AlertMessage['links']): string[] {
  return links.map(({ label, url }) => `${label}: ${url}`);
}
