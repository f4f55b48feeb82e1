import { z } from 'zod';
import { listAnswer, route, type Route } from '../../platform/http/route.js';
import { idParam, pageQuery, rowsOfPage, uuid } from '../../platform/http/schemas.js';
import type { OnCallDeps } from './on-call-deps.js';
import { addTeamMember, changeTeamMember, removeTeamMember } from './team-members.js';
import {
  teamCreateSchema,
  teamMemberCreateSchema,
  teamMemberPatchSchema,
  teamMemberSchema,
  teamPatchSchema,
  teamSchema,
} from './team-schemas.js';
import { createTeam, deleteTeam, getTeam, listTeams, updateTeam } from './teams.js';

export const READ = ['account.read'] as const;
export const WRITE = ['account.write'] as const;
export const tag = 'Teams and on-call';
const memberParams = z.strictObject({ id: uuid, userId: uuid });

/** Teams and their members over REST. */
export function teamRoutes(deps: OnCallDeps): Route[] {
  return [
    route({
      method: 'get',
      path: '/api/v1/teams',
      operationId: 'listTeams',
      summary: 'List teams with their members',
      description: 'Newest first.',
      tag,
      scopes: READ,
      role: 'Viewer',
      query: pageQuery,
      list: true,
      answers: { 200: { description: 'A page of teams', schema: z.array(teamSchema) } },
      handle: async ({ actor, query: { page, pageSize } }) =>
        listAnswer(await listTeams(deps, actor, rowsOfPage({ page, pageSize }))),
    }),
    route({
      method: 'get',
      path: '/api/v1/teams/{id}',
      operationId: 'getTeam',
      summary: 'Get a team with its members',
      tag,
      scopes: READ,
      role: 'Viewer',
      params: idParam,
      answers: { 200: { description: 'The team', schema: teamSchema } },
      handle: async ({ actor, params }) => ({ body: await getTeam(deps, actor, params.id) }),
    }),
    route({
      method: 'post',
      path: '/api/v1/teams',
      operationId: 'createTeam',
      audits: ['team.created'],
      summary: 'Create a team',
      description: 'It has no members yet.',
      tag,
      scopes: WRITE,
      role: 'Admin',
      body: teamCreateSchema,
      answers: { 201: { description: 'The team', schema: teamSchema } },
      faults: ['plan_limit_exceeded'],
      async handle({ actor, body }) {
        const team = await createTeam(deps, actor, body);
        return { status: 201, body: team, location: `/api/v1/teams/${team.id}` };
      },
    }),
    route({
      method: 'patch',
      path: '/api/v1/teams/{id}',
      operationId: 'updateTeam',
      audits: ['team.updated'],
      summary: 'Rename a team or change its description',
      description: 'A description of null takes it away.',
      tag,
      scopes: WRITE,
      role: 'Admin',
      params: idParam,
      body: teamPatchSchema,
      answers: { 200: { description: 'The team as it is now', schema: teamSchema } },
      handle: async ({ actor, params, body, checkPrecondition }) => ({
        body: await updateTeam(deps, actor, params.id, body, checkPrecondition),
      }),
    }),
    route({
      method: 'delete',
      path: '/api/v1/teams/{id}',
      operationId: 'deleteTeam',
      audits: ['team.deleted'],
      summary: 'Delete a team with its schedule, overrides and routing',
      tag,
      scopes: WRITE,
      role: 'Admin',
      params: idParam,
      answers: { 204: { description: 'It is gone' } },
      async handle({ actor, params, checkPrecondition }) {
        await deleteTeam(deps, actor, params.id, checkPrecondition);
        return { status: 204 };
      },
    }),
    route({
      method: 'post',
      path: '/api/v1/teams/{id}/members',
      operationId: 'addTeamMember',
      audits: ['team.member_added'],
      summary: 'Add a member of the workspace to a team',
      tag,
      scopes: WRITE,
      role: 'Admin',
      params: idParam,
      body: teamMemberCreateSchema,
      answers: { 201: { description: 'The team member', schema: teamMemberSchema } },
      faults: ['already_member'],
      async handle({ actor, params, body }) {
        const member = await addTeamMember(deps, actor, params.id, body);
        return { status: 201, body: member, location: `/api/v1/teams/${params.id}/members/${member.userId}` };
      },
    }),
    route({
      method: 'patch',
      path: '/api/v1/teams/{id}/members/{userId}',
      operationId: 'updateTeamMember',
      audits: ['team.member_changed'],
      summary: 'Change the team role of a member',
      tag,
      scopes: WRITE,
      role: 'Admin',
      params: memberParams,
      body: teamMemberPatchSchema,
      answers: { 200: { description: 'The team member as it is now', schema: teamMemberSchema } },
      handle: async ({ actor, params, body, checkPrecondition }) => ({
        body: await changeTeamMember(deps, actor, params, body, checkPrecondition),
      }),
    }),
    route({
      method: 'delete',
      path: '/api/v1/teams/{id}/members/{userId}',
      operationId: 'removeTeamMember',
      audits: ['team.member_removed'],
      summary: 'Take a member out of a team',
      description:
        'Also removes the member from rotation and overrides: the next participant takes those shifts, and the turns of the ' +
        'others do not move. A member who leaves the workspace leaves its teams in the same way.',
      tag,
      scopes: WRITE,
      role: 'Admin',
      params: memberParams,
      answers: { 204: { description: 'It is done' } },
      async handle({ actor, params, checkPrecondition }) {
        await removeTeamMember(deps, actor, params, checkPrecondition);
        return { status: 204 };
      },
    }),
  ];
}
