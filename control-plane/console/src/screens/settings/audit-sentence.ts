import type { AuditEntry } from './views.js';

type TargetType = AuditEntry['target']['type'];

export const TARGET_WORDS: Readonly<Record<TargetType, string>> = {
  workspace: 'workspace',
  member: 'member',
  invitation: 'invitation',
  api_key: 'API key',
  monitor: 'monitor',
  service_group: 'service group',
  team: 'team',
  schedule: 'schedule',
  escalation_policy: 'escalation policy',
  override: 'override',
  swap: 'swap of shifts',
  calendar_link: 'calendar link',
  action_group: 'channel',
  incident: 'incident',
  private_location: 'private location',
  maintenance_window: 'maintenance window',
  mark: 'mark',
  status_page: 'status page',
  post: 'post',
  config: 'project',
};

/** Actions that their name does not describe as a sentence. `%` is the target with its type, `@` its name alone. */
const SENTENCES: Partial<Record<AuditEntry['action'], string>> = {
  'workspace.ownership_transferred': 'transferred the ownership of %',
  'workspace.trial_started': 'started the trial in %',
  'workspace.trial_ended': 'ended the trial in %',
  'workspace.plan_changed': 'changed the plan of %',
  'member.joined': 'joined the workspace',
  'member.left': 'left the workspace',
  'member.chat_account_linked': 'linked a chat account of %',
  'member.chat_account_unlinked': 'unlinked a chat account of %',
  'member.contact_method_confirmed': 'confirmed a contact method of %',
  'member.contact_method_removed': 'removed a contact method of %',
  'member.role_changed': 'changed the role of %',
  'invitation.created': 'invited @',
  'invitation.link_regenerated': 'made a new link for %',
  'team.member_added': 'added a member to %',
  'team.member_changed': 'changed a member of %',
  'team.member_removed': 'removed a member from %',
  'team.group_routed': 'routed a service group to %',
  'team.group_unrouted': 'removed a service group from %',
  'action_group.attached': 'added a monitor to %',
  'action_group.detached': 'removed a monitor from %',
  'action_group.secret_rotated': 'replaced the secret of %',
  'action_group.recipient_confirmed': 'confirmed a recipient of %',
  'monitor.secret_rotated': 'replaced the ping URL of %',
  'private_location.agent_created': 'created an agent of %',
  'private_location.agent_revoked': 'revoked an agent of %',
  'maintenance_window.occurrence_skipped': 'skipped an occurrence of %',
  'incident.escalated': 'had the leads paged for %',
  'incident.unacknowledged': 'took back the acknowledgement of %',
  'incident.note_added': 'added a note to %',
  'incident.note_changed': 'changed a note of %',
  'incident.note_deleted': 'deleted a note of %',
  'config.applied': 'applied the document of %',
  'config.detached': 'detached objects from %',
  'incident.evidence_links_revoked': 'revoked the evidence links of %',
};

const NOBODY = { user: 'A deleted user', apiKey: 'A deleted API key', link: 'The reader of a link' } as const;
const ACTORS = { ...NOBODY, operator: 'The operator', system: 'Watchpost' } as const;

export interface AuditSentence {
  actor: string;
  /** Between actor and target: `changed the monitor`. */
  verb: string;
  /** The name of the target; '' where the sentence is complete without. */
  target: string;
}

/** An entry as a sentence of three parts. */
export function auditSentence({ action, actor, target }: AuditEntry): AuditSentence {
  const name = actor.name ?? ACTORS[actor.type];
  const by = actor.type === 'apiKey' && actor.name !== null ? `The API key ${name}` : name;
  const plain = action.slice(action.indexOf('.') + 1).replaceAll('_', ' ');
  const sentence = SENTENCES[action] ?? `${plain === 'updated' ? 'changed' : plain} %`;
  const verb = sentence.replace('%', `the ${TARGET_WORDS[target.type]}`).replace(' @', '');
  return { actor: by, verb, target: verb === sentence ? '' : (target.name ?? '') };
}
