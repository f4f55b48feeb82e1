import { capitalized } from '../../parts/format.js';

/** What a message is about, in words: `Opened`, `Page`, `Note added`. */
export function deliveryWords(eventType: string, purpose: string): string {
  if (purpose.startsWith('page:')) return 'Page';
  if (purpose === 'paged') return 'Page is over';
  const words = eventType.replace(/^incident\./, '').replaceAll('_', ' ');
  return capitalized(words);
}
