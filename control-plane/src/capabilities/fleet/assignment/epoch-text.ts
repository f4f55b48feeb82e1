/**
 * The epoch as agents know it: with the history of the database, because a standby that replaces its primary may use
 * epochs and revisions again that lost transactions had.
 */
export function epochText(epoch: string, history: string): string {
  return history === '' ? epoch : `${epoch}@${history}`;
}

/** @returns '' for an epoch of another history */
export function epochOf(text: string, history: string): string {
  const [epoch = '', ofHistory = ''] = text.split('@');
  return ofHistory === history ? epoch : '';
}
