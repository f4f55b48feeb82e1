import type { Tx } from '../../platform/db/database.js';
import { budgetStore } from './budget-store.js';
import { type BudgetKind, type Budgets, type PlanName, PLANS, TRIAL_BUDGETS } from './plans.js';

export interface Sender {
  ownerId: string;
  /** Hash of issuer and subject, so that an account that is deleted and created again continues with the same budget. */
  principal: Buffer;
  /** Whether the account has a paid plan outside a trial. */
  isPaid: boolean;
  budgets: Budgets;
}

/** @returns undefined if the workspace does not exist */
export async function readSender(tx: Tx, workspaceId: string): Promise<Sender | undefined> {
  return (await readSenders(tx, [workspaceId])).get(workspaceId);
}

/** @returns the senders by workspace; without those of workspaces that do not exist */
export async function readSenders(tx: Tx, workspaceIds: readonly string[]): Promise<Map<string, Sender>> {
  const rows = await budgetStore.ownersOf(tx, [...new Set(workspaceIds)]);
  return new Map(
    rows.map(({ workspaceId, plan, trialFallback, ...owner }) => [
      workspaceId,
      { ...owner, ...sendingTerms(plan, trialFallback) },
    ]),
  );
}

/** @param trialFallback the plan after the trial; null where no trial runs */
export function sendingTerms(plan: PlanName, trialFallback: PlanName | null): Pick<Sender, 'isPaid' | 'budgets'> {
  const isPaid = (trialFallback ?? plan) !== 'Starter';
  return { isPaid, budgets: trialFallback === 'Starter' ? TRIAL_BUDGETS : PLANS[plan].budgets };
}

/**
 * Counts messages against a budget of the day, for all processes together; the row is locked until the transaction ends.
 * A transaction that uses several kinds uses `mails` last.
 * @param most the budget; null counts without refusing
 * @param count the number of messages
 * @returns false if the budget would be exceeded; then nothing is counted
 */
export async function spendBudget(
  tx: Tx,
  { principal }: Pick<Sender, 'principal'>,
  kind: BudgetKind,
  nowMs: number,
  most: number | null,
  count = 1,
): Promise<boolean> {
  return budgetStore.spend(tx, { principal, kind, day: dayOf(nowMs) }, count, most);
}

/**
 * Counts amounts of workspaces against the budgets of their owners, for all processes together, until a budget is used up.
 * @param amounts by workspace
 * @returns the workspaces whose owners had something left
 */
export async function spendBudgets(
  tx: Tx,
  kind: BudgetKind,
  nowMs: number,
  amounts: ReadonlyMap<string, number>,
): Promise<Set<string>> {
  const senders = await readSenders(tx, [...amounts.keys()]);
  const owners = new Map<string, { principal: Buffer; amount: number; most: number }>();
  for (const [workspaceId, { principal, budgets }] of senders) {
    const key = principal.toString('hex');
    const amount = (owners.get(key)?.amount ?? 0) + amounts.get(workspaceId)!;
    owners.set(key, { principal, amount, most: budgets[kind] });
  }
  const within = await budgetStore.spendAll(tx, [...owners.values()], { kind, day: dayOf(nowMs) });
  return new Set(
    [...senders].flatMap(([workspaceId, { principal }]) =>
      within.has(principal.toString('hex')) ? [workspaceId] : [],
    ),
  );
}

/** Reduces the count of the day of `nowMs`, for a message that was not sent. */
export async function refundBudget(
  tx: Tx,
  { principal }: Pick<Sender, 'principal'>,
  kind: BudgetKind,
  nowMs: number,
): Promise<void> {
  await budgetStore.refund(tx, { principal, kind, day: dayOf(nowMs) });
}

/** The start of the next day's budgets. */
export function nextBudgetDay(nowMs: number): Date {
  return new Date(Date.parse(`${dayOf(nowMs)}T00:00:00Z`) + 86_400_000);
}

export async function purgeBudgets(tx: Tx, nowMs: number): Promise<void> {
  await budgetStore.purge(tx, dayOf(nowMs - 2 * 86_400_000));
}

/** The day in UTC, for example `2026-11-22`. */
export function dayOf(nowMs: number): string {
  return new Date(nowMs).toISOString().slice(0, 10);
}
