/** The actions of the audit log, as verbs by type of target. An action is `<type>.<verb>`. */
export const AUDIT_VERBS = {
  workspace: [
    'created',
    'updated',
    'deleted',
    'ownership_transferred',
    'trial_started',
    'trial_ended',
    'plan_changed',
    'suspended',
    'unsuspended',
  ],
  member: [
    'joined',
    'added',
    'role_changed',
    'suspended',
    'reactivated',
    'removed',
    'left',
    'chat_account_linked',
    'chat_account_unlinked',
    'contact_method_confirmed',
    'contact_method_removed',
  ],
  invitation: ['created', 'link_regenerated', 'revoked', 'declined'],
  api_key: ['created', 'revoked'],
  monitor: ['created', 'updated', 'deleted', 'restored', 'secret_rotated'],
  service_group: ['created', 'updated', 'deleted', 'restored'],
  team: [
    'created',
    'updated',
    'deleted',
    'member_added',
    'member_changed',
    'member_removed',
    'group_routed',
    'group_unrouted',
  ],
  schedule: ['created', 'updated', 'deleted'],
  escalation_policy: ['created', 'updated', 'deleted'],
  override: ['created', 'deleted'],
  swap: ['created', 'accepted', 'declined', 'withdrawn'],
  calendar_link: ['created', 'deleted'],
  action_group: ['created', 'updated', 'deleted', 'attached', 'detached', 'secret_rotated', 'recipient_confirmed'],
  incident: [
    'acknowledged',
    'unacknowledged',
    'escalated',
    'updated',
    'closed',
    'note_added',
    'note_changed',
    'note_deleted',
    'evidence_links_revoked',
    'evidence_shared',
  ],
  private_location: ['created', 'updated', 'deleted', 'agent_created', 'agent_revoked'],
  maintenance_window: ['created', 'updated', 'deleted', 'ended', 'occurrence_skipped'],
  mark: ['created', 'deleted'],
  status_page: ['created', 'updated', 'deleted'],
  post: ['created', 'updated', 'deleted'],
  config: ['applied', 'detached'],
} as const;

export type AuditTargetType = keyof typeof AUDIT_VERBS;
export type AuditAction = {
  [Type in AuditTargetType]: `${Type}.${(typeof AUDIT_VERBS)[Type][number]}`;
}[AuditTargetType];

export const AUDIT_TARGET_TYPES = Object.keys(AUDIT_VERBS) as AuditTargetType[];
export const AUDIT_ACTIONS = AUDIT_TARGET_TYPES.flatMap((type) =>
  AUDIT_VERBS[type].map((verb) => `${type}.${verb}` as AuditAction),
);

export const AUDIT_ACTOR_TYPES = ['user', 'apiKey', 'link', 'operator', 'system'] as const;
export type AuditActorType = (typeof AUDIT_ACTOR_TYPES)[number];

export const AUDIT_CHANNELS = ['rest', 'mcp', 'console', 'cli', 'link', 'chat', 'service', 'admin'] as const;
