/**
 * The `ORDER BY` of what an owner has over all workspaces, from the oldest: what is over a limit is at its end. What came
 * in with a workspace counts from that moment, so that it is behind what the owner had. The view `team_rank` has the
 * same order.
 * @param thing the alias of a table with `created` and `id`, joined with its `workspace`
 */
export function ownerOrder(thing: string, workspace = 'workspace'): string {
  const since = `${workspace}.owned_since`;
  return `greatest(${thing}.created, ${since}), coalesce(${since} >= ${thing}.created, false), ${thing}.created, ${thing}.id`;
}
