import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Clock } from '@watchpost/shared/clock';
import { Fault } from '@watchpost/shared/fault';
import { newId } from '@watchpost/shared/id';
import { DAY_MS } from '@watchpost/shared/time';
import { beforeCommit, type Database, type Tx } from '../../db/database.js';
import { throwIfOver, toTheEnd } from '../../db/request-context.js';
import type { SealedColumn } from '../../db/sealed-column.js';
import { startPeriodicTask } from '../../jobs/periodic-task.js';
import type { Sealer } from '../http-options.js';
import {
  claimKey,
  extendLock,
  keepAnswer,
  markCommitted,
  MOST_KEPT_BYTES,
  releaseKey,
  type Claimed,
  type KeyScope,
  NO_WORKSPACE,
} from './idempotency-store.js';
import type { PreparedAnswer } from '../answering/prepared-answer.js';

/** How long a first answer is given again. */
const KEPT_MS = DAY_MS;
/** After a crash a key is stuck for no longer than this; a living request renews its lock. */
const LOCK_MS = 15_000;
const RENEW_MS = 5_000;
/** How long a second request waits for the first one's answer. */
const WAIT_MS = 10_000;
const POLL_FIRST_MS = 20;
const POLL_MOST_MS = 500;
/** Bodies beyond this are not kept. */
const LARGEST_KEPT = 256 * 1_024;
const FULL_RETRY_SECONDS = 3_600;
/** Answers that depend on the moment rather than on the request. */
const PASSING_STATUSES = new Set([401, 408, 429]);

export interface AnswerOnceDeps {
  db: Database;
  clock: Clock;
  logger: Logger;
  secretBox: Sealer;
}

/** Digest of what a request asks for, so that a key used for something else is noticed. */
export function fingerprintOf(pathAndQuery: string, canonicalBody: string): Buffer {
  return createHash('sha256').update(pathAndQuery).update('\n').update(canonicalBody).digest();
}

/**
 * Runs `work` once per key, and returns its answer again when the request is repeated within 24 h.
 * What `work` throws, or answers with a 5xx, is not kept: the key is free again, unless something was committed by then.
 * @throws Fault `idempotency_conflict` where the key was used for another request, the first one still runs, or its answer
 * was not kept; `rate_limited` where the principal has no room for another answer
 */
export async function answerOnce(
  deps: AnswerOnceDeps,
  scope: KeyScope,
  fingerprint: Buffer,
  work: () => Promise<PreparedAnswer>,
): Promise<PreparedAnswer> {
  const owner = newId(deps.clock.now());
  const first = await waitForTurn(deps, scope, fingerprint, owner);
  if (first) return unseal(first, deps.secretBox, contextOf(scope));
  const renewLock = () => run(deps, (tx) => extendLock(tx, scope, owner, deps.clock.now() + LOCK_MS));
  const renewal = startPeriodicTask(
    { name: 'renew_idempotency_lock', everyMs: RENEW_MS, initialDelayMs: RENEW_MS, run: renewLock },
    deps,
  );
  let isOver = false;
  let answer: PreparedAnswer;
  try {
    // With the first change it is known for good that the request was carried out, whatever happens to its answer.
    answer = await beforeCommit.run(async (tx) => {
      if (!isOver && !(await markCommitted(tx, scope, owner))) throw overtaken();
    }, work);
  } catch (error) {
    await settle(deps, () => run(deps, (tx) => releaseKey(tx, scope, owner)));
    throw error;
  } finally {
    // What the work has started for later goes on in the same context.
    isOver = true;
    void renewal.stop();
  }
  await settle(deps, () => run(deps, (tx) => settleKey(deps, tx, scope, owner, answer)));
  return answer;
}

function settleKey(deps: AnswerOnceDeps, tx: Tx, scope: KeyScope, owner: string, answer: PreparedAnswer) {
  if (answer.status >= 500 || PASSING_STATUSES.has(answer.status)) return releaseKey(tx, scope, owner);
  const { keptBody = answer.body, ...rest } = answer;
  const isKept = Buffer.byteLength(keptBody ?? '') <= LARGEST_KEPT;
  const sealed = isKept ? seal({ ...rest, body: keptBody }, deps.secretBox, contextOf(scope)) : null;
  return keepAnswer(tx, scope, owner, sealed, answer.headers['Location'] ?? null);
}

