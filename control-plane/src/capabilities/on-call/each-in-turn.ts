/** Things that are read together. */
export const EACH_AT_ONCE = 100;

/**
 * Works through things of many workspaces. One that fails prevents no other.
 * @param read the next ones after an id, at most `EACH_AT_ONCE`, in the order of their ids
 * @throws the first error, after all others are done
 */
export async function eachInTurn<Key>(
  read: (after: string | null) => Promise<readonly Key[]>,
  work: (key: Key) => Promise<void>,
  idOf: (key: Key) => string,
): Promise<void> {
  const failures: unknown[] = [];
  for (let after: string | null = null; ;) {
    const keys: readonly Key[] = await read(after);
    for (const key of keys) await work(key).catch((error: unknown) => failures.push(error));
    const last = keys.at(-1);
    if (!last || keys.length < EACH_AT_ONCE) break;
    after = idOf(last);
  }
  if (failures.length > 0) throw failures[0];
}
