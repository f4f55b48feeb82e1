import { cutText, LONE } from './storable-text.js';

/** What no name has: control characters, separators of lines, characters that reorder the text around them, and halves of surrogate pairs. */
export const NOT_IN_NAMES = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\p{Surrogate}]+/gu;
/** Line and paragraph separators, other controls, and changes of the text direction. */
const UNSEEN = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/gu;
/** The same, but for the line breaks of a document. */
const UNSEEN_IN_LINES = /[^\P{Cc}\n]|[\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/**
 * Converts user-defined text to one line for a header, a title or an SMS.
 * @param cut the end of a text that is shortened
 */
export function cleanLine(text: string, most = 200, cut = '…'): string {
  const line = text.replace(LONE, '').replace(UNSEEN, ' ').replace(/\s+/g, ' ').trim();
  const characters = Array.from(line);
  return characters.length <= most ? line : `${characters.slice(0, most - cut.length).join('')}${cut}`;
}

/** The same, with line breaks kept. */
export function cleanText(text: string, most = 5_000): string {
  const lines = text
    .split(/\r\n?|\n/)
    .map((line) => cleanLine(line, most))
    .join('\n');
  return cutText(lines, most);
}

/** Whether `escapeUnseen` changes a text. */
export function hasUnseen(text: string): boolean {
  return text.search(UNSEEN_IN_LINES) >= 0;
}

/** Escapes what a terminal obeys instead of showing, as strings of JSON and quoted strings of YAML may (`\u009b`). */
export function escapeUnseen(text: string): string {
  return text.replace(UNSEEN_IN_LINES, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Breaks links in untrusted text: mail and phone programs turn anything similar into a link. */
export function unlink(text: string): string {
  return text.replace(/:\/\//g, ': //').replace(/(?<=[\p{L}\p{N}])\.(?=[\p{L}\p{N}])/gu, '. ');
}
