export interface MembershipFacts {
  /** Who shares the region's checks now. */
  members: readonly string[];
  /** Who is connected. */
  live: readonly { agentId: string; draining: boolean }[];
  /** Who is not connected and may come back any moment: after a cut, or after a restart of the control plane. */
  awaited: ReadonlySet<string>;
  /** Who must not have any check, connected or not. */
  revoked: ReadonlySet<string>;
}

/**
 * Who shares a region's checks from now on: whoever is connected, and members that are awaited. An agent that drains has
 * none once another is connected; where nobody is connected everything stays as it is.
 * @returns agent ids, sorted
 */
export function decideMembers({ members, live, awaited, revoked }: MembershipFacts): string[] {
  const connected = live.filter(({ agentId }) => !revoked.has(agentId));
  const active = connected.filter(({ draining }) => !draining);
  const working = (active.length > 0 ? active : connected).map(({ agentId }) => agentId);
  const known = new Set(connected.map(({ agentId }) => agentId));
  const away = members.filter((agentId) => !known.has(agentId) && !revoked.has(agentId));
  const next = working.length > 0 ? [...working, ...away.filter((agentId) => awaited.has(agentId))] : away;
  return [...new Set(next)].toSorted();
}
