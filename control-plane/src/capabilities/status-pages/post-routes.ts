import { resource } from '../../platform/http/resource.js';
import { route, type Route } from '../../platform/http/route.js';
import { createPost } from './create-post.js';
import { deletePost, updatePost } from './update-post.js';
import {
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
import { READ, WRITE } from './status-page-routes.js';

const tag = 'Status page posts';

const post = resource({
  path: '/api/v1/status-page/{id}/incidents',
  name: 'post',
  tag,
  schema: postSchema,
  read: READ,
  write: WRITE,
  param: 'incidentPostId',
});

const idsOf = ({ id, incidentPostId }: { id: string; incidentPostId: string }) => ({
  pageId: id,
  postId: incidentPostId,
});

export function postRoutes(deps: StatusPageDeps): Route[] {
  return [
    post.list({
      operationId: 'listStatusPagePosts',
      summary: 'List the posts of a status page',
      description: 'Newest first.',
      query: postListQuery,
      run: ({ actor, params }, rows) => listPosts(deps, actor, params.id, rows),
    }),
    post.get({
      operationId: 'getStatusPagePost',
      summary: 'Get a post with its thread',
      run: ({ actor, params }) => getPost(deps, actor, idsOf(params)),
    }),
    post.create({
      operationId: 'createStatusPagePost',
      summary: 'Post an incident, an update or maintenance to a status page',
      description: 'Visitors see it at once where the page is published.',
      body: postCreateSchema,
      run: ({ actor, params, body }) => createPost(deps, actor, params.id, body),
    }),
    route({
      ...READ,
      method: 'post',
      path: '/api/v1/status-page/post-preview',
      operationId: 'previewStatusPagePost',
      audits: { none: 'it only renders' },
      summary: 'Render the Markdown of a post as the public page does',
      description:
        'Nothing is stored. The HTML is safe to show: HTML of its author is text, and pictures are left out.',
      tag,
      body: postPreviewInput,
      answers: { 200: { description: 'The text as HTML', schema: postPreviewSchema } },
      handle: ({ body }) => Promise.resolve({ body: { html: renderMarkdown(body.body).text } }),
    }),
    post.update({
      method: 'patch',
      operationId: 'updateStatusPagePost',
      summary: 'Add an update to a post',
      description: '`body` and `status` are added to its thread; the other fields are changed in place.',
      body: postPatchSchema,
      run: ({ actor, params, body }) => updatePost(deps, actor, idsOf(params), body),
    }),
    post.delete({
      operationId: 'deleteStatusPagePost',
      summary: 'Delete a post with its thread',
      run: ({ actor, params }) => deletePost(deps, actor, idsOf(params)),
    }),
  ];
}
