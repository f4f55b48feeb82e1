export interface MembershipFacts {
  /** The agents among which the region's checks are divided now. */
  members: readonly string[];
  connected: readonly { agentId: string; draining: boolean }[];
  /** Agents that are not connected and may return at any moment: after a cut, or after a restart of the control plane. */
  awaited: ReadonlySet<string>;
  /** Agents that must not have any check, connected or not. */
  revoked: ReadonlySet<string>;
}

/**
 * Decides among which agents a region's checks are divided: those that are connected, and members that are awaited.
 * A draining agent is a member only while no other agent is connected. While no agent is connected, the members stay.
 * @returns agent ids, sorted
 */
export function decideMembers({ members, connected, awaited, revoked }: MembershipFacts): string[] {
  const allowed = connected.filter(({ agentId }) => !revoked.has(agentId));
  const active = allowed.filter(({ draining }) => !draining);
  const working = (active.length > 0 ? active : allowed).map(({ agentId }) => agentId);
  const allowedIds = new Set(allowed.map(({ agentId }) => agentId));
  const away = members.filter((agentId) => !allowedIds.has(agentId) && !revoked.has(agentId));
  const next = working.length > 0 ? [...working, ...away.filter((agentId) => awaited.has(agentId))] : away;
  return [...new Set(next)].toSorted();
}
