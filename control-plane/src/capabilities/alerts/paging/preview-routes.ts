import { route, type Route } from '../../../platform/http/route.js';
import { idParam } from '../../../platform/http/schemas.js';
import { READ_ALERTS } from '../alert-scopes.js';
import { previewAlerts, type PreviewDeps } from './preview-alerts.js';
import { alertPreviewSchema } from './preview-schemas.js';

/** The preview of alerts over REST: "Will anyone be paged?" */
export function previewRoutes(deps: PreviewDeps): Route[] {
  return [
    route({
      method: 'get',
      path: '/api/v1/monitor/{id}/alert-preview',
      operationId: 'previewAlerts',
      summary: 'Preview who would be notified of an incident that opened now',
      description:
        'The answer lists people and channels in order, and why nobody would be notified. It changes by itself at handoffs, so it has no `ETag` to rely on.',
      tag: 'Alerts of a monitor',
      scopes: READ_ALERTS,
      role: 'Viewer',
      params: idParam,
      answers: { 200: { description: 'Who would be notified', schema: alertPreviewSchema } },
      handle: async ({ actor, params }) => ({ body: await previewAlerts(deps, actor, params.id) }),
    }),
  ];
}
