import { createHash } from 'node:crypto';
import type { Clock } from '@watchpost/shared/clock';
import { Fault } from '@watchpost/shared/fault';
import { DAY_MS } from '@watchpost/shared/time';
import type { Transactions } from '../../../platform/db/database.js';
import type { SecretBox } from '../../../platform/db/secret-box.js';
import { isGenuineCall } from '../../channels/index.js';
import { type CalledGroup, findCalledGroup } from '../../recipients/index.js';
import { serviceCallStore } from './service-call-store.js';

export interface CallDeps {
  db: Transactions;
  clock: Clock;
  secretBox: SecretBox;
  /** Rejects where an address, or the service of a group, makes too many requests. */
  limits: { callers: Limit; groups: Limit };
}

interface Limit {
  take(who: string): Promise<void>;
}

/** A request to the URL of a group. */
export interface IncomingCall {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
  type: string;
  groupId: string;
  remoteAddress: string;
}

/** Calls are kept so long. Services repeat one for less, and what they sign is not older. */
const KEPT_MS = 7 * DAY_MS;

/**
 * Finds the group whose service calls. A group that does not exist, is of another type or has no secret is refused as a
 * wrong signature is, in the same time.
 * @throws Fault invalid_token, rate_limited
 */
export async function requireCalledGroup(
  deps: CallDeps,
  kind: 'presses' | 'events',
  { type, groupId, headers, body, remoteAddress }: IncomingCall,
): Promise<CalledGroup> {
  await deps.limits.callers.take(remoteAddress);
  const found = await findCalledGroup(deps, groupId);
  const group = found?.type === type ? found : null;
  const isGenuine = isGenuineCall(type, kind, { headers, body, nowMs: deps.clock.now() }, group?.fields ?? null);
  if (!group || !isGenuine)
    throw new Fault('invalid_token', 'This URL is that of no group, or the call is not signed by its service.');
  await deps.limits.groups.take(group.id);
  return group;
}

/** Answers a call of a group; the same call is answered as before, and `work` is not done again. */
export async function answerCallOnce(
  { db, clock }: CallDeps,
  { id }: CalledGroup,
  body: Buffer,
  work: () => Promise<object>,
): Promise<object> {
  const digest = createHash('sha256').update(body).digest();
  const former = await db.transaction((tx) => serviceCallStore.begin(id, tx, digest, new Date(clock.now())));
  if (former) return former;
  const answer = await work();
  await db.transaction((tx) => serviceCallStore.end(id, tx, digest, answer));
  return answer;
}

export async function purgeServiceCalls({ db, clock }: Pick<CallDeps, 'db' | 'clock'>): Promise<void> {
  await db.transaction((tx) => serviceCallStore.purge(tx, new Date(clock.now() - KEPT_MS)));
}
