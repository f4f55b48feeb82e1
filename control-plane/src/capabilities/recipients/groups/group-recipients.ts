import { notFound, found } from '@watchpost/shared/fault';
import type { Actor } from '../../../platform/identity/caller.js';
import type { Tx } from '../../../platform/db/database.js';
import { recordAudit } from '../../audit/index.js';
import type { ActionGroup } from './action-group.js';
import { type ActionGroupRow, actionGroupStore } from './action-group-store.js';
import { type ActionGroupType, channelOf, destinationsOf } from '../../channels/index.js';
import type { AlertDeps } from '../../delivery/index.js';
import { getActionGroup } from './read-action-groups.js';
import { confirmNumber } from '../consent/confirm-number.js';
import { repeatConfirmationRequest } from '../consent/repeat-confirmation-request.js';

/** The channels to whose numbers a code is sent. */
export const CODE_CHANNELS = ['sms', 'voice'] as const satisfies readonly ActionGroupType[];

/** Confirms a number of a group. @throws Fault not_found and as `confirmNumber` */
export async function confirmGroupNumber(
  deps: AlertDeps,
  actor: Actor,
  group: { id: string; type: (typeof CODE_CHANNELS)[number] },
  { phoneNumber, code }: { phoneNumber: string; code: string },
): Promise<ActionGroup> {
  const { workspaceId } = actor.workspace;
  let target: ActionGroupRow;
  await confirmNumber(
    deps,
    workspaceId,
    code,
    async (tx) => {
      target = await requireRecipient(tx, actor, group, phoneNumber);
      return phoneNumber;
    },
    (tx) =>
      recordAudit(deps, tx, actor, { action: 'action_group.recipient_confirmed', target, after: { phoneNumber } }),
  );
  return getActionGroup(deps, actor, group);
}

/** Has the request to a recipient of a group sent again. @throws Fault not_found and as `repeatConfirmationRequest` */
export async function resendConfirmation(
  deps: AlertDeps,
  actor: Actor,
  group: { id: string; type: ActionGroupType },
  address: string,
): Promise<ActionGroup> {
  await deps.db.transaction(async (tx) => {
    await requireRecipient(tx, actor, group, address);
    const consent = channelOf(group.type).consent!;
    const path = consent === 'email' ? 'recipient' : 'phoneNumber';
    await repeatConfirmationRequest(deps, tx, actor.workspace.workspaceId, consent, address, path);
  });
  return getActionGroup(deps, actor, group);
}

async function requireRecipient(
  tx: Tx,
  { workspace }: Actor,
  { id, type }: { id: string; type: ActionGroupType },
  address: string,
): Promise<ActionGroupRow> {
  const group = found(await actionGroupStore.find(workspace.workspaceId, tx, id, { type }), 'action group');
  const isIn = destinationsOf(channelOf(type), group.settings).some(
    (one) => one.toLowerCase() === address.toLowerCase(),
  );
  if (!isIn) throw notFound('recipient in this action group');
  return group;
}
