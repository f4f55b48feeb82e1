import type { Tx } from '../../../platform/db/database.js';
import type { SecretBox } from '../../../platform/db/secret-box.js';
import type { Configured, ConfiguredObject } from '../../monitors/index.js';
import {
  type ActionGroupType,
  channelOf,
  decideGroupContent,
  type GroupContent,
  type GroupInput,
  openGroupSecrets,
  secretsByField,
} from '../../channels/index.js';
import { actionGroupStore } from './action-group-store.js';
import { groupUseStore } from './group-use-store.js';

/** What a group would be configured to after it was created with this input. */
export function configuredByGroupInput(type: ActionGroupType, input: GroupInput): Configured {
  const { fields } = channelOf(type);
  const content = decideGroupContent(fields, null, input);
  return configured({ type, name: input.name!, isEnabled: input.isEnabled ?? true }, content);
}

/** All action groups of a workspace, oldest first. */
export async function configuredGroups(
  { secretBox }: { secretBox: SecretBox },
  tx: Tx,
  workspaceId: string,
): Promise<ConfiguredObject[]> {
  return (await actionGroupStore.all(workspaceId, tx)).map(({ id, type, name, isEnabled, settings, secrets }) => ({
    id,
    ...configured({ type, name, isEnabled }, { settings, secrets: openGroupSecrets(secretBox, id, secrets) }),
  }));
}

/** The action groups of each monitor of a workspace that has any, in the order of their creation. */
export async function attachedGroups(tx: Tx, workspaceId: string): Promise<Map<string, string[]>> {
  return new Map(
    (await groupUseStore.ofMonitors(workspaceId, tx)).map(({ monitorId, groupIds }) => [monitorId, groupIds]),
  );
}

function configured(about: object, content: GroupContent): Configured {
  return { fields: { ...about, ...content.settings }, secrets: secretsByField(content) };
}
