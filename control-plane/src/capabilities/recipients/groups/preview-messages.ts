import type { Clock } from '@watchpost/shared/clock';
import { notFound, found } from '@watchpost/shared/fault';
import type { Transactions } from '../../../platform/db/database.js';
import type { Actor } from '../../../platform/identity/caller.js';
import { type MessagePreview, sampleMessages } from '../../channels/index.js';
import { wholeRules } from '../../group-settings/index.js';
import { actionGroupStore } from './action-group-store.js';
import { EVIDENCE_PATH } from '../../delivery/index.js';
import { groupUseStore } from './group-use-store.js';

export interface MessagePreviewDeps {
  db: Transactions;
  clock: Clock;
  /** The public URL of the service, without a trailing slash. */
  baseUrl: string;
}

/** What messages are previewed with. */
export interface PreviewRequest {
  /** Default the first monitor that the group is attached to, by name. */
  monitorId?: string | undefined;
  /** In place of the group's own; the messages are about the latest incident of the workspace then. */
  template?: string | null | undefined;
}

/**
 * Composes the messages that a group would send, one for each type of event that it is notified of, and sends nothing. They are about a monitor of
 * the group, or about an invented one.
 * @throws Fault not_found (the group, or the monitor)
 */
export async function previewMessages(
  { db, clock, baseUrl }: MessagePreviewDeps,
  actor: Actor,
  groupId: string,
  { monitorId, template }: PreviewRequest,
): Promise<MessagePreview[]> {
  const { workspaceId } = actor.workspace;
  const { group, about } = await db.read(async (tx) => {
    const subject = await groupUseStore.sampleSubject(workspaceId, tx, groupId, monitorId);
    const row = found(await actionGroupStore.find(workspaceId, tx, groupId), 'action group');
    if (monitorId !== undefined && !subject.monitor) throw notFound('monitor');
    const latest = template === undefined ? null : await groupUseStore.latestIncident(workspaceId, tx);
    return { group: row, about: { ...subject, incident: null, ...latest } };
  });
  const links = { baseUrl, evidenceUrl: () => `${baseUrl}${EVIDENCE_PATH}/example`, isForMembers: true };
  const used = template === undefined ? wholeRules(group.rules).template : template;
  return sampleMessages(group.type, { workspaceId, ...about }, used, links, clock.now());
}
