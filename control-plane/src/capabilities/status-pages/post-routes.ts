import { z } from 'zod';
import { listAnswer, route, type Route } from '../../platform/http/route.js';
import { idParam, rowsOfPage } from '../../platform/http/schemas.js';
import { createPost } from './create-post.js';
import { deletePost } from './delete-post.js';
import {
  pagePostParams,
  postCreateSchema,
  postListQuery,
  postPatchSchema,
  postPreviewInput,
  postPreviewSchema,
  postSchema,
} from './post-schemas.js';
import { getPost, listPosts } from './read-posts.js';
import type { StatusPageDeps } from './read-status-pages.js';
import { renderMarkdown } from './site/render-markdown.js';
import { updatePost } from './update-post.js';

const READ = ['monitor.admin', 'statuspage.read'] as const;
const WRITE = ['monitor.admin', 'statuspage.write'] as const;
const tag = 'Status page posts';
const path = '/api/v1/status-page/{id}/incidents';

const idsOf = ({ id, incidentPostId }: { id: string; incidentPostId: string }) => ({
  pageId: id,
  postId: incidentPostId,
});

/** Posts of status pages over REST. */
export function postRoutes(deps: StatusPageDeps): Route[] {
  return [
    route({
      method: 'get',
      path,
      operationId: 'listStatusPagePosts',
      summary: 'List the posts of a status page',
      description: 'Newest first.',
      tag,
      scopes: READ,
      role: 'Viewer',
      params: idParam,
      query: postListQuery,
      list: true,
      answers: { 200: { description: 'A page of posts', schema: z.array(postSchema) } },
      handle: async ({ actor, params, query }) =>
        listAnswer(await listPosts(deps, actor, params.id, rowsOfPage(query))),
    }),
    route({
      method: 'get',
      path: `${path}/{incidentPostId}`,
      operationId: 'getStatusPagePost',
      summary: 'Get a post with its thread',
      tag,
      scopes: READ,
      role: 'Viewer',
      params: pagePostParams,
      answers: { 200: { description: 'The post', schema: postSchema } },
      handle: async ({ actor, params }) => ({ body: await getPost(deps, actor, idsOf(params)) }),
    }),
    route({
      method: 'post',
      path,
      operationId: 'createStatusPagePost',
      audits: ['post.created'],
      summary: 'Post an incident, an update or maintenance to a status page',
      description: 'Visitors see it at once where the page is published.',
      tag,
      scopes: WRITE,
      role: 'Editor',
      params: idParam,
      body: postCreateSchema,
      answers: { 201: { description: 'The post', schema: postSchema } },
      async handle({ actor, params, body }) {
        const post = await createPost(deps, actor, params.id, body);
        return { status: 201, body: post, location: `/api/v1/status-page/${params.id}/incidents/${post.id}` };
      },
    }),
    route({
      method: 'post',
      path: '/api/v1/status-page/post-preview',
      operationId: 'previewStatusPagePost',
      audits: { none: 'it only renders' },
      summary: 'Render the Markdown of a post as the public page does',
      description:
        'Nothing is stored. The HTML is safe to show: HTML of its author is text, and pictures are left out.',
      tag,
      scopes: READ,
      role: 'Viewer',
      body: postPreviewInput,
      answers: { 200: { description: 'The text as HTML', schema: postPreviewSchema } },
      handle: ({ body }) => Promise.resolve({ body: { html: renderMarkdown(body.body).text } }),
    }),
    route({
      method: 'patch',
      path: `${path}/{incidentPostId}`,
      operationId: 'updateStatusPagePost',
      audits: ['post.updated'],
      summary: 'Add an update to a post',
      description: '`body` and `status` are added to its thread; the other fields are changed in place.',
      tag,
      scopes: WRITE,
      role: 'Editor',
      params: pagePostParams,
      body: postPatchSchema,
      answers: { 200: { description: 'The post as it is now', schema: postSchema } },
      handle: async ({ actor, params, body, checkPrecondition }) => ({
        body: await updatePost(deps, actor, idsOf(params), body, checkPrecondition),
      }),
    }),
    route({
      method: 'delete',
      path: `${path}/{incidentPostId}`,
      operationId: 'deleteStatusPagePost',
      audits: ['post.deleted'],
      summary: 'Delete a post with its thread',
      tag,
      scopes: WRITE,
      role: 'Editor',
      params: pagePostParams,
      answers: { 204: { description: 'It is gone' } },
      async handle({ actor, params, checkPrecondition }) {
        await deletePost(deps, actor, idsOf(params), checkPrecondition);
        return { status: 204 };
      },
    }),
  ];
}
