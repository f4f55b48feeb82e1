import type { Clock } from '@watchpost/shared/clock';
import { notFound, found } from '@watchpost/shared/fault';
import type { Transactions } from '../../../platform/db/database.js';
import type { Actor } from '../../../platform/identity/caller.js';
import { type ActionGroupType, type MessagePreview, sampleMessages, type SampleSubject } from '../../channels/index.js';
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

/**
 * Composes the messages that a group would send, one for each type of event that it is notified of, and sends nothing. They are about a monitor of
 * the group, or about an invented one.
 * @param monitorId default the first monitor that the group is attached to, by name
 * @throws Fault not_found (the group, or the monitor)
 */
export async function previewMessages(
  deps: MessagePreviewDeps,
  actor: Actor,
  groupId: string,
  { monitorId }: { monitorId?: string | undefined },
): Promise<MessagePreview[]> {
  const { workspaceId } = actor.workspace;
  const { group, about } = await deps.db.read(async (tx) => {
    const about = await groupUseStore.sampleSubject(workspaceId, tx, groupId, monitorId);
    const group = found(await actionGroupStore.find(workspaceId, tx, groupId), 'action group');
    if (monitorId !== undefined && !about.monitor) throw notFound('monitor');
    return { group, about: { ...about, incident: null } };
  });
  return compose(deps, workspaceId, group.type, about, wholeRules(group.rules).template);
}

/** Composes the messages of groups of a channel that have this template, about the latest incident of the workspace or an invented one. */
export async function previewTemplate(
  deps: MessagePreviewDeps,
  { workspace: { workspaceId } }: Actor,
  type: ActionGroupType,
  template: string | null,
): Promise<MessagePreview[]> {
  const about = await deps.db.read(async (tx) => {
    const { workspaceName } = await groupUseStore.sampleSubject(workspaceId, tx, null, undefined);
    const latest = await groupUseStore.latestIncident(workspaceId, tx);
    return { workspaceName, monitor: null, incident: null, ...latest };
  });
  return compose(deps, workspaceId, type, about, template);
}

function compose(
  { clock, baseUrl }: MessagePreviewDeps,
  workspaceId: string,
  type: ActionGroupType,
  about: SampleSubject,
  template: string | null,
): MessagePreview[] {
  const links = { baseUrl, evidenceUrl: () => `${baseUrl}${EVIDENCE_PATH}/example`, isForMembers: true };
  return sampleMessages(type, { workspaceId, ...about }, template, links, clock.now());
}
