import { COLORS } from '@watchpost/shared/design/tokens';
import { cutText } from '@watchpost/shared/storable-text';
import type { AlertMessage } from './alert-message.js';

type Tone = AlertMessage['tone'];
export const TONE_ICONS: Readonly<Record<Tone, string>> = { bad: '🔴', warning: '🟠', good: '🟢', info: '🔵' };
/** As `#rrggbb`. */
export const TONE_COLOURS: Readonly<Record<Tone, string>> = {
  bad: COLORS.unavailable[0],
  warning: COLORS.partial[0],
  good: COLORS.available[0],
  info: COLORS.maintenance[0],
};

/** Invisible; no part of a word, a name or an address. */
const WORD_JOINER = '\u2060';

/** Cuts a text to a length in UTF-16 units, as services count. */
export function shorten(text: string, most: number): string {
  return text.length <= most ? text : `${cutText(text, most - 1)}…`;
}

/**
 * Breaks what chats recognise in text without markup, invisibly: mentions, channels, hashtags, commands, codes of emoji,
 * addresses, telephone numbers and entities.
 */
export function inert(text: string): string {
  return text.replace(/[@#$~:/.+!&]|\](?=\()/g, `$&${WORD_JOINER}`);
}

/** Escapes the characters with which tags and references begin and end. */
export function escapeTags(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}
