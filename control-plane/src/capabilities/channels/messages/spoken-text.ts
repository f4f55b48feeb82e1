import { cleanLine } from '@watchpost/shared/clean-line';
import type { AlertMessage } from './alert-message.js';
import { asksToAcknowledge } from './describe-change.js';

const MAX = { title: 150, sentences: 400 };
/** What a voice spells out or stumbles over. */
const UNSPEAKABLE = /https?:\/\/|[^\p{L}\p{M}\p{N}.,:;!?'"()%/@&+ -]+/gu;

/** Renders a message as text for a voice. */
export function spokenText({ title, sentences }: AlertMessage): string {
  const text = sentences.filter((sentence) => !asksToAcknowledge(sentence)).join(' ');
  return `${spoken(title, MAX.title)}. ${spoken(text, MAX.sentences)}`.trim();
}

function spoken(text: string, most: number): string {
  return cleanLine(text.replace(UNSPEAKABLE, ' '), most, '');
}
