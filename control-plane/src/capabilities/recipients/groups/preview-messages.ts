import type { Clock } from '@watchpost/shared/clock';
import { notFound, found } from '@watchpost/shared/fault';
import type { Transactions } from '../../../platform/db/database.js';
import type { Actor } from '../../../platform/identity/caller.js';
import { type MessagePreview, sampleMessages } from '../../channels/index.js';
import { actionGroupStore } from './action-group-store.js';
import { EVIDENCE_PATH } from '../../delivery/index.js';
import { groupUseStore } from './group-use-store.js';

export interface MessagePreviewDeps {
  db: Transactions;
  clock: Clock;
  /** The public URL of the service, without a trailing slash. */
  baseUrl: string;
}

/**
 * Composes the messages that a group would send, one for each type of event that it is notified of, and sends nothing. They are about a monitor of
 * the group, or about an invented one.
 * @param monitorId undefined: the first monitor that the group is attached to, by name
 * @throws Fault not_found (the group, or the monitor)
 */
export async function previewMessages(
  { db, clock, baseUrl }: MessagePreviewDeps,
  actor: Actor,
  groupId: string,
  monitorId: string | undefined,
): Promise<MessagePreview[]> {
  const { workspaceId } = actor.workspace;
  const { type, workspaceName, monitor } = await db.read(async (tx) => {
    const group = found(await actionGroupStore.find(workspaceId, tx, groupId), 'action group');
    const about = await groupUseStore.sampleSubject(workspaceId, tx, groupId, monitorId);
    if (monitorId !== undefined && !about.monitor) throw notFound('monitor');
    return { type: group.type, ...about };
  });
  const links = { baseUrl, evidenceUrl: () => `${baseUrl}${EVIDENCE_PATH}/example` };
  return sampleMessages(type, { workspaceId, workspaceName, monitor }, links, clock.now());
}
