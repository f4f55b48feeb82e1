import type { Tx } from '../../platform/db/database.js';
import { budgetStore } from './budget-store.js';
import { type BudgetKind, type Budgets, type PlanName, PLANS, TRIAL_BUDGETS } from './plans.js';

/** The owner of a workspace, as whoever its messages are sent for. */
export interface Sender {
  ownerId: string;
  /** Hash of issuer and subject: an account that is deleted and made anew goes on with what was left of the day. */
  principal: Buffer;
  /** Whether the account has a paid plan that is not on trial. */
  isPaid: boolean;
  budgets: Budgets;
}

/** @returns undefined where there is no such workspace */
export async function readSender(tx: Tx, workspaceId: string): Promise<Sender | undefined> {
  const row = await budgetStore.ownerOf(workspaceId, tx);
  if (!row) return undefined;
  const { plan, trialFallback, ...owner } = row;
  return { ...owner, ...sendingTerms(plan, trialFallback) };
}

/** @param trialFallback what the account goes back to when its trial ends; null where no trial runs */
export function sendingTerms(plan: PlanName, trialFallback: PlanName | null): Pick<Sender, 'isPaid' | 'budgets'> {
  const isPaid = (trialFallback ?? plan) !== 'Starter';
  return { isPaid, budgets: trialFallback === 'Starter' ? TRIAL_BUDGETS : PLANS[plan].budgets };
}

/**
 * Counts messages against a budget of the day, over all processes: the row is held until the transaction ends.
 * A transaction that takes several kinds takes `mails` last.
 * @param most null counts without refusing
 * @returns false where they would exceed `most`; then none is counted
 */
export async function spendBudget(
  tx: Tx,
  { principal }: Pick<Sender, 'principal'>,
  kind: BudgetKind,
  nowMs: number,
  most: number | null,
): Promise<boolean> {
  return budgetStore.spend(tx, { principal, kind, day: dayOf(nowMs) }, most);
}

/** Takes back what was counted on the day of `nowMs`, for a message that was not sent. */
export async function refundBudget(
  tx: Tx,
  { principal }: Pick<Sender, 'principal'>,
  kind: BudgetKind,
  nowMs: number,
): Promise<void> {
  await budgetStore.refund(tx, { principal, kind, day: dayOf(nowMs) });
}

/** When the budgets of the next day begin. */
export function nextBudgetDay(nowMs: number): Date {
  return new Date(Date.parse(`${dayOf(nowMs)}T00:00:00Z`) + 86_400_000);
}

export async function purgeBudgets(tx: Tx, nowMs: number): Promise<void> {
  await budgetStore.purge(tx, dayOf(nowMs - 2 * 86_400_000));
}

/** Of UTC, as `2026-11-22`. */
export function dayOf(nowMs: number): string {
  return new Date(nowMs).toISOString().slice(0, 10);
}
