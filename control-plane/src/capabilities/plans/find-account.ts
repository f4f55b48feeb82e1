import { Fault } from '@watchpost/shared/fault';
import { isUuid } from '@watchpost/shared/id';
import type { Tx } from '../../platform/db/database.js';
import { type AccountName, accountPlanStore } from './plan-store.js';

const MOST_LISTED = 20;

/**
 * Finds the account that an operator names by its email or its id. Of several accounts with one email, the only one that
 * has verified it is meant: anybody can claim an email without verifying it.
 * @throws Fault `not_found`, `validation_failed` for an email that names no single account
 */
export async function findAccount(tx: Tx, user: string): Promise<AccountName> {
  if (isUuid(user)) {
    const account = await accountPlanStore.name(tx, user);
    if (!account) throw new Fault('not_found', `No account has the id ${user}.`);
    return account;
  }
  const found = await accountPlanStore.findByEmail(tx, user, MOST_LISTED + 1);
  const verified = found.filter(({ emailVerified }) => emailVerified);
  const [account, ...others] = verified.length > 0 ? verified : found;
  if (!account)
    throw new Fault(
      'not_found',
      `No account has the email ${user}; an account exists from its first signed-in request on.`,
    );
  if (others.length > 0) throw ambiguous(user, found);
  return account;
}

/** The fault for an account that was deleted a moment ago. */
export function goneFault(): Fault {
  return new Fault('not_found', 'This account has been deleted.');
}

function ambiguous(email: string, found: readonly AccountName[]): Fault {
  const listed = found.slice(0, MOST_LISTED);
  const count = found.length > listed.length ? `More than ${MOST_LISTED}` : found.length;
  const lines = listed.map(
    ({ id, issuer, emailVerified }) => `  ${id}  ${emailVerified ? 'verified' : 'not verified'}  ${issuer}`,
  );
  return new Fault(
    'validation_failed',
    [`${count} accounts have the email ${email}: name one by its id with --user.`, ...lines].join('\n'),
  );
}
