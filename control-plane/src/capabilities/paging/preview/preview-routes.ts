import { z } from 'zod';
import { route, type Route } from '../../../platform/http/route.js';
import { pageQuery } from '../../../platform/http/schemas.js';
import { READ_ALERTS } from '../../delivery/index.js';
import { listUnheardMonitors } from './find-reach-troubles.js';
import { previewAlerts, previewNewAlerts, type PreviewDeps } from './preview-alerts.js';
import {
  alertPreviewSchema,
  newAlertPreviewQuery,
  newAlertPreviewSchema,
  unheardMonitorSchema,
} from './preview-schemas.js';

const READ = { tag: 'Alerts of a monitor', scopes: READ_ALERTS, role: 'Viewer' } as const;

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
      ...READ,
      answers: { 200: { description: 'Who would be notified', schema: alertPreviewSchema } },
      run: ({ actor, params }) => previewAlerts(deps, actor, params.id),
    }),
    route({
      method: 'get',
      path: '/api/v1/alert-preview',
      operationId: 'previewNewAlerts',
      summary: 'Preview who would be notified of a monitor before it is created',
      description:
        'The same for a monitor with these action groups and this service group. A monitor begins with the `defaultActionGroupIds` ' +
        'of the workspace: name them to preview it.',
      ...READ,
      query: newAlertPreviewQuery,
      answers: { 200: { description: 'Who would be notified', schema: newAlertPreviewSchema } },
      faults: ['not_found'],
      run: ({ actor, query }) => previewNewAlerts(deps, actor, query),
    }),
    route({
      method: 'get',
      path: '/api/v1/alert-coverage',
      operationId: 'listUnheardMonitors',
      summary: 'List the monitors of which nobody would hear',
      description:
        'The enabled monitors of which an incident that opened now would be notified to no group and no person, by name, by the ' +
        'rules of the alert preview.',
      ...READ,
      query: pageQuery,
      list: true,
      answers: { 200: { description: 'A list page of monitors', schema: z.array(unheardMonitorSchema) } },
      run: ({ actor }, rows) => listUnheardMonitors(deps, actor, rows),
    }),
  ];
}
