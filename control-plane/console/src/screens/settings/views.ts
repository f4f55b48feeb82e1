export type { User as UserView } from '@watchpost/control-plane/capabilities/users/user-schemas';
export type { Workspace as WorkspaceView } from '@watchpost/control-plane/capabilities/workspaces/workspace-schemas';
export type {
  Member as MemberView,
  OwnMembership as OwnMembershipView,
} from '@watchpost/control-plane/capabilities/workspaces/member-schemas';
export type {
  Invitation as InvitationView,
  InvitationWithLink,
} from '@watchpost/control-plane/capabilities/workspaces/invitation-schemas';
export type { ApiKey as ApiKeyView } from '@watchpost/control-plane/capabilities/api-keys/api-key-schemas';
export type { Session as SessionView } from '@watchpost/control-plane/capabilities/sign-in/session-schemas';
export type { AuditEntry } from '@watchpost/control-plane/capabilities/audit/audit-schemas';
export type { CurrentNumber } from '@watchpost/control-plane/capabilities/recipients/consent/recipient-schemas';
export type { LocationView } from '@watchpost/control-plane/capabilities/locations/location-schemas';
export type {
  LocationAgent as LocationAgentView,
  NewLocationAgent,
} from '@watchpost/control-plane/capabilities/fleet/locations/location-agent-schemas';
export type { ServiceGroupView } from '@watchpost/control-plane/capabilities/monitors/service-groups/service-group-schemas';
export type { Product } from '@watchpost/control-plane/capabilities/plans/plan-schemas';
export type {
  ActionGroupView,
  ChannelView,
} from '@watchpost/control-plane/capabilities/recipients/groups/action-group-schemas';
