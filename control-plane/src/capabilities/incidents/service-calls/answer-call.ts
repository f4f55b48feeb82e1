import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '@watchpost/shared/clock';
import { Fault } from '@watchpost/shared/fault';
import { DAY_MS } from '@watchpost/shared/time';
import type { Transactions } from '../../../platform/db/database.js';
import type { SecretBox } from '../../../platform/db/secret-box.js';
import {
  type CallProof,
  channelOf,
  hasAllOf,
  isChannel,
  type OpenFields,
  type ServiceCall,
} from '../../channels/index.js';
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
export interface IncomingCall extends Pick<ServiceCall, 'headers' | 'body'> {
  type: string;
  groupId: string;
  remoteAddress: string;
}

/** Calls are kept so long. Services repeat one for less, and what they sign is not older. */
const KEPT_MS = 7 * DAY_MS;

/**
 * Finds the group whose service calls. A group that does not exist, is of another type or has no secret is refused as a
 * wrong signature is, in the same time.
 * @param proofOf what a channel takes from its service; undefined where nothing
 * @throws Fault invalid_token, rate_limited
 */
export async function requireCalledGroup(
  deps: CallDeps,
  { type, groupId, headers, body, remoteAddress }: IncomingCall,
  proofOf: (channel: ReturnType<typeof channelOf>) => CallProof | undefined,
): Promise<CalledGroup> {
  await deps.limits.callers.take(remoteAddress);
  const proof = isChannel(type) ? proofOf(channelOf(type)) : undefined;
  if (!proof) throw notGenuine();
  const group = await findCalledGroup(deps, groupId);
  const isAsked = group?.type === type && hasAllOf(proof, group.fields);
  const call = { headers, body, nowMs: deps.clock.now() };
  const isGenuine = proof.isGenuine(call, isAsked ? group.fields : nobodysFields(proof));
  if (!isAsked || !isGenuine) throw notGenuine();
  await deps.limits.groups.take(group.id);
  return group;
}

function notGenuine(): Fault {
  return new Fault('invalid_token', 'This URL is that of no group, or the call is not signed by its service.');
}

/** Secrets that nobody has, with which a call is checked that is refused anyway. */
function nobodysFields({ needs }: CallProof): OpenFields {
  return Object.fromEntries(needs.map((name) => [name, randomBytes(32).toString('hex')]));
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

/** Forgets old calls. */
export async function purgeServiceCalls({ db, clock }: Pick<CallDeps, 'db' | 'clock'>): Promise<void> {
  await db.transaction((tx) => serviceCallStore.purge(tx, new Date(clock.now() - KEPT_MS)));
}
