/** A moment in the order of commits of one history of the database. */
export interface EventPosition {
  /** By the clock of the database, ms since the epoch. */
  atMs: number;
  /** A `pg_snapshot`: what it does not see is newer. */
  snapshot: string;
  /**
   * Of the database, '' where it is not known. Another history may lack the newest transactions of this one and use
   * their ids again, so its snapshots cannot be compared with this one.
   */
  history: string;
}

/** Far more than the transactions that one database runs at once. */
const MAX_LENGTH = 4_096;
const POSITION = /^(\d{1,15})-(\d{1,18}):(\d{1,18}):((?:\d{1,18}(?:,\d{1,18})*)?)(?:@([\w-]{1,32}))?$/;

/** The id of an event, from which its client resumes. */
export function eventIdOf({ atMs, snapshot, history }: EventPosition): string {
  return `${atMs}-${snapshot}${history === '' ? '' : `@${history}`}`;
}

/** @returns null for what is no id of an event */
export function parseEventId(text: string): EventPosition | null {
  const match = text.length > MAX_LENGTH ? null : POSITION.exec(text);
  if (!match) return null;
  const [, atMs, from, to, running, history = ''] = match as unknown as [
    string,
    string,
    string,
    string,
    string,
    string?,
  ];
  const [xmin, xmax] = [BigInt(from), BigInt(to)];
  if (xmin === 0n || xmin > xmax) return null;
  let last = xmin - 1n;
  for (const xid of running === '' ? [] : running.split(',').map(BigInt)) {
    if (xid <= last || xid >= xmax) return null;
    last = xid;
  }
  return { atMs: Number(atMs), snapshot: `${xmin}:${xmax}:${running}`, history };
}