/** @returns the first answer, sealed, or null where it is this request's turn to make it */
async function waitForTurn(
  deps: AnswerOnceDeps,
  scope: KeyScope,
  fingerprint: Buffer,
  owner: string,
): Promise<Buffer | null> {
  const until = performance.now() + WAIT_MS;
  for (let pauseMs = POLL_FIRST_MS; ; pauseMs = Math.min(pauseMs * 2, POLL_MOST_MS)) {
    const nowMs = deps.clock.now();
    const claim = { fingerprint, owner, nowMs, lockedUntilMs: nowMs + LOCK_MS, expiresMs: nowMs + KEPT_MS };
    const claimed = await run(deps, (tx) => claimKey(tx, scope, claim, LARGEST_KEPT));
    if (claimed.state === 'ours') return null;
    if (claimed.state === 'full') throw full();
    if (!claimed.fingerprint.equals(fingerprint)) {
      throw new Fault('idempotency_conflict', 'This `Idempotency-Key` was used for another request; take a new one.');
    }
    if (claimed.state === 'answered') return claimed.answer;
    if (claimed.state !== 'running') throw unanswerable(claimed);
    if (performance.now() + pauseMs > until) {
      throw new Fault(
        'idempotency_conflict',
        'The first request with this `Idempotency-Key` is still running; ask again shortly.',
        [],
        5,
      );
    }
    await sleep(pauseMs);
    throwIfOver();
  }
}

/** Single statements, each its own transaction. A key is settled also where nobody waits for the answer any more. */
function run<T>(deps: AnswerOnceDeps, work: Parameters<typeof deps.db.read<T>>[0]): Promise<T> {
  return toTheEnd(() => deps.db.read(work));
}

/** The work is done and its answer known: failing to keep it must not turn it into an error. */
async function settle(deps: AnswerOnceDeps, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    deps.logger.error({ err: error }, 'could not settle an idempotency key; its lock will run out');
  }
}

function unanswerable(claimed: Extract<Claimed, { state: 'lost' | 'dropped' }>): Fault {
  if (claimed.state === 'lost') {
    const message =
      'The first request with this `Idempotency-Key` changed something, and its answer was lost. Read what is there before you send it again with a new key.';
    return new Fault('idempotency_conflict', message);
  }
  const created = claimed.location === null ? '' : ` It created ${claimed.location}.`;
  return new Fault(
    'idempotency_conflict',
    `The first request with this \`Idempotency-Key\` was carried out, and its answer was too large to be kept.${created} Take a new key to send it again.`,
  );
}

function overtaken(): Fault {
  return new Fault('idempotency_conflict', 'Another request with this `Idempotency-Key` was carried out meanwhile.');
}

function full(): Fault {
  const mebibytes = MOST_KEPT_BYTES / 1_048_576;
  return new Fault(
    'rate_limited',
    `At most ${mebibytes} MiB of answers are kept for your idempotency keys, each for 24 h. Send this without an \`Idempotency-Key\`, or later.`,
    [],
    FULL_RETRY_SECONDS,
  );
}

export const SEALED_ANSWER: SealedColumn = {
  table: 'idempotency_key',
  column: 'answer',
  reads: ['principal_id', 'workspace_id', 'operation', 'key'],
  context: (row) =>
    contextOf({
      principalId: row['principal_id']!,
      workspaceId: row['workspace_id'] === NO_WORKSPACE ? null : row['workspace_id']!,
      operation: row['operation']!,
      key: row['key']!,
    }),
};

function contextOf(scope: KeyScope): string {
  return JSON.stringify(['idempotency', scope.principalId, scope.workspaceId, scope.operation, scope.key]);
}

function seal(answer: PreparedAnswer, box: Sealer, context: string): Buffer {
  const body = Buffer.isBuffer(answer.body) ? { base64: answer.body.toString('base64') } : { text: answer.body };
  return box.seal(JSON.stringify({ ...answer, body }), context);
}

function unseal(sealed: Buffer, box: Sealer, context: string): PreparedAnswer {
  let plain: Buffer;
  try {
    plain = box.open(sealed, context);
  } catch {
    throw new Fault(
      'idempotency_conflict',
      'The first answer to this `Idempotency-Key` can no longer be read; take a new one.',
    );
  }
  const { body, ...answer } = JSON.parse(plain.toString('utf8')) as Omit<PreparedAnswer, 'body'> & {
    body: { base64: string } | { text: string | null };
  };
  return {
    ...answer,
    headers: { ...answer.headers, 'Idempotent-Replayed': 'true' },
    body: 'base64' in body ? Buffer.from(body.base64, 'base64') : body.text,
  };
}
