import { isUuid } from '@watchpost/shared/id';
import type { Transactions } from '../../../platform/db/database.js';
import type { SecretBox } from '../../../platform/db/secret-box.js';
import { type ActionGroupType } from '../../channels/index.js';
import { openGroupFields } from '../../group-settings/index.js';
import { calledGroupStore } from './action-group-store.js';

export interface CalledGroup {
  id: string;
  workspaceId: string;
  type: ActionGroupType;
  fields: ReturnType<typeof openGroupFields>;
}

/** Finds a group by its id alone, which the URL of a service has: the service proves itself by the secrets of the group. */
export async function findCalledGroup(
  { db, secretBox }: { db: Transactions; secretBox: SecretBox },
  id: string,
): Promise<CalledGroup | null> {
  if (!isUuid(id)) return null;
  const group = await db.read((tx) => calledGroupStore.find(tx, id));
  if (!group) return null;
  const { workspaceId, type } = group;
  return { id, workspaceId, type, fields: openGroupFields(secretBox, type, group) };
}
