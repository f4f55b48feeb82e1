import { readableText } from './monitored-data.js';

const MAX_NAME = 80;
const MAX_VERSION = 30;

/**
 * What a client calls itself, for timelines: on one line, short, without anything unseen. Nobody vouches for it.
 * @returns null where nothing readable is left
 */
export function clientName({ name, version }: { name: string; version: string }): string | null {
  const readable = readableText(name, MAX_NAME);
  if (readable === '') return null;
  return `${readable} ${readableText(version, MAX_VERSION)}`.trim();
}
