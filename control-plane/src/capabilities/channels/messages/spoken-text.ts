import { cleanLine } from '@watchpost/shared/clean-line';
import type { AlertMessage } from './alert-message.js';
import { asksToAcknowledge } from './describe-change.js';

const MAX = { title: 150, sentences: 400, titles: 5 };
/** What a voice spells out or stumbles over. */
const UNSPEAKABLE = /https?:\/\/|[^\p{L}\p{M}\p{N}.,:;!?'"()%/@&+ -]+/gu;

/** Renders messages as what a voice says: one with its sentences, several by the titles of the latest. */
export function spokenText(messages: readonly AlertMessage[]): string {
  const [{ title, sentences }] = messages as [AlertMessage];
  const text = sentences.filter((sentence) => !asksToAcknowledge(sentence)).join(' ');
  if (messages.length === 1) return `Watchpost. ${spoken(title, MAX.title)}. ${spoken(text, MAX.sentences)}`.trim();
  const titles = messages.slice(-MAX.titles).map((one) => spoken(one.title, MAX.title));
  return `Watchpost. ${messages.length} alerts. ${titles.join('. ')}.`;
}

function spoken(text: string, most: number): string {
  return cleanLine(text.replace(UNSPEAKABLE, ' '), most, '');
}
