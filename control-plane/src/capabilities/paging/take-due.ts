import { groupBy } from '@watchpost/shared/group-by';

/**
 * Takes all that is due, each group together. Where a group fails, each of it is taken by itself, so that what fails for good
 * prevents nothing else, however much of it there is.
 * @param find what is due, without what has failed
 * @param take returns how many were taken: none where others have locked them
 * @returns how many were taken
 * @throws the first error, after all others are taken
 */
export async function takeDue<Due>(
  find: (failed: readonly Due[]) => Promise<readonly Due[]>,
  groupOf: (one: Due) => string,
  take: (group: readonly Due[]) => Promise<number>,
): Promise<number> {
  const failed: Due[] = [];
  let first: unknown;
  for (let all = 0; ;) {
    const failedBefore = failed.length;
    let taken = 0;
    const takeGroup = async (group: readonly Due[]): Promise<void> => {
      try {
        taken += await take(group);
      } catch (error) {
        if (group.length > 1) for (const one of group) await takeGroup([one]);
        else {
          if (failed.length === 0) first = error;
          failed.push(...group);
        }
      }
    };
    for (const group of groupBy(await find(failed), groupOf).values()) await takeGroup(group);
    all += taken;
    if (taken > 0 || failed.length > failedBefore) continue;
    if (failed.length > 0) throw first;
    return all;
  }
}
