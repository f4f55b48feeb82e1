import type { Tx } from '../../platform/db/database.js';
import { jsonText } from '../../platform/db/json-text.js';
import type { TrialDates } from './decide-trial.js';
import type { LimitOverrides } from './entitlements.js';
import type { PlanName } from './plans.js';

export interface PlanRow {
  ownerId: string;
  plan: PlanName;
  planLimits: LimitOverrides;
}

export interface AccountRow extends PlanRow, TrialDates {
  /** The plan after the trial; null where no trial runs. */
  trialFallback: PlanName | null;
}

/** Identifies an account to an operator. */
export interface AccountName {
  id: string;
  issuer: string;
  /** The email, or the id where there is none. */
  label: string;
  emailVerified: boolean;
}

const NAME_COLUMNS = 'id, issuer, coalesce(email, id::text) AS label, email_verified AS "emailVerified"';
const COLUMNS = 'owner_id AS "ownerId", plan, plan_limits AS "planLimits"';
const ACCOUNT_COLUMNS = `id AS "ownerId", plan, plan_limits AS "planLimits", trial_plan AS "trialPlan",
  trial_started AS "trialStarted", trial_ends AS "trialEnds", trial_fallback AS "trialFallback"`;

/** The plan of a workspace, which is the plan of its owner. */
export const planStore = {
  async ofWorkspace(workspaceId: string, tx: Tx): Promise<PlanRow | undefined> {
    return tx.one(`SELECT ${COLUMNS} FROM workspace_plan WHERE workspace_id = $1`, [workspaceId]);
  },

  /**
   * Locks the workspace, so that its owner does not change, and the owner's account, so that counts against its limits are
   * serialised. NO KEY leaves inserts of referring rows unblocked. These are two statements, because a join finds no row
   * after waiting for a change of the owner.
   */
  async lockOfWorkspace(workspaceId: string, tx: Tx): Promise<PlanRow | undefined> {
    const [workspace] = await tx.query<{ ownerId: string }>(
      'SELECT owner_id AS "ownerId" FROM workspace WHERE id = $1 FOR NO KEY UPDATE',
      [workspaceId],
    );
    return workspace && accountPlanStore.lock(tx, workspace.ownerId);
  },
};

export const accountPlanStore = {
  /** Accounts with an email: those that have verified it first, then the oldest. */
  async findByEmail(tx: Tx, email: string, most: number): Promise<AccountName[]> {
    return tx.query(
      `SELECT ${NAME_COLUMNS} FROM user_account WHERE lower(email) = lower($1)
       ORDER BY email_verified DESC, created LIMIT $2`,
      [email, most],
    );
  },

  async name(tx: Tx, userId: string): Promise<AccountName | undefined> {
    return tx.one(`SELECT ${NAME_COLUMNS} FROM user_account WHERE id = $1`, [userId]);
  },

  async find(tx: Tx, userId: string): Promise<AccountRow | undefined> {
    return tx.one(`SELECT ${ACCOUNT_COLUMNS} FROM user_account WHERE id = $1`, [userId]);
  },

  async lock(tx: Tx, userId: string): Promise<AccountRow | undefined> {
    return tx.one(`SELECT ${ACCOUNT_COLUMNS} FROM user_account WHERE id = $1 FOR NO KEY UPDATE`, [userId]);
  },

  async workspacesOf(tx: Tx, userId: string): Promise<{ id: string; name: string }[]> {
    return tx.query('SELECT id, name FROM workspace WHERE owner_id = $1 ORDER BY id', [userId]);
  },

  /** Set by the operator; ends a running trial. */
  async update(tx: Tx, userId: string, plan: PlanName, limits: LimitOverrides, nowMs: number): Promise<void> {
    await tx.query(
      `UPDATE user_account SET plan = $2, plan_limits = $3, last_modified = $4, trial_fallback = NULL,
         trial_ends = CASE WHEN trial_fallback IS NULL THEN trial_ends ELSE least(trial_ends, $4) END
       WHERE id = $1`,
      [userId, plan, jsonText(limits), new Date(nowMs)],
    );
  },

  /** @param account with the new plan and trial dates */
  async saveTrial(tx: Tx, account: AccountRow, nowMs: number): Promise<void> {
    await tx.query(
      `UPDATE user_account SET plan = $2, trial_plan = $3, trial_started = $4, trial_ends = $5, trial_fallback = $6,
         last_modified = $7
       WHERE id = $1`,
      [
        account.ownerId,
        account.plan,
        account.trialPlan,
        account.trialStarted,
        account.trialEnds,
        account.trialFallback,
        new Date(nowMs),
      ],
    );
  },

  /** Records permanently that this person has had a trial. @returns false if the person already had one, under any account */
  async spendTrial(tx: Tx, userId: string, nowMs: number): Promise<boolean> {
    const inserted = await tx.execute(
      `INSERT INTO spent_trial (principal, spent)
       SELECT sha256(convert_to(json_build_array(issuer, subject)::text, 'UTF8')), $2::timestamptz
       FROM user_account WHERE id = $1
       ON CONFLICT ON CONSTRAINT spent_trial_pkey DO NOTHING`,
      [userId, new Date(nowMs)],
    );
    return inserted > 0;
  },

  /** Accounts that still have the plan of an expired trial. */
  async overdueTrials(tx: Tx, nowMs: number, limit: number): Promise<string[]> {
    return tx.column(
      'SELECT id FROM user_account WHERE trial_fallback IS NOT NULL AND trial_ends <= $1 ORDER BY trial_ends LIMIT $2',
      [new Date(nowMs), limit],
    );
  },
};
