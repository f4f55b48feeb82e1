import { resource } from '../../platform/http/resource.js';
import type { Route } from '../../platform/http/route.js';
import type { ScheduleDeps, TeamDeps } from './on-call-deps.js';
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

const tag = 'Teams and on-call';
export const READ = { tag, scopes: ['account.read'], role: 'Viewer' } as const;
export const WRITE = { tag, scopes: ['account.write'], role: 'Admin' } as const;
/** The access of a resource of teams. */
export const ACCESS = { tag, read: READ, write: WRITE };

/** Teams and their members over REST. */
export function teamRoutes(deps: ScheduleDeps & TeamDeps): Route[] {
  const team = resource({ ...ACCESS, path: '/api/v1/teams', name: 'team', schema: teamSchema });
  const member = resource({
    ...ACCESS,
    path: '/api/v1/teams/{id}/members',
    name: 'team member',
    schema: teamMemberSchema,
    param: 'userId',
    idField: 'userId',
  });
  return [
    team.list({
      summary: 'List teams with their members',
      description: 'Newest first.',
      run: ({ actor }, rows) => listTeams(deps, actor, rows),
    }),
    team.get({
      summary: 'Get a team with its members',
      run: ({ actor, params }) => getTeam(deps, actor, params.id),
    }),
    team.create({
      summary: 'Create a team',
      description: 'It has no members yet.',
      body: teamCreateSchema,
      faults: ['plan_limit_exceeded'],
      run: ({ actor, body }) => createTeam(deps, actor, body),
    }),
    team.update({
      method: 'patch',
      summary: 'Rename a team or change its description',
      description: 'A description of null takes it away.',
      body: teamPatchSchema,
      run: ({ actor, params, body }) => updateTeam(deps, actor, params.id, body),
    }),
    team.delete({
      summary: 'Delete a team with its schedule, overrides and routing',
      run: ({ actor, params }) => deleteTeam(deps, actor, params.id),
    }),
    member.create({
      operationId: 'addTeamMember',
      audits: ['team.member_added'],
      summary: 'Add a member of the workspace to a team',
      body: teamMemberCreateSchema,
      faults: ['already_member'],
      run: ({ actor, params, body }) => addTeamMember(deps, actor, params.id, body),
    }),
    member.update({
      method: 'patch',
      audits: ['team.member_changed'],
      summary: 'Change the team role of a member',
      body: teamMemberPatchSchema,
      run: ({ actor, params, body }) => changeTeamMember(deps, actor, params, body),
    }),
    member.delete({
      operationId: 'removeTeamMember',
      audits: ['team.member_removed'],
      summary: 'Take a member out of a team',
      description:
        'Also removes the member from rotation and overrides: the next participant takes those shifts, and the turns of the ' +
        'others do not move. A member who leaves the workspace leaves its teams in the same way.',
      run: ({ actor, params }) => removeTeamMember(deps, actor, params),
    }),
  ];
}
