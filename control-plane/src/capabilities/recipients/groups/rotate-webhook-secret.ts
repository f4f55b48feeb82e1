import { laterThan } from '@watchpost/shared/clock';
import type { Actor } from '../../../platform/identity/caller.js';
import { recordAudit } from '../../audit/index.js';
import type { RevealedGroup } from './action-group.js';
import { actionGroupStore } from './action-group-store.js';
import type { AlertDeps } from '../../delivery/index.js';
import { describeActionGroup, lockActionGroup } from './describe-action-group.js';
import { newWebhookSecret, openGroupSecrets, sealFormerSecret, sealGroupSecrets } from '../../group-settings/index.js';

/**
 * Gives a webhook a new signing secret. The former one also signs for 24 h, so that receivers can switch; an even older
 * one is deleted.
 * @throws Fault not_found, also where the group is no webhook
 */
export async function rotateWebhookSecret(deps: AlertDeps, actor: Actor, id: string): Promise<RevealedGroup> {
  const { workspaceId } = actor.workspace;
  return deps.db.transaction(async (tx) => {
    const { row } = await lockActionGroup(deps, tx, workspaceId, id, { type: 'webhook' });
    const before = openGroupSecrets(deps.secretBox, id, row.secrets);
    const nowMs = deps.clock.now();
    const secret = newWebhookSecret();
    if (before.secret !== undefined) {
      const former = sealFormerSecret(deps.secretBox, id, before.secret, nowMs);
      await actionGroupStore.keepFormerSecret(workspaceId, tx, id, former.sealed, former.until);
    }
    await actionGroupStore.update(workspaceId, tx, {
      ...row,
      secrets: sealGroupSecrets(deps.secretBox, id, { ...before, secret }),
      lastModified: laterThan(row.lastModified, nowMs),
    });
    await recordAudit(deps, tx, actor, {
      action: 'action_group.secret_rotated',
      target: row,
      before: {},
      after: {},
      secrets: ['secret'],
    });
    return { group: describeActionGroup(await actionGroupStore.find(workspaceId, tx, id), deps), secret };
  });
}
