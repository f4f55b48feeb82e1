import { z } from 'zod';
import { route, type Route } from '../../../platform/http/route.js';
import { idParam, pageQuery, rowsOfPage } from '../../../platform/http/schemas.js';
import { READ_ALERTS, WRITE_ALERTS } from '../alert-scopes.js';
import type { DeliveryDeps } from './delivery-deps.js';
import { deliverySchema, testResultSchema } from './delivery-schemas.js';
import { DELIVERY_DAYS } from './purge-deliveries.js';
import { listDeliveries } from './read-deliveries.js';
import { MOST_TESTS, sendTest } from './send-test.js';

const tag = 'Action groups';
/** Fifty mailboxes in two rounds, each try 10 s at most, and what is written. */
const TEST_DEADLINE_MS = 60_000;

/** What groups sent, and trying them out, over REST. */
export function deliveryRoutes(deps: DeliveryDeps): Route[] {
  return [
    route({
      method: 'post',
      path: '/api/v1/action-groups/{id}/test',
      operationId: 'testActionGroup',
      summary: 'Send a test notification',
      description:
        'To every destination of the group, now and once, whether or not the group is enabled. The answer is 200 ' +
        'whatever the destinations did, and says it of each. A workspace sends at most ' +
        `${MOST_TESTS.count} tests, of ${MOST_TESTS.messages} messages together, in ${MOST_TESTS.windowMs / 60_000} minutes.`,
      tag,
      scopes: WRITE_ALERTS,
      role: 'Editor',
      params: idParam,
      answers: { 200: { description: 'What happened', schema: testResultSchema } },
      deadlineMs: TEST_DEADLINE_MS,
      handle: async ({ actor, params }) => ({ body: await sendTest(deps, actor, params.id) }),
    }),
    route({
      method: 'get',
      path: '/api/v1/action-groups/{id}/deliveries',
      operationId: 'listActionGroupDeliveries',
      summary: 'List the deliveries of a group',
      description: `What the group sent or is to send, one for each event and destination, newest first; kept for ${DELIVERY_DAYS} days.`,
      tag,
      scopes: READ_ALERTS,
      role: 'Viewer',
      params: idParam,
      query: pageQuery,
      list: true,
      answers: { 200: { description: 'A page of deliveries', schema: z.array(deliverySchema) } },
      async handle({ actor, params, query }) {
        const { items, total } = await listDeliveries(deps, actor, params.id, rowsOfPage(query));
        return { body: items, total };
      },
    }),
  ];
}
