import type { Tx } from '../../platform/db/database.js';
import { EscalationPolicyEntity } from './escalation-policy.entity.js';

export type EscalationPolicyRow = Omit<EscalationPolicyEntity, 'seq' | 'workspaceId'>;

/** The people and action groups of a workspace that policies name and that can be reached in principle. */
export interface KnownTargets {
  userIds: ReadonlySet<string>;
  groupIds: ReadonlySet<string>;
}

/** Escalation policies, at most ten of a team. Callers that change them hold the lock on the team. */
export const escalationPolicyStore = {
  /** Reads those of some teams, of each in the order in which they count. */
  async list(workspaceId: string, tx: Tx, teamIds: readonly string[]): Promise<EscalationPolicyRow[]> {
    return tx.query(
      `SELECT id, team_id AS "teamId", name, severities, steps, repeat, ack_timeout AS "ackTimeout", created,
         last_modified AS "lastModified"
       FROM escalation_policy WHERE workspace_id = $1 AND team_id = ANY ($2::uuid[]) ORDER BY team_id, seq`,
      [workspaceId, teamIds],
    );
  },

  async insert(workspaceId: string, tx: Tx, row: EscalationPolicyRow): Promise<void> {
    await tx.manager.insert(EscalationPolicyEntity, { ...row, workspaceId });
  },

  async update(
    workspaceId: string,
    tx: Tx,
    { id: teamId, policyId: id }: { id: string; policyId: string },
    row: Omit<EscalationPolicyRow, 'id' | 'teamId' | 'created'>,
  ): Promise<void> {
    await tx.manager.update(EscalationPolicyEntity, { workspaceId, teamId, id }, row);
  },

  async remove(workspaceId: string, tx: Tx, teamId: string, id: string): Promise<void> {
    await tx.manager.delete(EscalationPolicyEntity, { workspaceId, teamId, id });
  },

  /** Those of the people who are active members of the workspace, and those of the action groups that exist. */
  async known(
    workspaceId: string,
    tx: Tx,
    { userIds, groupIds }: { userIds: readonly string[]; groupIds: readonly string[] },
  ): Promise<KnownTargets> {
    const [row] = await tx.query<{ users: string[]; groups: string[] }>(
      `SELECT ARRAY(SELECT user_id FROM reachable_member WHERE workspace_id = $1 AND user_id = ANY ($2::uuid[])) AS users,
         ARRAY(SELECT id FROM action_group WHERE workspace_id = $1 AND id = ANY ($3::uuid[])) AS groups`,
      [workspaceId, userIds, groupIds],
    );
    return { userIds: new Set(row!.users), groupIds: new Set(row!.groups) };
  },
};
