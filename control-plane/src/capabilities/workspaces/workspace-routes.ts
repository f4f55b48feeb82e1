import { z } from 'zod';
import { idParam, pageQuery, rowsOfPage } from '../../platform/http/schemas.js';
import { listAnswer, route, type ApiAnswer, type Route } from '../../platform/http/route.js';
import { createWorkspace } from './create-workspace.js';
import { deleteWorkspace } from './delete-workspace.js';
import { getWorkspace, listWorkspaces, steadyPart } from './read-workspaces.js';
import { transferOwnership } from './transfer-ownership.js';
import { updateWorkspace } from './update-workspace.js';
import type { WorkspaceChangeDeps } from './workspace-deps.js';
import {
  transferSchema,
  type Workspace,
  workspaceCreateSchema,
  workspacePatchSchema,
  workspaceSchema,
} from './workspace-schemas.js';

const tag = 'Workspaces and members';
const PATH = '/api/v1/workspaces/{id}';

/** The ETag covers neither plan, limits and usage, which change by themselves, nor the caller's role. */
const answer = (workspace: Workspace): ApiAnswer => ({ body: workspace, resource: steadyPart(workspace) });

/** Workspaces over REST. */
export function workspaceRoutes(deps: WorkspaceChangeDeps): Route[] {
  return [
    route({
      method: 'get',
      path: '/api/v1/workspaces',
      operationId: 'listWorkspaces',
      summary: 'List my workspaces with my role in each',
      description:
        'Newest first. Needs no workspace itself. Those where I am suspended are left out. With an API key: its workspace only.',
      tag,
      scopes: ['account.read'],
      role: null,
      query: pageQuery,
      list: true,
      answers: { 200: { description: 'A page of workspaces', schema: z.array(workspaceSchema) } },
      handle: async ({ caller, query: { page, pageSize } }) =>
        listAnswer(await listWorkspaces(deps, caller, rowsOfPage({ page, pageSize }))),
    }),
    route({
      method: 'post',
      path: '/api/v1/workspaces',
      operationId: 'createWorkspace',
      audits: ['workspace.created'],
      summary: 'Create a workspace',
      description: 'You become its Owner, so that your plan and limits hold there. An account owns at most 100.',
      tag,
      scopes: ['account.write'],
      role: null,
      body: workspaceCreateSchema,
      apiKeys: false,
      answers: { 201: { description: 'The workspace', schema: workspaceSchema } },
      faults: ['plan_limit_exceeded', 'not_found'],
      async handle({ caller, via, body }) {
        const workspace = await createWorkspace(deps, { caller, via }, body);
        return { ...answer(workspace), status: 201, location: `/api/v1/workspaces/${workspace.id}` };
      },
    }),
    route({
      method: 'get',
      path: PATH,
      operationId: 'getWorkspace',
      summary: 'Get a workspace with its plan, limits, usage and settings',
      tag,
      scopes: ['account.read'],
      role: 'Viewer',
      workspaceParam: 'id',
      params: idParam,
      answers: { 200: { description: 'The workspace', schema: workspaceSchema } },
      handle: async ({ actor }) => answer(await getWorkspace(deps, actor)),
    }),
    route({
      method: 'patch',
      path: PATH,
      operationId: 'updateWorkspace',
      audits: ['workspace.updated'],
      summary: 'Rename a workspace or change its settings',
      description:
        'A JSON Merge Patch (RFC 7396): a setting of null goes back to its default. Another `incidentQuorum` or `autoCloseIncidents` also holds for the incidents that are open.',
      tag,
      scopes: ['account.write'],
      role: 'Admin',
      workspaceParam: 'id',
      params: idParam,
      body: workspacePatchSchema,
      answers: { 200: { description: 'The workspace as it is now', schema: workspaceSchema } },
      handle: async ({ actor, body, checkPrecondition }) =>
        answer(await updateWorkspace(deps, actor, body, (current) => checkPrecondition(steadyPart(current)))),
    }),
    route({
      method: 'delete',
      path: PATH,
      operationId: 'deleteWorkspace',
      audits: ['workspace.deleted'],
      summary: 'Delete a workspace with all that is in it',
      description:
        'Its monitors are checked no more. A personal workspace goes only with its account, or once it was transferred.',
      tag,
      scopes: ['account.write'],
      role: 'Owner',
      workspaceParam: 'id',
      params: idParam,
      apiKeys: false,
      answers: { 204: { description: 'It is gone' } },
      faults: ['personal_workspace'],
      async handle({ actor, checkPrecondition }) {
        await deleteWorkspace(deps, actor, (current) => checkPrecondition(steadyPart(current)));
        return { status: 204 };
      },
    }),
    route({
      method: 'post',
      path: `${PATH}/transfer-ownership`,
      operationId: 'transferOwnership',
      audits: ['workspace.ownership_transferred'],
      summary: 'Make another member the Owner',
      description:
        "You become an Admin. The new Owner's plan and limits hold at once. What a smaller plan does not have is kept and not run (`planRestricted`). Of what came in and is over its numbers, the newest monitors are paused, the newest action groups disabled and the newest status pages unpublished; what the new Owner had stays as it was. A personal workspace stops being personal, and you get a new, empty one.",
      tag,
      scopes: ['account.write'],
      role: 'Owner',
      workspaceParam: 'id',
      params: idParam,
      body: transferSchema,
      apiKeys: false,
      answers: { 200: { description: 'The workspace as you see it now', schema: workspaceSchema } },
      faults: ['plan_limit_exceeded'],
      handle: async ({ actor, body }) => answer(await transferOwnership(deps, actor, body.memberId)),
    }),
  ];
}
