import { z } from 'zod';
import { resource } from '../../../platform/http/resource.js';
import { route, type Route } from '../../../platform/http/route.js';
import { READ_ALERTS, WRITE_ALERTS } from '../alert-deps.js';
import type { DeliveryDeps } from '../delivery-deps.js';
import {
  type DeliveryDetail,
  deliveryDetailSchema,
  deliveryListQuery,
  deliverySchema,
  latestDeliveriesQuery,
  latestDeliveriesSchema,
  testResultSchema,
} from './delivery-schemas.js';
import { DELIVERY_DAYS } from '../queue/purge-deliveries.js';
import { listDeliveries, listWorkspaceDeliveries, readDelivery, readLatestDeliveries } from './read-deliveries.js';
import { MAX_TESTS, sendTest } from '../sending/send-test.js';

const tag = 'Action groups';
const READ = { tag, scopes: READ_ALERTS, role: 'Viewer' } as const;
const WRITE = { tag, scopes: WRITE_ALERTS, role: 'Editor' } as const;
/** Fifty mailboxes in two rounds of at most 10 s each, and time to store the outcomes. */
const TEST_DEADLINE_MS = 60_000;

export function deliveryRoutes(deps: DeliveryDeps): Route[] {
  const described = { name: 'delivery', tag, read: READ, write: WRITE };
  const deliveries = resource<DeliveryDetail>({
    ...described,
    path: '/api/v1/deliveries',
    schema: deliveryDetailSchema,
  });
  return [
    route({
      method: 'post',
      path: '/api/v1/action-groups/{id}/test',
      operationId: 'testActionGroup',
      audits: { none: 'a test changes nothing' },
      summary: 'Send a test notification',
      description:
        'Sends one message to every destination of the group now, whether or not the group is enabled. The answer is ' +
        '200 whatever the outcome, and contains the outcome of each destination. A workspace sends at most ' +
        `${MAX_TESTS.count} tests, of ${MAX_TESTS.messages} messages together, in ${MAX_TESTS.windowMs / 60_000} minutes.`,
      ...WRITE,
      answers: { 200: { description: 'The outcome of each destination', schema: testResultSchema } },
      deadlineMs: TEST_DEADLINE_MS,
      run: ({ actor, params }) => sendTest(deps, actor, params.id),
    }),
    resource({
      ...described,
      path: '/api/v1/action-groups/{id}/deliveries',
      schema: deliverySchema,
    }).list({
      operationId: 'listActionGroupDeliveries',
      summary: 'List the deliveries of a group',
      description: `The messages that the group has sent or will send, one for each event and destination, newest first. They are kept for ${DELIVERY_DAYS} days.`,
      run: ({ actor, params }, rows) => listDeliveries(deps, actor, params.id, rows),
    }),
    deliveries.list({
      summary: 'List the deliveries of the workspace',
      description:
        'The messages about events that were or will be sent: of all action groups, tests, and pages to people on call; newest ' +
        `first. \`startDate\` and \`endDate\` apply to \`created\`. They are kept for ${DELIVERY_DAYS} days.`,
      query: deliveryListQuery,
      schema: deliverySchema,
      run: ({ actor, query: { startDate, endDate, ...filter } }, rows) =>
        listWorkspaceDeliveries(deps, actor, { ...filter, fromMs: startDate, toMs: endDate }, rows),
    }),
    route({
      method: 'get',
      path: '/api/v1/deliveries/latest',
      operationId: 'listLatestDeliveries',
      summary: 'Get the latest delivery and the latest failure of several groups',
      description: 'For a list page of groups in one request.',
      ...READ,
      query: latestDeliveriesQuery,
      answers: { 200: { description: 'One for each group', schema: z.array(latestDeliveriesSchema) } },
      run: ({ actor, query }) => readLatestDeliveries(deps, actor, query.actionGroupId),
    }),
    deliveries.get({
      summary: 'Get a delivery with its attempts',
      run: ({ actor, params }) => readDelivery(deps, actor, params.id),
    }),
  ];
}
