/**
 * `closed because the monitor was paused by Ann`: why an incident was closed whose monitor is no longer checked.
 * @param reason a sentence: `The monitor was paused.`
 * @param person who caused it; null: the service
 */
export function closingWords(reason: string, person: string | null): string {
  const cause = reason.charAt(0).toLowerCase() + reason.slice(1).replace(/\.$/, '');
  return `closed because ${cause}${person === null ? '' : ` by ${person}`}`;
}
