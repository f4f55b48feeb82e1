import { z } from 'zod';
import { route, type Route } from '../../../platform/http/route.js';
import { uuid } from '../../../platform/http/schemas.js';
import { READ_ALERTS } from '../../delivery/index.js';
import { ACTION_GROUP_TYPES, messagePreviewSchema } from '../../channels/index.js';
import { groupRulesInput } from '../../group-settings/index.js';
import { type MessagePreviewDeps, previewMessages, previewTemplate } from './preview-messages.js';

const sampleQuery = z.strictObject({
  monitorId: uuid
    .optional()
    .describe('The monitor that the messages are about; default the first one that the group is attached to, by name'),
});

const templateBody = z
  .strictObject({ type: z.enum(ACTION_GROUP_TYPES), template: groupRulesInput.shape.template })
  .meta({ id: 'MessageTemplate' });

export function messagePreviewRoutes(deps: MessagePreviewDeps): Route[] {
  return [
    route({
      method: 'get',
      path: '/api/v1/action-groups/{id}/messages',
      operationId: 'previewMessages',
      summary: 'Preview the messages of an action group',
      description:
        'One message for each type of event that the group is notified of, and a digest, as its destinations would receive it. Nothing is sent. The event is ' +
        'invented, and the links of the message open nothing.',
      tag: 'Action groups',
      scopes: READ_ALERTS,
      role: 'Viewer',
      query: sampleQuery,
      answers: { 200: { description: 'The messages', schema: z.array(messagePreviewSchema) } },
      run: ({ actor, params, query }) => previewMessages(deps, actor, params.id, query),
    }),
    route({
      method: 'post',
      path: '/api/v1/channels/messages',
      operationId: 'previewTemplate',
      audits: { none: 'Nothing changes.' },
      summary: 'Preview the messages of a template by a channel',
      description:
        'The messages of groups that have this template, about the latest incident of the workspace in the state of each event; about an ' +
        'invented one where there is none. No group is needed for it.',
      tag: 'Action groups',
      scopes: READ_ALERTS,
      role: 'Viewer',
      body: templateBody,
      answers: { 200: { description: 'The messages', schema: z.array(messagePreviewSchema) } },
      run: ({ actor, body: { type, template } }) => previewTemplate(deps, actor, type, template),
    }),
  ];
}
