import type { Clock } from '@watchpost/shared/clock';
import { Fault } from '@watchpost/shared/fault';
import type { Database, Tx } from '../../../platform/db/database.js';
import { SecretBoxError, type SecretBox } from '../../../platform/db/secret-box.js';
import { authorityPin } from './authority-store.js';
import type { CertificateAuthorityEntity } from './certificate.entity.js';
import {
  deleteOtherAuthorities,
  insertAuthority,
  lockAuthorities,
  selectAuthorities,
  selectAuthorityDependents,
  type AuthorityDependent,
} from './authority-store.js';
import { CERTIFICATE_TIMES } from './certificate-times.js';
import { makeAuthority } from './make-authority.js';

export interface AuthorityDetails {
  id: string;
  created: Date;
  /** The part of a token after its dot. */
  pin: string;
  role: 'only' | 'older' | 'newer';
}

export interface Authorities {
  authorities: AuthorityDetails[];
  /** The agents that retiring the older authority would lock out now; empty if there is only one authority. */
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
 * Makes a second authority. It is trusted at once, and every agent receives it with its next certificate.
 * @throws Fault `precondition_failed` if there are two authorities already, or none; `validation_failed` if the
 * encryption key is not the one of the control plane
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
      // An authority sealed under another key would prevent every process from starting.
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
 * Deletes the older of two authorities.
 * @param force retires the authority even if agents are locked out, which then need new tokens
 * @returns the remaining authority, and the agents that were locked out
 * @throws Fault `precondition_failed` if there is only one authority, or agents depend on the older one; names the agents
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
          `${dependents.length === 1 ? '1 agent' : `${dependents.length} agents`} would be locked out:`,
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
      ? 'has not used a certificate of the newer authority yet'
      : 'has an unused token of the older authority';
  return `  ${name} in ${region} (${id}) ${reason}`;
}

async function dependentsOf(
  tx: Tx,
  rows: readonly CertificateAuthorityEntity[],
  nowMs: number,
): Promise<AuthorityDependent[]> {
  if (rows.length < 2) return [];
  return await selectAuthorityDependents(tx, rows.at(-1)!.id, new Date(nowMs - CERTIFICATE_TIMES.renewalGraceMs));
}

function detailsOf(
  { id, created, certificate }: CertificateAuthorityEntity,
  at: number,
  rows: readonly CertificateAuthorityEntity[],
): AuthorityDetails {
  const role = rows.length === 1 ? 'only' : at === 0 ? 'older' : 'newer';
  return { id, created, pin: authorityPin(certificate), role };
}
