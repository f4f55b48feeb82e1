import { route, type Route } from '../../platform/http/route.js';
import { DATA_POLICY } from '../../platform/http/security-headers.js';
import { answerPacked, packText } from './pack-text.js';
import { publicPageParams, publicPageSchema } from './public-page-schemas.js';
import type { PublicPages } from './public-pages.js';
import type { VisitorLimit } from './visitor-limit.js';

const JSON_TYPE = 'application/json; charset=utf-8';

/** Published status pages as JSON, for everybody. */
export function publicPageRoutes(deps: { pages: PublicPages; limit: VisitorLimit }): Route[] {
  return [
    route({
      method: 'get',
      path: '/api/v1/public/status-page/{slug}',
      operationId: 'getPublicStatusPage',
      summary: 'Get a published status page, as visitors see it',
      description:
        'At most a few seconds old, or half a minute under high load. It contains the systems as the page names them, but no monitors, ' +
        'addresses or failure reasons.',
      tag: 'Public status pages',
      scopes: 'anonymous',
      role: null,
      params: publicPageParams,
      answers: { 200: { description: 'The page', schema: publicPageSchema } },
      faults: ['rate_limited', 'unavailable'],
      async handle({ params, remoteAddress, headers }) {
        await deps.limit.take(remoteAddress);
        const json = await deps.pages.send(params.slug, 'json', ({ shortenedPosts: _, outageIds: __, ...page }, work) =>
          packText(work, () => JSON.stringify(page), JSON_TYPE, DATA_POLICY),
        );
        return answerPacked(json, headers['accept-encoding']);
      },
    }),
  ];
}
