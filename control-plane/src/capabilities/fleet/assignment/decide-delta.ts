import { checkCode, keyOfCode, type CheckKey, type CheckSpec } from '@watchpost/shared/check';
import type { AgentIdentity } from '../agents/agent-connection.js';
import { ownerOf } from '../members/decide-owner.js';
import type { MonitorChecks } from '../../monitors/index.js';
import type { Ownership } from '../members/decide-owner.js';

function ownedChecks(
  monitor: MonitorChecks,
  agent: Pick<AgentIdentity, 'agentId' | 'region'>,
  ownership: Ownership,
): CheckSpec[] {
  const own = monitor.places.find(({ place }) => place === agent.region);
  return own ? own.checks.filter((check) => ownerOf(ownership.owners, checkCode(check.key)) === agent.agentId) : [];
}

/**
 * Decides the delta that changed monitors mean for an agent: upserts of all their checks that it owns, and removes of
 * those that it may have and does not own.
 * @param mayHave codes of the monitor's checks that the agent may have
 */
export function decideDelta(
  monitors: readonly MonitorChecks[],
  agent: Pick<AgentIdentity, 'agentId' | 'region'>,
  ownership: Ownership,
  mayHave: (monitor: MonitorChecks) => readonly number[],
): { upserts: CheckSpec[]; removes: CheckKey[] } {
  const upserts: CheckSpec[] = [];
  const removes: CheckKey[] = [];
  for (const monitor of monitors) {
    const wanted = ownedChecks(monitor, agent, ownership);
    const codes = new Set(wanted.map((check) => checkCode(check.key)));
    upserts.push(...wanted);
    for (const code of mayHave(monitor)) if (!codes.has(code)) removes.push(keyOfCode(code));
  }
  return { upserts, removes };
}
