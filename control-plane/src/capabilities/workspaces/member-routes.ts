import { resource } from '../../platform/http/resource.js';
import { route, type Route } from '../../platform/http/route.js';
import {
  changeMember,
  changeOwnMembership,
  getMember,
  getOwnMembership,
  leaveWorkspace,
  listMembers,
  removeMember,
} from './members.js';
import { memberPatchSchema, memberSchema, ownMembershipPatchSchema, ownMembershipSchema } from './member-schemas.js';
import type { WorkspaceChangeDeps, WorkspaceDeps } from './workspace-deps.js';

const PATH = '/api/v1/workspaces/{id}/members';
const OF_WORKSPACE = { tag: 'Workspaces and members', workspaceParam: 'id' } as const;
const OWN = { ...OF_WORKSPACE, path: `${PATH}/me`, scopes: ['account.write'], role: 'Viewer' } as const;

const member = resource({
  ...OF_WORKSPACE,
  path: PATH,
  name: 'member',
  schema: memberSchema,
  read: { scopes: ['account.read'], role: 'Viewer' },
  write: { scopes: ['account.write'], role: 'Admin' },
  param: 'memberId',
});

/** Members of a workspace over REST. */
export function memberRoutes(deps: WorkspaceDeps & Pick<WorkspaceChangeDeps, 'listeners' | 'chatAccounts'>): Route[] {
  return [
    member.list({
      summary: 'List members with roles and status',
      description: 'Newest first.',
      run: ({ actor }, rows) => listMembers(deps, actor, rows),
    }),
    member.get({
      summary: 'Get a member',
      description: 'With the `ETag` that a change of the member takes as `If-Match`.',
      run: ({ actor, params }) => getMember(deps, actor, params.memberId),
    }),
    member.update({
      method: 'patch',
      audits: ['member.role_changed', 'member.suspended', 'member.reactivated'],
      summary: 'Change the role of a member, or suspend it',
      description:
        'A suspended member keeps role and place, and is refused with `member_suspended` until reactivated. The Owner can be changed by nobody: an Admin who tries gets `insufficient_workspace_role`, the Owner `last_owner`; transfer the ownership instead.',
      body: memberPatchSchema,
      faults: ['last_owner'],
      run: ({ actor, params, body }) => changeMember(deps, actor, params.memberId, body),
    }),
    member.delete({
      operationId: 'removeMember',
      audits: ['member.removed'],
      summary: 'Remove a member',
      description:
        'Takes effect with the next request. The API keys of the member are revoked; what else the member made stays.',
      faults: ['last_owner'],
      run: ({ actor, params }) => removeMember(deps, actor, params.memberId),
    }),
    route({
      ...OWN,
      method: 'get',
      operationId: 'getOwnMembership',
      summary: 'Get my membership with my notification preferences',
      scopes: ['account.read'],
      answers: { 200: { description: 'My membership', schema: ownMembershipSchema } },
      run: ({ actor }) => getOwnMembership(deps, actor),
    }),
    route({
      ...OWN,
      method: 'patch',
      operationId: 'updateOwnMembership',
      audits: ['member.chat_account_unlinked'],
      summary: 'Change how I am notified about this workspace, and my chat accounts',
      description:
        'A JSON Merge Patch (RFC 7396): null sets a preference back to its default (`email` true, `sms` false, no phone number, no quiet hours), ' +
        'or unlinks all chat accounts. A code is sent to each account that is new, by the bot of a group of that chat; `…/chat-accounts/confirm` takes it. ' +
        'Where a code cannot be sent, the answer is 400 with the reason, and that account is not added.',
      body: ownMembershipPatchSchema,
      answers: { 200: { description: 'My membership as it is now', schema: ownMembershipSchema } },
      run: ({ actor, body }) => changeOwnMembership(deps, actor, body),
    }),
    route({
      ...OWN,
      method: 'delete',
      operationId: 'leaveWorkspace',
      audits: ['member.left'],
      summary: 'Leave the workspace',
      description: 'Whatever my role is; only the Owner stays until the ownership is transferred.',
      answers: { 204: { description: 'I am a member no more' } },
      faults: ['last_owner'],
      run: ({ actor }) => leaveWorkspace(deps, actor),
    }),
  ];
}
