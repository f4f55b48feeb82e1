import { cleanText } from '@watchpost/shared/clean-line';
import type { AlertMessage } from './alert-message.js';

/**
 * Renders what is below the title of a message as text without markup: sentences, facts and links. Services that refuse
 * an empty text get the title again, where a template writes nothing else.
 * @param most in UTF-16 units
 */
export function plainText(
  { title = '', sentences, facts, links }: Pick<AlertMessage, 'sentences' | 'facts' | 'links'> & { title?: string },
  most: number,
): string {
  const parts = [sentences, facts.map(({ name, value }) => `${name}: ${value}`), linesOf(links)];
  const text = parts.flatMap((lines) => (lines.length === 0 ? [] : [lines.join('\n')])).join('\n\n');
  return cleanText(text || title, most);
}

export function linesOf(links: AlertMessage['links']): string[] {
  return links.map(({ label, url }) => `${label}: ${url}`);
}

/** Escapes what CommonMark obeys, so that text of users becomes no link, heading or formatting. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+\-.!<>|~]/g, '\\$&');
}
