import type { Clock } from '@watchpost/shared/clock';
import { groupBy } from '@watchpost/shared/group-by';
import type { Tx } from '../../platform/db/database.js';
import { readTeamOnCall } from '../on-call/index.js';
import { decideEscalated, policyFor } from './decide-escalation.js';
import { pagingStore } from './paging-store.js';

/**
 * Has the next step taken at once that pages others than the step before: the person who asks for this was paged already. It is
 * stored in the transaction, and the next run of paging takes the step.
 * @returns the incidents for which anybody is left to page
 */
export async function escalateNow(
  { clock }: { clock: Clock },
  tx: Tx,
  workspaceId: string,
  incidentIds: readonly string[],
): Promise<Set<string>> {
  const nowMs = clock.now();
  const rows = await pagingStore.lockGoingOn(workspaceId, tx, incidentIds);
  const steps: Parameters<typeof pagingStore.hasten>[1][number][] = [];
  for (const [teamId, ofTeam] of groupBy(rows, (row) => row.teamId)) {
    const team = await readTeamOnCall(tx, workspaceId, teamId, nowMs);
    for (const row of team ? ofTeam : []) {
      const policy = policyFor(team!.policies, row.severity);
      const position = decideEscalated(policy, row);
      if (position) steps.push({ ...row, ...position, policyId: policy.id });
    }
  }
  if (steps.length > 0) await pagingStore.hasten(tx, steps, new Date(nowMs));
  return new Set(steps.map(({ incidentId }) => incidentId));
}
