import type { Tx } from '../../db/database.js';

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

/** Who has the key: this attempt, or another one, which still runs, was lost after it changed something, or is done. */
export type Claimed =
  | { state: 'ours' }
  /** There is no room for another answer of this principal. */
  | { state: 'full' }
  | { state: 'running'; fingerprint: Buffer }
  | { state: 'lost'; fingerprint: Buffer }
  | { state: 'answered'; fingerprint: Buffer; answer: Buffer }
  /** The answer was not kept. */
  | { state: 'dropped'; fingerprint: Buffer; location: string | null };

interface KeyRow {
  fingerprint: Buffer;
  stage: 'claimed' | 'committed' | 'done';
  answer: Buffer | null;
  location: string | null;
  lockedUntil: Date;
  expires: Date;
}

/** Bytes of answers that are kept for a principal, over all keys of 24 h. */
export const MOST_KEPT_BYTES = 16 * 1_048_576;
/** Represents no workspace in the key's row. */
export const NO_WORKSPACE = '00000000-0000-0000-0000-000000000000';
const WHERE_KEY = 'principal_id = $1 AND workspace_id = $2 AND operation = $3 AND key = $4';
const PURGE_BATCH = 5_000;

function keyColumns(scope: KeyScope): string[] {
  return [scope.principalId, scope.workspaceId ?? NO_WORKSPACE, scope.operation, scope.key];
}

const time = (ms: number) => new Date(ms);

/**
 * Takes the key, or reports who has it. A key is free when it is new or expired, or when its owner has let the lock run
 * out and changed nothing: that process is gone.
 * @param room bytes that must be free for a new key
 */
export async function claimKey(tx: Tx, scope: KeyScope, claim: Claim, room: number): Promise<Claimed> {
  const mine = await tx.query(
    `INSERT INTO idempotency_key AS k (principal_id, workspace_id, operation, key, fingerprint, owner, locked_until, expires)
     SELECT $1::uuid, $2::uuid, $3, $4, $5::bytea, $6::uuid, $7::timestamptz, $8::timestamptz
     WHERE NOT EXISTS (SELECT FROM idempotency_usage WHERE principal_id = $1 AND bytes > $10)
     ON CONFLICT (principal_id, workspace_id, operation, key) DO UPDATE
       SET fingerprint = excluded.fingerprint, owner = excluded.owner, locked_until = excluded.locked_until,
           expires = excluded.expires, stage = 'claimed', location = NULL
       WHERE k.answer IS NULL AND (k.expires <= $9 OR (k.stage = 'claimed' AND k.locked_until <= $9))
     RETURNING owner`,
    [
      ...keyColumns(scope),
      claim.fingerprint,
      claim.owner,
      time(claim.lockedUntilMs),
      time(claim.expiresMs),
      time(claim.nowMs),
      MOST_KEPT_BYTES - room,
    ],
  );
  if (mine.length > 0) return { state: 'ours' };
  const [row] = await tx.query<KeyRow>(
    `SELECT fingerprint, stage, answer, location, locked_until AS "lockedUntil", expires
     FROM idempotency_key WHERE ${WHERE_KEY}`,
    keyColumns(scope),
  );
  if (!row)
    return (await hasRoom(tx, scope, room)) ? { state: 'running', fingerprint: claim.fingerprint } : { state: 'full' };
  if (row.expires.getTime() <= claim.nowMs) {
    await forgetKeys(tx, `${WHERE_KEY} AND expires <= $5`, [...keyColumns(scope), time(claim.nowMs)]);
    return { state: 'running', fingerprint: claim.fingerprint };
  }
  const { fingerprint, stage, answer, location } = row;
  if (answer !== null) return { state: 'answered', fingerprint, answer };
  if (stage === 'done') return { state: 'dropped', fingerprint, location };
  const isLost = stage === 'committed' && row.lockedUntil.getTime() <= claim.nowMs;
  return { state: isLost ? 'lost' : 'running', fingerprint };
}

async function hasRoom(tx: Tx, scope: KeyScope, room: number): Promise<boolean> {
  const full = await tx.query('SELECT FROM idempotency_usage WHERE principal_id = $1 AND bytes > $2', [
    scope.principalId,
    MOST_KEPT_BYTES - room,
  ]);
  return full.length === 0;
}

