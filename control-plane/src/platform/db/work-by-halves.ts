import { isLockConflict, isOfAPart } from './database-error.js';

export interface FailedWork<T> {
  items: readonly T[];
  error: unknown;
}

/**
 * Does work that failed as a whole by halves: between owners and then within one, down to one item. Where rows of one owner
 * are locked, his items are left together: the caller tries them again later.
 * @param work is one transaction
 * @returns what could not be done
 * @throws what does not depend on the items, such as that the server is away
 */
export async function workByHalves<T>(
  items: readonly T[],
  ownerOf: (item: T) => string,
  work: (items: readonly T[]) => Promise<void>,
): Promise<FailedWork<T>[]> {
  const failed: FailedWork<T>[] = [];
  const groups = [items];
  // Those that are added meanwhile are among them: strangers are done before one owner is divided.
  for (const group of groups)
    try {
      await work(group);
    } catch (error) {
      if (!isOfAPart(error)) throw error;
      const isOfOne = group.every((item) => ownerOf(item) === ownerOf(group[0]!));
      if (group.length === 1 || (isOfOne && isLockConflict(error))) failed.push({ items: group, error });
      else groups.push(...halvesOf(group, ownerOf));
    }
  return failed;
}

/**
 * Divides work that failed as a whole: between owners where there are several, so that each keeps his order, else between
 * items.
 */
export function halvesOf<T>(items: readonly T[], ownerOf: (item: T) => string): readonly (readonly T[])[] {
  const owners = [...new Set(items.map(ownerOf))];
  if (owners.length === 1) {
    const middle = Math.ceil(items.length / 2);
    return [items.slice(0, middle), items.slice(middle)];
  }
  const first = new Set(owners.slice(0, Math.ceil(owners.length / 2)));
  return [items.filter((item) => first.has(ownerOf(item))), items.filter((item) => !first.has(ownerOf(item)))];
}
