import { cleanLine } from '@watchpost/shared/clean-line';
import type { MessageLinks } from '../sending/channels.js';
import type { AlertMessage, Notification } from './alert-message.js';
import { composeMessage } from './compose-message.js';
import { asksToAcknowledge } from './describe-change.js';

const MAX = { title: 150, sentences: 400 };
/** What a voice spells out or stumbles over. */
const UNSPEAKABLE = /https?:\/\/|[^\p{L}\p{M}\p{N}.,:;!?'"()%/@&+ -]+/gu;

/** The latest alerts of a call about several. */
const MOST_SPOKEN = 3;

/**
 * Renders what a voice reads: the words of a template, or ours about the latest events.
 * @param message about all of them
 */
export function spokenOf(
  message: AlertMessage,
  notifications: readonly [Notification, ...Notification[]],
  links: MessageLinks,
): string {
  const count = notifications.length;
  if (count === 1 || message.byTemplate) return spokenText(message);
  const latest = notifications.slice(-MOST_SPOKEN);
  return `${count} alerts. ${latest.map(({ event, extra }) => spokenText(composeMessage(event, links, extra))).join(' ')}`;
}

function spokenText({ title, sentences }: AlertMessage): string {
  const text = sentences.filter((sentence) => !asksToAcknowledge(sentence)).join(' ');
  return `${spoken(title, MAX.title)}. ${spoken(text, MAX.sentences)}`.trim();
}

function spoken(text: string, most: number): string {
  return cleanLine(text.replace(UNSPEAKABLE, ' '), most, '');
}
