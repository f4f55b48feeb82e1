export { createPersonalWorkspace } from './create-personal-workspace.js';
export { lockWorkspaceAs } from './lock-workspace.js';
export { resolveWorkspace } from './resolve-workspace.js';
export { seedDemoPrincipals } from './seed-demo-principals.js';
export type {
  InvitationDeps,
  WorkspaceChange,
  WorkspaceChangeDeps,
  WorkspaceDeps,
  WorkspaceListener,
} from './workspace-deps.js';
export { getWorkspace, listWorkspaces } from './read-workspaces.js';
export { createWorkspace } from './create-workspace.js';
export { updateWorkspace } from './update-workspace.js';
export { deleteWorkspace, deleteWorkspacesOfUser } from './delete-workspace.js';
export { transferOwnership } from './transfer-ownership.js';
export { changeMember, changeOwnMembership, leaveWorkspace, listMembers, removeMember } from './members.js';
export { getInvitation, inviteMember, listInvitations, regenerateLink, revokeInvitation } from './invitations.js';
export { acceptInvitation, declineInvitation } from './answer-invitation.js';
export { purgeInvitations } from './purge-invitations.js';
export { workspaceRoutes } from './workspace-routes.js';
export { memberRoutes } from './member-routes.js';
export { invitationRoutes } from './invitation-routes.js';
export { ownerOrder } from './owner-order.js';
export { readMemberAddresses } from './read-member-addresses.js';
export { readTimeZone } from './read-time-zone.js';
export { isTimeZone, timeZone } from './time-zone.js';
export { showPhoneNumber } from './show-phone-number.js';
