import { z } from 'zod';
import { resource } from '../../platform/http/resource.js';
import { route, type Route } from '../../platform/http/route.js';
import { createStatusPage } from './create-status-page.js';
import { deleteStatusPage } from './delete-status-page.js';
import { listStatusPageSummaries } from './list-status-page-summaries.js';
import { getStatusPage, listStatusPages, type StatusPageDeps } from './read-status-pages.js';
import {
  statusPageCreateSchema,
  statusPageListQuery,
  statusPageSchema,
  statusPageSummarySchema,
  statusPageUpdateSchema,
} from './status-page-schemas.js';
import { updateStatusPage } from './update-status-page.js';

export const READ = { scopes: ['monitor.admin', 'statuspage.read'], role: 'Viewer' } as const;
export const WRITE = { scopes: ['monitor.admin', 'statuspage.write'], role: 'Editor' } as const;
const tag = 'Status pages';

const page = resource({
  path: '/api/v1/status-page',
  name: 'status page',
  tag,
  schema: statusPageSchema,
  read: READ,
  write: WRITE,
});

export function statusPageRoutes(deps: StatusPageDeps): Route[] {
  return [
    page.list({
      summary: 'List status pages',
      description: 'Newest first.',
      query: statusPageListQuery,
      run: ({ actor }, rows) => listStatusPages(deps, actor, rows),
    }),
    page.get({
      summary: 'Get a status page',
      description: 'A system whose monitor or service group was deleted is not shown.',
      run: ({ actor, params }) => getStatusPage(deps, actor, params.id),
    }),
    page.create({
      summary: 'Create a status page',
      description:
        'Its slug is the address of the public page, one for all workspaces. A page has at most 100 systems, and each ' +
        'monitor or service group once; an account has at most 20 pages over all its workspaces.',
      body: statusPageCreateSchema,
      faults: ['slug_taken', 'plan_limit_exceeded', 'feature_not_in_plan', 'not_found'],
      run: ({ actor, body }) => createStatusPage(deps, actor, body),
    }),
    page.update({
      method: 'put',
      summary: 'Change a status page',
      description: 'Fields that are left out keep their value; `groups` replaces all groups with their systems.',
      body: statusPageUpdateSchema,
      faults: ['slug_taken', 'feature_not_in_plan', 'plan_limit_exceeded'],
      run: ({ actor, params, body }) => updateStatusPage(deps, actor, params.id, body),
    }),
    page.delete({
      summary: 'Delete a status page with its posts',
      run: ({ actor, params }) => deleteStatusPage(deps, actor, params.id),
    }),
    route({
      ...READ,
      method: 'get',
      path: '/api/v1/status-page-summaries',
      operationId: 'listStatusPageSummaries',
      summary: 'Show the state of all status pages of the workspace',
      description: 'One for each status page, newest first: its overall status, subscribers and open posts.',
      tag,
      answers: { 200: { description: 'The summaries', schema: z.array(statusPageSummarySchema) } },
      run: ({ actor }) => listStatusPageSummaries(deps, actor),
    }),
  ];
}
