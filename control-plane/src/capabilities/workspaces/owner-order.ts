/**
 * The `ORDER BY` of an owner's things over all workspaces, oldest first; things beyond a limit are at the end. Things in a
 * transferred workspace count from the transfer, so that they follow what the owner already had. The view `team_rank` uses
 * the same order.
 * @param thing the alias of a table with `created` and `id`, joined with its `workspace`
 */
export function ownerOrder(thing: string, workspace = 'workspace'): string {
  const since = `${workspace}.owned_since`;
  return `greatest(${thing}.created, ${since}), coalesce(${since} >= ${thing}.created, false), ${thing}.created, ${thing}.id`;
}
