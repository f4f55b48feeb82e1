import type { Clock } from '@watchpost/shared/clock';
import { Fault } from '@watchpost/shared/fault';
import type { Database, Tx } from '../../../platform/db/database.js';
import { SecretBoxError, type SecretBox } from '../../../platform/db/secret-box.js';
import { authorityPin } from './authority-pin.js';
import {
  deleteOtherAuthorities,
  insertAuthority,
  lockAuthorities,
  selectAuthorities,
  selectAuthorityDependents,
  type AuthorityDependent,
  type AuthorityRow,
} from './authority-store.js';
import { CERTIFICATE_TIMES } from './certificate-times.js';
import { makeAuthority } from './make-authority.js';

export interface AuthorityDetails {
  id: string;
  created: Date;
  /** What stands behind the dot of tokens. */
  pin: string;
  role: 'only' | 'older' | 'newer';
}

export interface Authorities {
  authorities: AuthorityDetails[];
  /** Whom the end of the older one would lock out now; empty where there is one only. */
  dependents: AuthorityDependent[];
}

interface Deps {
  db: Database;
  clock: Clock;
}

export async function describeAuthorities({ db, clock }: Deps): Promise<Authorities> {
  return await db.read(async (tx) => {
    const rows = await selectAuthorities(tx);
    return { authorities: rows.map(detailsOf), dependents: await dependentsOf(tx, rows, clock.now()) };
  });
}

/**
 * Makes a second authority beside the one there is: trusted at once, given to every agent with its next certificate.
 * @throws Fault `precondition_failed` where there are two already, or none; `validation_failed` where the encryption key is another
 */
export async function rotateAuthority({ db, clock, secretBox }: Deps & { secretBox: SecretBox }): Promise<Authorities> {
  const made = await makeAuthority(secretBox, clock.now());
  await db.transaction(async (tx) => {
    await lockAuthorities(tx);
    const rows = await selectAuthorities(tx);
    const [present] = rows;
    if (!present)
      throw new Fault('precondition_failed', 'There is no authority yet: the first control-plane process makes one.');
    if (rows.length > 1)
      throw new Fault(
        'precondition_failed',
        'The authority is being replaced already: `admin authority retire` ends the older one.',
      );
    try {
      // Sealed under another key, the new one would keep every process from starting.
      secretBox.open(present.sealedKey, present.id);
    } catch (error) {
      if (!(error instanceof SecretBoxError)) throw error;
      throw new Fault('validation_failed', 'ENCRYPTION_KEY is not the one that the control plane runs with.');
    }
    await insertAuthority(tx, made);
  });
  return await describeAuthorities({ db, clock });
}

/**
 * Ends the older of two authorities.
 * @param force also where agents are locked out by that: they need new tokens
 * @returns the one that is left, and who was locked out
 * @throws Fault `precondition_failed` where there is one only, or agents depend on it, with their names
 */
export async function retireAuthority({ db, clock }: Deps, { force }: { force: boolean }): Promise<Authorities> {
  return await db.transaction(async (tx) => {
    await lockAuthorities(tx);
    const rows = await selectAuthorities(tx);
    if (rows.length < 2)
      throw new Fault(
        'precondition_failed',
        'There is one authority only: `admin authority rotate` makes the one that takes its place.',
      );
    const newest = rows.at(-1)!;
    const dependents = await dependentsOf(tx, rows, clock.now());
    if (dependents.length > 0 && !force)
      throw new Fault(
        'precondition_failed',
        [
          `${dependents.length} of the agents would be locked out:`,
          ...dependents.map(describeDependent),
          'Wait for those that renew by themselves, `admin agents reissue` or `revoke` the others, or lock them out with --force.',
        ].join('\n'),
      );
    await deleteOtherAuthorities(tx, newest.id);
    return { authorities: [detailsOf(newest, 0, [newest])], dependents };
  });
}

export function describeDependent({ id, name, region, why }: AuthorityDependent): string {
  const reason =
    why === 'certificate'
      ? 'has not come with a certificate of the newer authority'
      : 'has a token of the older authority, which is not used yet';
  return `  ${name} in ${region} (${id}) ${reason}`;
}

async function dependentsOf(tx: Tx, rows: readonly AuthorityRow[], nowMs: number): Promise<AuthorityDependent[]> {
  if (rows.length < 2) return [];
  return await selectAuthorityDependents(tx, rows.at(-1)!.id, new Date(nowMs - CERTIFICATE_TIMES.renewalGraceMs));
}

function detailsOf(
  { id, created, certificate }: AuthorityRow,
  at: number,
  rows: readonly AuthorityRow[],
): AuthorityDetails {
  const role = rows.length === 1 ? 'only' : at === 0 ? 'older' : 'newer';
  return { id, created, pin: authorityPin(certificate), role };
}
