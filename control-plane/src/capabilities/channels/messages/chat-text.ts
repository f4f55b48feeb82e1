import { cutText } from '@watchpost/shared/storable-text';

/** Cuts a text to a length in UTF-16 units, as services count. */
export function shorten(text: string, most: number): string {
  return text.length <= most ? text : `${cutText(text, most - 1)}…`;
}
