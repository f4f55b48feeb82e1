export interface EditConflict {
  /** Dotted path of the field. */
  path: string;
  mine: unknown;
  theirs: unknown;
}

/**
 * Compares my edits with those that somebody else saved meanwhile (412).
 * @returns the fields that both changed, and to different values
 */
export function compareEdits(base: unknown, mine: unknown, theirs: unknown, path = ''): EditConflict[] {
  if (isSame(mine, theirs) || isSame(base, theirs) || isSame(base, mine)) return [];
  if (!isRecord(mine) || !isRecord(theirs)) return [{ path, mine, theirs }];
  const former = isRecord(base) ? base : {};
  return [...new Set([...Object.keys(mine), ...Object.keys(theirs)])].flatMap((name) =>
    compareEdits(former[name], mine[name], theirs[name], path === '' ? name : `${path}.${name}`),
  );
}

/**
 * Joins my edits with those that somebody else saved meanwhile.
 * @param prefer whose value a field has that both changed
 * @returns each field as the one who changed it left it
 */
export function mergeEdits<T>(base: unknown, mine: T, theirs: T, prefer: 'mine' | 'theirs'): T {
  if (isSame(base, mine)) return theirs;
  if (isSame(base, theirs)) return mine;
  if (!isRecord(mine) || !isRecord(theirs)) return prefer === 'mine' ? mine : theirs;
  const former = isRecord(base) ? base : {};
  const names = [...new Set([...Object.keys(mine), ...Object.keys(theirs)])];
  return Object.fromEntries(
    names.map((name) => [name, mergeEdits(former[name], mine[name], theirs[name], prefer)]),
  ) as T;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
