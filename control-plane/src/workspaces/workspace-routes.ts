import { z } from 'zod';
import { idParam, pageQuery } from '../http/schemas.js';
import { route, type Route } from '../http/route.js';
import { getWorkspace, listWorkspaces } from './read-workspaces.js';
import type { WorkspaceDeps } from './resolve-workspace.js';
import { workspaceSchema } from './workspace-schemas.js';

const tag = 'Workspaces and members';

/** Workspaces over REST. */
export function workspaceRoutes(deps: WorkspaceDeps): Route[] {
  return [
    route({
      method: 'get',
      path: '/api/v1/workspaces',
      operationId: 'listWorkspaces',
      summary: 'List my workspaces with my role in each',
      description: 'Newest first. Needs no workspace itself.',
      tag,
      scopes: ['account.read'],
      role: null,
      query: pageQuery,
      list: true,
      answers: { 200: { description: 'A page of workspaces', schema: z.array(workspaceSchema) } },
      async handle({ caller, query: { page, pageSize } }) {
        const { items, total } = await listWorkspaces(deps, caller, { limit: pageSize, offset: (page - 1) * pageSize });
        return { body: items, total };
      },
    }),
    route({
      method: 'get',
      path: '/api/v1/workspaces/{id}',
      operationId: 'getWorkspace',
      summary: 'Get a workspace with its plan, limits, usage and settings',
      tag,
      scopes: ['account.read'],
      role: 'Viewer',
      workspaceParam: 'id',
      params: idParam,
      answers: { 200: { description: 'The workspace', schema: workspaceSchema } },
      handle: async ({ actor }) => ({ body: await getWorkspace(deps, actor) }),
    }),
  ];
}
