import type { Tx } from '../../platform/db/database.js';
import type { BudgetKind, PlanName } from './plans.js';

export interface BudgetKey {
  principal: Buffer;
  kind: BudgetKind;
  /** A day in UTC, for example `2026-11-22`. */
  day: string;
}

interface OwnerRow {
  workspaceId: string;
  ownerId: string;
  principal: Buffer;
  plan: PlanName;
  trialFallback: PlanName | null;
}

/** Messages sent for owners, by day. */
export const budgetStore = {
  /** The owners of workspaces; without those of workspaces that do not exist. */
  async ownersOf(tx: Tx, workspaceIds: readonly string[]): Promise<OwnerRow[]> {
    return tx.query<OwnerRow>(
      `SELECT workspace.id AS "workspaceId", account.id AS "ownerId", account.plan, account.trial_fallback AS "trialFallback",
         sha256(convert_to(json_build_array(account.issuer, account.subject)::text, 'UTF8')) AS principal
       FROM workspace JOIN user_account account ON account.id = workspace.owner_id WHERE workspace.id = ANY ($1::uuid[])`,
      [workspaceIds],
    );
  },

  /** @returns whether the count stayed within `most`; otherwise nothing is counted */
  async spend(tx: Tx, { principal, kind, day }: BudgetKey, count: number, most: number | null): Promise<boolean> {
    if (most !== null && most < count) return false;
    const inserted = await tx.execute(
      `INSERT INTO daily_budget AS budget (principal, day, kind, spent) VALUES ($1, $2::date, $3, $5)
       ON CONFLICT ON CONSTRAINT daily_budget_pkey DO UPDATE SET spent = budget.spent + excluded.spent
         WHERE $4::integer IS NULL OR budget.spent + excluded.spent <= $4`,
      [principal, day, kind, most, count],
    );
    return inserted > 0;
  },

  async refund(tx: Tx, { principal, kind, day }: BudgetKey): Promise<void> {
    await tx.query(
      'UPDATE daily_budget SET spent = spent - 1 WHERE principal = $1 AND day = $2::date AND kind = $3 AND spent > 0',
      [principal, day, kind],
    );
  },

  async purge(tx: Tx, before: string): Promise<void> {
    await tx.query('DELETE FROM daily_budget WHERE day < $1::date', [before]);
  },
};
