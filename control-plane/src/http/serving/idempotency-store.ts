import type { Tx } from '../../db/database.js';

/** What an `Idempotency-Key` is unique within. */
export interface KeyScope {
  principalId: string;
  /** null for routes without a workspace. */
  workspaceId: string | null;
  operation: string;
  key: string;
}

export interface Claim {
  /** Digest of what was asked: path, query and body. */
  fingerprint: Buffer;
  /** A fresh id for this attempt. */
  owner: string;
  nowMs: number;
  lockedUntilMs: number;
  expiresMs: number;
}

/** Who has the key: this attempt, another one that still runs, or one that has answered. */
export type Claimed =
  | { state: 'ours' }
  | { state: 'running'; fingerprint: Buffer }
  | { state: 'answered'; fingerprint: Buffer; answer: Buffer };

const NO_WORKSPACE = '00000000-0000-0000-0000-000000000000';
const WHERE_KEY = 'principal_id = $1 AND workspace_id = $2 AND operation = $3 AND key = $4';
const PURGE_BATCH = 5_000;

function keyColumns(scope: KeyScope): string[] {
  return [scope.principalId, scope.workspaceId ?? NO_WORKSPACE, scope.operation, scope.key];
}

const time = (ms: number) => new Date(ms);

/**
 * Takes the key, or says who has it. A key is free when it is new, expired, or when its owner has let
 * the lock run out without an answer: that process is gone.
 */
export async function claimKey(tx: Tx, scope: KeyScope, claim: Claim): Promise<Claimed> {
  const mine = await tx.query(
    `INSERT INTO idempotency_key AS k (principal_id, workspace_id, operation, key, fingerprint, owner, locked_until, expires)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
     ON CONFLICT (principal_id, workspace_id, operation, key) DO UPDATE
       SET fingerprint = excluded.fingerprint, owner = excluded.owner, locked_until = excluded.locked_until,
           expires = excluded.expires, answer = NULL
       WHERE k.expires <= $9 OR (k.answer IS NULL AND k.locked_until <= $9)
     RETURNING owner`,
    [
      ...keyColumns(scope),
      claim.fingerprint,
      claim.owner,
      time(claim.lockedUntilMs),
      time(claim.expiresMs),
      time(claim.nowMs),
    ],
  );
  if (mine.length > 0) return { state: 'ours' };
  const [row] = await tx.query<{ fingerprint: Buffer; answer: Buffer | null }>(
    `SELECT fingerprint, answer FROM idempotency_key WHERE ${WHERE_KEY}`,
    keyColumns(scope),
  );
  // Given back between the two statements: the next claim gets it.
  if (!row) return { state: 'running', fingerprint: claim.fingerprint };
  return row.answer === null
    ? { state: 'running', fingerprint: row.fingerprint }
    : { state: 'answered', fingerprint: row.fingerprint, answer: row.answer };
}

/** Keeps the lock while the request still runs. */
export async function extendLock(tx: Tx, scope: KeyScope, owner: string, lockedUntilMs: number): Promise<void> {
  await tx.query(`UPDATE idempotency_key SET locked_until = $6 WHERE ${WHERE_KEY} AND owner = $5 AND answer IS NULL`, [
    ...keyColumns(scope),
    owner,
    time(lockedUntilMs),
  ]);
}

export async function keepAnswer(tx: Tx, scope: KeyScope, owner: string, answer: Buffer): Promise<void> {
  await tx.query(`UPDATE idempotency_key SET answer = $6 WHERE ${WHERE_KEY} AND owner = $5`, [
    ...keyColumns(scope),
    owner,
    answer,
  ]);
}

/** Gives the key back, so that the same request may be tried again. */
export async function releaseKey(tx: Tx, scope: KeyScope, owner: string): Promise<void> {
  await tx.query(`DELETE FROM idempotency_key WHERE ${WHERE_KEY} AND owner = $5`, [...keyColumns(scope), owner]);
}

/**
 * Deletes keys that have expired, a bounded number at a time.
 * @returns how many went; call again while it is not 0
 */
export async function purgeIdempotencyKeys(tx: Tx, nowMs: number): Promise<number> {
  const gone = await tx.query(
    `WITH expired AS (
       SELECT ctid FROM idempotency_key WHERE expires <= $1 ORDER BY expires LIMIT ${PURGE_BATCH} FOR UPDATE SKIP LOCKED
     ), gone AS (
       DELETE FROM idempotency_key WHERE ctid IN (SELECT ctid FROM expired) RETURNING 1
     )
     SELECT count(*) AS count FROM gone`,
    [time(nowMs)],
  );
  return Number(gone[0]?.['count'] ?? 0);
}