/** Keeps the lock while the request still runs. */
export async function extendLock(tx: Tx, scope: KeyScope, owner: string, lockedUntilMs: number): Promise<void> {
  await tx.query(`UPDATE idempotency_key SET locked_until = $6 WHERE ${WHERE_KEY} AND owner = $5 AND stage <> 'done'`, [
    ...keyColumns(scope),
    owner,
    time(lockedUntilMs),
  ]);
}

/** In the transaction that changes something. @returns false where another attempt has taken the key over meanwhile */
export async function markCommitted(tx: Tx, scope: KeyScope, owner: string): Promise<boolean> {
  const marked = await tx.execute(
    `UPDATE idempotency_key SET stage = 'committed' WHERE ${WHERE_KEY} AND owner = $5 AND stage <> 'done'`,
    [...keyColumns(scope), owner],
  );
  return marked > 0;
}

/** Keeps the answer where there is room for it, and that there was one in any case. */
export async function keepAnswer(
  tx: Tx,
  scope: KeyScope,
  owner: string,
  answer: Buffer | null,
  location: string | null,
): Promise<void> {
  await tx.query(
    `WITH mine AS (
       SELECT principal_id FROM idempotency_key WHERE ${WHERE_KEY} AND owner = $5 AND stage <> 'done' FOR UPDATE
     ), counted AS (
       INSERT INTO idempotency_usage AS usage (principal_id, bytes)
       SELECT principal_id, octet_length($6::bytea) FROM mine WHERE $6::bytea IS NOT NULL
       ON CONFLICT (principal_id) DO UPDATE SET bytes = usage.bytes + excluded.bytes
         WHERE usage.bytes + excluded.bytes <= ${MOST_KEPT_BYTES}
       RETURNING 1
     )
     UPDATE idempotency_key SET stage = 'done', location = $7,
       answer = CASE WHEN EXISTS (SELECT FROM counted) THEN $6::bytea END
     WHERE ${WHERE_KEY} AND owner = $5 AND stage <> 'done'`,
    [...keyColumns(scope), owner, answer, location],
  );
}

/** Gives the key back where nothing was changed, so that the same request may be tried again. */
export async function releaseKey(tx: Tx, scope: KeyScope, owner: string): Promise<void> {
  await tx.query(`DELETE FROM idempotency_key WHERE ${WHERE_KEY} AND owner = $5 AND stage = 'claimed'`, [
    ...keyColumns(scope),
    owner,
  ]);
  // What changed something and then failed must not be run again: how far it came is not known.
  await tx.query(
    `UPDATE idempotency_key SET locked_until = 'epoch' WHERE ${WHERE_KEY} AND owner = $5 AND stage = 'committed'`,
    [...keyColumns(scope), owner],
  );
}

/**
 * Deletes keys that have expired, a bounded number at a time.
 * @returns how many went; call again while it is not 0
 */
export async function purgeIdempotencyKeys(tx: Tx, nowMs: number): Promise<number> {
  const gone = await forgetKeys(
    tx,
    `ctid IN (SELECT ctid FROM idempotency_key WHERE expires <= $1 ORDER BY expires LIMIT ${PURGE_BATCH} FOR UPDATE SKIP LOCKED)`,
    [time(nowMs)],
  );
  await tx.query('DELETE FROM idempotency_usage WHERE bytes = 0');
  return gone;
}

/** Deletes keys, and counts their answers no more. */
async function forgetKeys(tx: Tx, where: string, values: readonly unknown[]): Promise<number> {
  const [gone] = await tx.query<{ count: number }>(
    `WITH gone AS (
       DELETE FROM idempotency_key WHERE ${where} RETURNING principal_id, coalesce(octet_length(answer), 0) AS bytes
     ), freed AS (
       SELECT principal_id, sum(bytes) AS bytes FROM gone GROUP BY principal_id ORDER BY principal_id
     ), counted AS (
       UPDATE idempotency_usage usage SET bytes = greatest(0, usage.bytes - freed.bytes)
       FROM freed WHERE usage.principal_id = freed.principal_id
     )
     SELECT count(*) AS count FROM gone`,
    values,
  );
  return gone?.count ?? 0;
}
