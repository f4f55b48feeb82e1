import { z } from 'zod';
import { listAnswer, route, type Route } from '../../platform/http/route.js';
import { idParam, rowsOfPage } from '../../platform/http/schemas.js';
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

const READ = ['monitor.admin', 'statuspage.read'] as const;
const WRITE = ['monitor.admin', 'statuspage.write'] as const;
const tag = 'Status pages';
const path = '/api/v1/status-page';

/** The configuration of status pages over REST. */
export function statusPageRoutes(deps: StatusPageDeps): Route[] {
  return [
    route({
      method: 'get',
      path,
      operationId: 'listStatusPages',
      summary: 'List status pages',
      description: 'Newest first.',
      tag,
      scopes: READ,
      role: 'Viewer',
      query: statusPageListQuery,
      list: true,
      answers: { 200: { description: 'A page of status pages', schema: z.array(statusPageSchema) } },
      handle: async ({ actor, query: { page, pageSize } }) =>
        listAnswer(await listStatusPages(deps, actor, rowsOfPage({ page, pageSize }))),
    }),
    route({
      method: 'get',
      path: `${path}/{id}`,
      operationId: 'getStatusPage',
      summary: 'Get a status page',
      description: 'A system whose monitor or service group was deleted is not shown.',
      tag,
      scopes: READ,
      role: 'Viewer',
      params: idParam,
      answers: { 200: { description: 'The status page', schema: statusPageSchema } },
      handle: async ({ actor, params }) => ({ body: await getStatusPage(deps, actor, params.id) }),
    }),
    route({
      method: 'post',
      path,
      operationId: 'createStatusPage',
      audits: ['status_page.created'],
      summary: 'Create a status page',
      description:
        'Its slug is the address of the public page, one for all workspaces. A page has at most 100 systems, and each ' +
        'monitor or service group once; an account has at most 20 pages over all its workspaces.',
      tag,
      scopes: WRITE,
      role: 'Editor',
      body: statusPageCreateSchema,
      answers: { 201: { description: 'The status page', schema: statusPageSchema } },
      faults: ['slug_taken', 'plan_limit_exceeded', 'feature_not_in_plan', 'not_found'],
      async handle({ actor, body }) {
        const page = await createStatusPage(deps, actor, body);
        return { status: 201, body: page, location: `${path}/${page.id}` };
      },
    }),
    route({
      method: 'put',
      path: `${path}/{id}`,
      operationId: 'updateStatusPage',
      audits: ['status_page.updated'],
      summary: 'Change a status page',
      description: 'Fields that are left out keep their value; `groups` replaces all groups with their systems.',
      tag,
      scopes: WRITE,
      role: 'Editor',
      params: idParam,
      body: statusPageUpdateSchema,
      answers: { 200: { description: 'The status page as it is now', schema: statusPageSchema } },
      faults: ['slug_taken', 'feature_not_in_plan', 'plan_limit_exceeded'],
      handle: async ({ actor, params, body, checkPrecondition }) => ({
        body: await updateStatusPage(deps, actor, params.id, body, checkPrecondition),
      }),
    }),
    route({
      method: 'delete',
      path: `${path}/{id}`,
      operationId: 'deleteStatusPage',
      audits: ['status_page.deleted'],
      summary: 'Delete a status page with its posts',
      tag,
      scopes: WRITE,
      role: 'Editor',
      params: idParam,
      answers: { 204: { description: 'It is gone' } },
      async handle({ actor, params, checkPrecondition }) {
        await deleteStatusPage(deps, actor, params.id, checkPrecondition);
        return { status: 204 };
      },
    }),
    route({
      method: 'get',
      path: '/api/v1/status-page-summaries',
      operationId: 'listStatusPageSummaries',
      summary: 'Show the state of all status pages of the workspace',
      description: 'One for each status page, newest first: its overall status, subscribers and open posts.',
      tag,
      scopes: READ,
      role: 'Viewer',
      answers: { 200: { description: 'The summaries', schema: z.array(statusPageSummarySchema) } },
      handle: async ({ actor }) => ({ body: await listStatusPageSummaries(deps, actor) }),
    }),
  ];
}
