export { isWithinQuietHours, type QuietHours } from './decide-quiet-hours.js';
export { createPersonalWorkspace } from './create-personal-workspace.js';
export { createWorkspaceIn } from './create-workspace.js';
export { followRoleMappings } from './follow-role-mappings.js';
export { lockWorkspaceAs } from './lock-workspace.js';
export { resolveWorkspace } from './resolve-workspace.js';
export { seedDemoPrincipals } from './seed-demo-principals.js';
export {
  type ChatAccount,
  type ChatAccountInput,
  chatAccountInput,
  chatAccountSchema,
  type ContactMethod,
  type ContactMethodInput,
  contactMethodInput,
  contactMethodSchema,
} from './member-schemas.js';
export {
  CONTACT_METHOD_TYPES,
  type ContactMethodType,
  isByPhone,
  OWN_CHANNELS,
  type OwnChannel,
} from './notification-preferences.js';
export type { OwnAccounts, WorkspaceListener } from './workspace-deps.js';
export { listWorkspaces } from './read-workspaces.js';
export { deleteWorkspacesOfUser } from './delete-workspace.js';
export { isInvited } from './invitations.js';
export { purgeInvitations } from './invitations.js';
export { workspaceRoutes } from './workspace-routes.js';
export { memberRoutes } from './member-routes.js';
export { invitationRoutes } from './invitation-routes.js';
export { ownerOrder } from './owner-order.js';
export { readMemberAddresses } from './members.js';
export { readTimeZone } from './read-time-zone.js';
export { timeZone } from './time-zone.js';
export { showPhoneNumber } from './members.js';
