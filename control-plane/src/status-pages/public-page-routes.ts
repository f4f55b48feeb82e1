import { route, type Route } from '../http/route.js';
import { DATA_POLICY } from '../http/security-headers.js';
import { answerPacked, packText } from './pack-text.js';
import { publicPageParams, publicPageSchema } from './public-page-schemas.js';
import type { PublicPages } from './public-pages.js';
import type { VisitorLimit } from './visitor-limit.js';

const JSON_TYPE = 'application/json; charset=utf-8';

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
      async handle({ params, remoteAddress, headers }) {
        await deps.limit.take(remoteAddress);
        const page = await deps.pages.read(params.slug);
        // Made once for all who ask: a busy page costs each of them next to nothing.
        const json = page.form('json', (view) => packText(JSON.stringify(view), JSON_TYPE, DATA_POLICY));
        return answerPacked(json, headers['accept-encoding']);
      },
    }),
  ];
}
