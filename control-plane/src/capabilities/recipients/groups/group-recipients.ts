import { notFound, found } from '@watchpost/shared/fault';
import type { Actor } from '../../../platform/identity/caller.js';
import type { Tx } from '../../../platform/db/database.js';
import { recordAudit } from '../../audit/index.js';
import type { ActionGroup } from './action-group.js';
import { type ActionGroupRow, actionGroupStore } from './action-group-store.js';
import type { AlertDeps, RecipientChannel } from '../../delivery/index.js';
import { getActionGroup } from './read-action-groups.js';
import { confirmNumber } from '../consent/confirm-number.js';
import { repeatConfirmationRequest } from '../consent/repeat-confirmation-request.js';

/** Confirms a number of an SMS group. @throws Fault not_found and as `confirmNumber` */
export async function confirmGroupNumber(
  deps: AlertDeps,
  actor: Actor,
  id: string,
  { phoneNumber, code }: { phoneNumber: string; code: string },
): Promise<ActionGroup> {
  const { workspaceId } = actor.workspace;
  let target: ActionGroupRow;
  await confirmNumber(
    deps,
    workspaceId,
    code,
    async (tx) => {
      target = await requireRecipient(tx, actor, id, 'sms', phoneNumber);
      return phoneNumber;
    },
    (tx) =>
      recordAudit(deps, tx, actor, { action: 'action_group.recipient_confirmed', target, after: { phoneNumber } }),
  );
  return getActionGroup(deps, actor, { id, type: 'sms' });
}

/** Has the request to a recipient of a group sent again. @throws Fault not_found and as `repeatConfirmationRequest` */
export async function resendConfirmation(
  deps: AlertDeps,
  actor: Actor,
  { id, type }: { id: string; type: RecipientChannel },
  address: string,
): Promise<ActionGroup> {
  await deps.db.transaction(async (tx) => {
    await requireRecipient(tx, actor, id, type, address);
    const path = type === 'email' ? 'recipient' : 'phoneNumber';
    await repeatConfirmationRequest(deps, tx, actor.workspace.workspaceId, type, address, path);
  });
  return getActionGroup(deps, actor, { id, type });
}

async function requireRecipient(
  tx: Tx,
  { workspace }: Actor,
  id: string,
  type: RecipientChannel,
  address: string,
): Promise<ActionGroupRow> {
  const group = found(await actionGroupStore.find(workspace.workspaceId, tx, id, { type }), 'action group');
  const { recipients = [], phoneNumbers = [] } = group.settings;
  const isIn = [...recipients, ...phoneNumbers].some((one) => one.toLowerCase() === address.toLowerCase());
  if (!isIn) throw notFound('recipient in this action group');
  return group;
}
