import type { Clock } from '@watchpost/shared/clock';
import { newId } from '@watchpost/shared/id';
import type { Database, Tx } from '../../../platform/db/database.js';
import { purgeBudgets } from '../../plans/index.js';
import type { ActionGroupType, GroupSettings } from '../action-group.js';
import { decideRecipientState, type RecipientRules } from './decide-recipient-state.js';
import { anyRecipientStore, type RecipientChannel, recipientStore } from './recipient-store.js';

/** Of an owner. Whoever has more that never answered is asking strangers: the others wait until some have. */
const MOST_UNANSWERED = 500;
const BATCH = 1_000;
const UNANSWERED_MS = 30 * 86_400_000;

export type PendingDeps = RecipientRules & { clock: Clock };

/** Notes those of the addresses that must confirm and that nobody has asked; the worker asks them. */
export async function addPendingRecipients(
  deps: PendingDeps,
  tx: Tx,
  workspaceId: string,
  channel: RecipientChannel,
  addresses: readonly string[],
): Promise<void> {
  const standings = await recipientStore.standings(workspaceId, tx, channel, addresses);
  const pending = standings.filter((one) => decideRecipientState(one, deps.recipientVerification) === 'pending');
  if (pending.length === 0) return;
  await recipientStore.dropUnused(workspaceId, tx);
  const room = MOST_UNANSWERED - (await recipientStore.countUnanswered(workspaceId, tx));
  if (room > 0) await insert(deps, tx, workspaceId, channel, pending.slice(0, room));
}

/** As `addPendingRecipients`, of a group. Nobody is asked for a channel that needs no agreement. */
export async function addPendingGroupRecipients(
  deps: PendingDeps,
  tx: Tx,
  workspaceId: string,
  { type, settings: { recipients, phoneNumbers } }: { type: ActionGroupType; settings: GroupSettings },
): Promise<void> {
  if (type === 'email') await addPendingRecipients(deps, tx, workspaceId, type, recipients ?? []);
  else if (type === 'sms') await addPendingRecipients(deps, tx, workspaceId, type, phoneNumbers ?? []);
}

/**
 * Notes every recipient of enabled groups that must confirm and that nobody has asked: the plan of its owner became
 * smaller, or the operator changed the rule.
 * @param ownerId null for those of all owners
 */
export async function addUnaskedRecipients(deps: PendingDeps, tx: Tx, ownerId: string | null): Promise<void> {
  const always = deps.recipientVerification === 'always';
  for (const { workspaceId, channel, address } of await anyRecipientStore.unasked(tx, ownerId, always, BATCH))
    await addPendingRecipients(deps, tx, workspaceId, channel, [address]);
}

async function insert(
  { clock }: PendingDeps,
  tx: Tx,
  workspaceId: string,
  channel: RecipientChannel,
  pending: readonly { address: string }[],
): Promise<void> {
  const nowMs = clock.now();
  const rows = pending.map(({ address }) => ({ id: newId(nowMs), channel, address }));
  await recipientStore.note(workspaceId, tx, rows, new Date(nowMs));
}

/** What a workspace brings along to a new owner: the answers that its recipients gave the former one. */
export async function copyRecipientAnswers(
  { clock }: { clock: Clock },
  tx: Tx,
  workspaceId: string,
  formerOwnerId: string,
): Promise<void> {
  await recipientStore.copyAnswers(workspaceId, tx, formerOwnerId, new Date(clock.now()));
}

/** Forgets who never answered and is in no group any more, and what was counted on former days. */
export async function purgeRecipients({ db, clock }: { db: Database; clock: Clock }): Promise<void> {
  await db.transaction(async (tx) => {
    await anyRecipientStore.purgeUnanswered(tx, new Date(clock.now() - UNANSWERED_MS));
    await purgeBudgets(tx, clock.now());
  });
}
