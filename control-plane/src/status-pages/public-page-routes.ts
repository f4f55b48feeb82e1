import { entityTag } from '../http/entity-tag.js';
import { route, type Route } from '../http/route.js';
import { DATA_POLICY } from '../http/security-headers.js';
import { publicPageParams, publicPageSchema } from './public-page-schemas.js';
import type { PublicPages } from './public-pages.js';
import type { VisitorLimit } from './visitor-limit.js';

/** What anybody may read of a published page. */
export function publicPageRoutes(deps: { pages: PublicPages; limit: VisitorLimit }): Route[] {
  return [
    route({
      method: 'get',
      path: '/api/v1/public/status-page/{slug}',
      operationId: 'getPublicStatusPage',
      summary: 'Get a published status page, as visitors see it',
      description:
        'At most a few seconds old. It names systems as the page does, and tells nothing of monitors, ' +
        'their addresses or what failed.',
      tag: 'Public status pages',
      scopes: 'anonymous',
      role: null,
      params: publicPageParams,
      answers: { 200: { description: 'The page', schema: publicPageSchema } },
      faults: ['rate_limited'],
      async handle({ params, remoteAddress }) {
        await deps.limit.take(remoteAddress);
        const page = await deps.pages.read(params.slug);
        const { json, etag } = page.form('json', (view) => ({ json: JSON.stringify(view), etag: entityTag(view) }));
        // Made once for all who ask, tag and text: a busy page costs each of them next to nothing.
        const headers = { ETag: etag, 'Content-Security-Policy': DATA_POLICY };
        return { body: json, type: 'application/json; charset=utf-8', headers };
      },
    }),
  ];
}
