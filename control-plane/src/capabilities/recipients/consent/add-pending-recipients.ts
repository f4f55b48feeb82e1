import type { Clock } from '@watchpost/shared/clock';
import { newId } from '@watchpost/shared/id';
import type { Tx } from '../../../platform/db/database.js';
import { type ActionGroupType, channelOf, destinationsOf } from '../../channels/index.js';
import { type GroupSettings } from '../../group-settings/index.js';
import { type RecipientChannel, type RecipientRules, recipientStates } from '../../delivery/index.js';
import { anyRecipientStore, recipientStore } from './recipient-store.js';

/** The largest number of unanswered requests of an owner; further recipients are not asked until some have answered. */
const MAX_UNANSWERED = 500;
const BATCH = 1_000;

export type PendingDeps = RecipientRules & { clock: Clock };

/** Adds those of the addresses that must confirm and have not been asked; the worker sends the requests. */
export async function addPendingRecipients(
  deps: PendingDeps,
  tx: Tx,
  workspaceId: string,
  channel: RecipientChannel,
  addresses: readonly string[],
): Promise<void> {
  const states = await recipientStates(deps, tx, workspaceId, channel, addresses);
  const pending = states.filter(({ state }) => state === 'pending');
  if (pending.length === 0) return;
  await recipientStore.dropUnused(workspaceId, tx);
  const left = MAX_UNANSWERED - (await recipientStore.countUnanswered(workspaceId, tx));
  if (left > 0) await insert(deps, tx, workspaceId, channel, pending.slice(0, left));
}

/** Adds the pending recipients of a group. Only people have to agree. */
export async function addPendingGroupRecipients(
  deps: PendingDeps,
  tx: Tx,
  workspaceId: string,
  { type, settings }: { type: ActionGroupType; settings: GroupSettings },
): Promise<void> {
  const channel = channelOf(type);
  if (channel.consent)
    await addPendingRecipients(deps, tx, workspaceId, channel.consent, destinationsOf(channel, settings));
}

/**
 * Adds every recipient of enabled groups that must confirm and has not been asked, because the plan of the owner became
 * smaller or the operator changed the rule.
 * @param ownerId null: of all owners
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
  await recipientStore.insert(workspaceId, tx, rows, new Date(nowMs));
}

/** Copies the answers of the recipients of a workspace from its former owner to the new one. */
export async function copyRecipientAnswers(
  { clock }: { clock: Clock },
  tx: Tx,
  workspaceId: string,
  formerOwnerId: string,
): Promise<void> {
  await recipientStore.copyAnswers(workspaceId, tx, formerOwnerId, new Date(clock.now()));
}
