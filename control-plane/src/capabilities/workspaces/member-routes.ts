import { guardQuery } from '../../platform/http/schemas.js';
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

export function memberRoutes(
  deps: WorkspaceDeps & Pick<WorkspaceChangeDeps, 'listeners' | 'accounts' | 'reachableAfter'>,
): Route[] {
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
      query: guardQuery,
      body: memberPatchSchema,
      faults: ['last_owner', 'would_be_unreachable'],
      run: ({ actor, params, query, body }) => changeMember(deps, actor, params.memberId, body, query.force),
    }),
    member.delete({
      operationId: 'removeMember',
      audits: ['member.removed'],
      summary: 'Remove a member',
      description:
        'Takes effect with the next request. The API keys of the member are revoked; what else the member made stays.',
      query: guardQuery,
      faults: ['last_owner', 'would_be_unreachable'],
      run: ({ actor, params, query }) => removeMember(deps, actor, params.memberId, query.force),
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
      audits: ['member.chat_account_unlinked', 'member.contact_method_removed'],
      summary: 'Change how I am notified about this workspace, and my accounts at services',
      description:
        'A JSON Merge Patch (RFC 7396): null sets a preference back to its default (`email` true, `sms` false, no phone number, no quiet hours, no rules, `shiftReminders` true), ' +
        'or removes all accounts of a list. A code is sent to each account that is new, by the bot or the application of a group of that type, which pages by it later; `…/chat-accounts/confirm` and `…/contact-methods/confirm` take it. ' +
        'Where a code cannot be sent, the answer is 400 with the reason, and nothing is changed. ' +
        'A change of `rules` or `contactMethods` that leaves the only person on call of the next 7 days without a way to be paged is 409 `would_be_unreachable` unless `force` is true; another change is only where `force` is false.',
      query: guardQuery,
      body: ownMembershipPatchSchema,
      faults: ['would_be_unreachable'],
      answers: { 200: { description: 'My membership as it is now', schema: ownMembershipSchema } },
      run: ({ actor, query, body }) => changeOwnMembership(deps, actor, body, query.force),
    }),
    route({
      ...OWN,
      method: 'delete',
      operationId: 'leaveWorkspace',
      audits: ['member.left'],
      summary: 'Leave the workspace',
      description: 'Whatever my role is; only the Owner stays until the ownership is transferred.',
      query: guardQuery,
      answers: { 204: { description: 'I am a member no more' } },
      faults: ['last_owner', 'would_be_unreachable'],
      run: ({ actor, query }) => leaveWorkspace(deps, actor, query.force),
    }),
  ];
}
