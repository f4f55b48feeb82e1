import type { Database } from '../../../platform/db/database.js';
import { route, type Route } from '../../../platform/http/route.js';
import { linkQuery } from '../../../platform/http/schemas.js';
import { answerPacked, packText } from '../pack-text.js';
import type { PublicPages } from '../public-pages.js';
import { findSavedPage } from '../read-public-page.js';
import { statusDocument } from './status-document.js';

/** A status page as its visitors will see it, for those who edit it. */
export function previewRoutes({ db, pages }: { db: Database; pages: PublicPages }): Route[] {
  return [
    route({
      method: 'get',
      // A frame sends no headers of ours: its address has to name the workspace.
      path: '/api/v1/workspaces/{workspaceId}/status-page/{id}/preview',
      operationId: 'previewStatusPage',
      summary: 'Show a status page as it is saved, published or not',
      description:
        'The document that visitors get at `/status/{slug}`, without scripts and forms. Pages of this service may show it in a frame, ' +
        'which no other document of it allows.',
      tag: 'Status pages',
      scopes: ['monitor.admin', 'statuspage.read'],
      role: 'Viewer',
      workspaceParam: 'workspaceId',
      query: linkQuery,
      produces: ['text/html'],
      answers: { 200: { description: 'The page, complete without scripts' } },
      faults: ['unavailable'],
      async handle({ actor, params, headers }) {
        const page = await db.read((tx) => findSavedPage(tx, actor.workspace.workspaceId, params.id));
        const text = await pages.preview(page, async (view, work) => {
          const { html, policy } = await statusDocument(page.slug, view, work, true);
          return packText(work, () => html, 'text/html; charset=utf-8', policy);
        });
        const answer = answerPacked(text, headers['accept-encoding']);
        return {
          ...answer,
          headers: { ...answer.headers, 'X-Frame-Options': 'SAMEORIGIN', 'Cache-Control': 'private, no-store' },
        };
      },
    }),
  ];
}
