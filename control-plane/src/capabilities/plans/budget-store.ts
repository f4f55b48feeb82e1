import type { Tx } from '../../platform/db/database.js';
import { valuesOf } from '../../platform/db/values-of.js';
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

  /**
   * Counts amounts of one kind of many owners, in the order of their rows. An owner whose budget is used up is left out; the last amount may
   * exceed it.
   * @returns the owners that are not left out, as hashes in hex
   */
  async spendAll(
    tx: Tx,
    amounts: readonly { principal: Buffer; amount: number; most: number }[],
    { kind, day }: Omit<BudgetKey, 'principal'>,
  ): Promise<Set<string>> {
    return new Set(
      await tx.column<string>(
        `WITH given AS (SELECT * FROM unnest($1::bytea[], $2::integer[], $3::integer[]) AS given (principal, amount, most))
       INSERT INTO daily_budget AS budget (principal, day, kind, spent)
       SELECT principal, $5::date, $4, amount FROM given ORDER BY principal
       ON CONFLICT ON CONSTRAINT daily_budget_pkey DO UPDATE SET spent = budget.spent + excluded.spent
         WHERE budget.spent < (SELECT most FROM given WHERE given.principal = budget.principal)
       RETURNING encode(principal, 'hex') AS principal`,
        [...valuesOf(amounts, 'principal', 'amount', 'most'), kind, day],
      ),
    );
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
