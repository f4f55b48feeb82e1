import { z } from 'zod';
import { idParam, pageQuery, rowsOfPage } from '../../platform/http/schemas.js';
import { listAnswer, route, type Route } from '../../platform/http/route.js';
import {
  changeMember,
  changeOwnMembership,
  getMember,
  getOwnMembership,
  leaveWorkspace,
  listMembers,
  removeMember,
} from './members.js';
import { memberParams, memberPatchSchema, memberSchema, ownMembershipPatchSchema } from './member-schemas.js';
import type { WorkspaceChangeDeps, WorkspaceDeps } from './workspace-deps.js';

const tag = 'Workspaces and members';
const OF_WORKSPACE = { tag, workspaceParam: 'id' } as const;

/** Members of a workspace over REST. */
export function memberRoutes(deps: WorkspaceDeps & Pick<WorkspaceChangeDeps, 'listeners'>): Route[] {
  return [
    route({
      ...OF_WORKSPACE,
      method: 'get',
      path: '/api/v1/workspaces/{id}/members',
      operationId: 'listMembers',
      summary: 'List members with roles and status',
      description: 'Newest first.',
      scopes: ['account.read'],
      role: 'Viewer',
      params: idParam,
      query: pageQuery,
      list: true,
      answers: { 200: { description: 'A page of members', schema: z.array(memberSchema) } },
      handle: async ({ actor, query: { page, pageSize } }) =>
        listAnswer(await listMembers(deps, actor, rowsOfPage({ page, pageSize }))),
    }),
    route({
      ...OF_WORKSPACE,
      method: 'get',
      path: '/api/v1/workspaces/{id}/members/{memberId}',
      operationId: 'getMember',
      summary: 'Get a member',
      description: 'With the `ETag` that a change of the member takes as `If-Match`.',
      scopes: ['account.read'],
      role: 'Viewer',
      params: memberParams,
      answers: { 200: { description: 'The member', schema: memberSchema } },
      handle: async ({ actor, params }) => ({ body: await getMember(deps, actor, params.memberId) }),
    }),
    route({
      ...OF_WORKSPACE,
      method: 'patch',
      path: '/api/v1/workspaces/{id}/members/{memberId}',
      operationId: 'updateMember',
      audits: ['member.role_changed', 'member.suspended', 'member.reactivated'],
      summary: 'Change the role of a member, or suspend it',
      description:
        'A suspended member keeps role and place, and is refused with `member_suspended` until reactivated. The Owner can be changed by nobody: an Admin who tries gets `insufficient_workspace_role`, the Owner `last_owner`; transfer the ownership instead.',
      scopes: ['account.write'],
      role: 'Admin',
      params: memberParams,
      body: memberPatchSchema,
      answers: { 200: { description: 'The member as it is now', schema: memberSchema } },
      faults: ['last_owner'],
      handle: async ({ actor, params, body, checkPrecondition }) => ({
        body: await changeMember(deps, actor, params.memberId, body, checkPrecondition),
      }),
    }),
    route({
      ...OF_WORKSPACE,
      method: 'delete',
      path: '/api/v1/workspaces/{id}/members/{memberId}',
      operationId: 'removeMember',
      audits: ['member.removed'],
      summary: 'Remove a member',
      description:
        'Takes effect with the next request. The API keys of the member are revoked; what else the member made stays.',
      scopes: ['account.write'],
      role: 'Admin',
      params: memberParams,
      answers: { 204: { description: 'It is a member no more' } },
      faults: ['last_owner'],
      async handle({ actor, params, checkPrecondition }) {
        await removeMember(deps, actor, params.memberId, checkPrecondition);
        return { status: 204 };
      },
    }),
    route({
      ...OF_WORKSPACE,
      method: 'get',
      path: '/api/v1/workspaces/{id}/members/me',
      operationId: 'getOwnMembership',
      summary: 'Get my membership with my notification preferences',
      scopes: ['account.read'],
      role: 'Viewer',
      params: idParam,
      answers: { 200: { description: 'My membership', schema: memberSchema } },
      handle: async ({ actor }) => ({ body: await getOwnMembership(deps, actor) }),
    }),
    route({
      ...OF_WORKSPACE,
      method: 'patch',
      path: '/api/v1/workspaces/{id}/members/me',
      operationId: 'updateOwnMembership',
      audits: { none: 'preferences belong to their user, not to a workspace' },
      summary: 'Change how I am notified about this workspace',
      description:
        'A JSON Merge Patch (RFC 7396): null sets a preference back to its default (`email` true, `sms` false, no phone number, no quiet hours).',
      scopes: ['account.write'],
      role: 'Viewer',
      params: idParam,
      body: ownMembershipPatchSchema,
      answers: { 200: { description: 'My membership as it is now', schema: memberSchema } },
      handle: async ({ actor, body, checkPrecondition }) => ({
        body: await changeOwnMembership(deps, actor, body, checkPrecondition),
      }),
    }),
    route({
      ...OF_WORKSPACE,
      method: 'delete',
      path: '/api/v1/workspaces/{id}/members/me',
      operationId: 'leaveWorkspace',
      audits: ['member.left'],
      summary: 'Leave the workspace',
      description: 'Whatever my role is; only the Owner stays until the ownership is transferred.',
      scopes: ['account.write'],
      role: 'Viewer',
      params: idParam,
      answers: { 204: { description: 'I am a member no more' } },
      faults: ['last_owner'],
      async handle({ actor, checkPrecondition }) {
        await leaveWorkspace(deps, actor, checkPrecondition);
        return { status: 204 };
      },
    }),
  ];
}
