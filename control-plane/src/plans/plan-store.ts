import type { Tx } from '../db/database.js';
import type { LimitOverrides } from './entitlements.js';
import type { PlanName } from './plans.js';

export interface PlanRow {
  ownerId: string;
  plan: PlanName;
  planLimits: LimitOverrides;
}

const COLUMNS = 'owner_id AS "ownerId", plan, plan_limits AS "planLimits"';

/** The plan that holds in a workspace, which is its owner's. */
export const planStore = {
  async ofWorkspace(workspaceId: string, tx: Tx): Promise<PlanRow | undefined> {
    const [row] = await tx.query<PlanRow>(`SELECT ${COLUMNS} FROM workspace_plan WHERE workspace_id = $1`, [
      workspaceId,
    ]);
    return row;
  },

  /**
   * Locks the owner's account, so that whoever counts against its limits does so one after the other, and
   * the workspace, so that it stays the owner's. NO KEY: rows that refer to either can still be written.
   */
  async lockOfWorkspace(workspaceId: string, tx: Tx): Promise<PlanRow | undefined> {
    const [row] = await tx.query<PlanRow>(
      `SELECT ${COLUMNS} FROM workspace_plan WHERE workspace_id = $1 FOR NO KEY UPDATE`,
      [workspaceId],
    );
    return row;
  },
};

/** Accounts and their plans, as the operator sees them. */
export const accountPlanStore = {
  async findByEmail(tx: Tx, email: string): Promise<{ id: string; issuer: string; email: string }[]> {
    return tx.query(
      'SELECT id, issuer, email FROM user_account WHERE lower(email) = lower($1) ORDER BY created LIMIT 20',
      [email],
    );
  },

  async update(tx: Tx, userId: string, plan: PlanName, limits: LimitOverrides, nowMs: number): Promise<void> {
    await tx.query('UPDATE user_account SET plan = $2, plan_limits = $3, last_modified = $4 WHERE id = $1', [
      userId,
      plan,
      JSON.stringify(limits),
      new Date(nowMs),
    ]);
  },
};
