import { z } from 'zod';
import { isoTimestamp, pageQuery, timeRangeQuery, uuid } from '../../../platform/http/schemas.js';
import { ACTION_GROUP_TYPES } from '../../channels/index.js';
import { DELIVERY_STATES } from '../queue/delivery.js';
import { ATTEMPT_OUTCOMES, ATTEMPTS_KEPT } from '../sending/logged-attempt.js';

/** Among how many of the last deliveries of a group its latest failure is looked for. */
export const LATEST_OF = 50;

export const deliverySchema = z
  .strictObject({
    id: uuid,
    eventId: uuid.describe('The `webhook-id` of a webhook message, the same at every attempt'),
    eventType: z.string().meta({ example: 'incident.opened' }),
    incidentId: uuid.nullable(),
    monitorId: uuid.nullable(),
    monitorName: z.string().nullable().describe('What it was called then'),
    actionGroupId: uuid.nullable().describe('null where a person is notified, not a group'),
    actionGroupName: z.string().nullable(),
    userId: uuid.nullable().describe('The person who is paged; null otherwise'),
    channel: z.enum(ACTION_GROUP_TYPES),
    destination: z
      .string()
      .describe(
        'The address, number or URL. The URL of a chat is masked, and so are the numbers of other people for all but Admins.',
      ),
    purpose: z
      .string()
      .describe(
        '`group`, `test`, `page:0:…` for the first page to a person and so on, `paged` when what somebody was paged for is over, or `confirmation`',
      ),
    state: z
      .enum(DELIVERY_STATES)
      .describe(
        '`waiting` for its turn or its next attempt; `failed` when it was given up; `cancelled` when it is no longer needed',
      ),
    attempts: z.int().min(0),
    statusCode: z.int().nullable().describe('The status of the last answer; null where there was none'),
    answer: z.string().nullable().describe('The outcome of the last attempt, as one sentence'),
    error: z
      .enum(['recipient_unconfirmed', 'recipient_refused', 'budget_exceeded', 'not_sent'])
      .nullable()
      .describe('Why a rule of this service refused it, or a rule of the group (`not_sent`); null otherwise'),
    created: isoTimestamp,
    lastAttempt: isoTimestamp.nullable(),
    nextAttempt: isoTimestamp.nullable(),
    finished: isoTimestamp.nullable(),
  })
  .meta({ id: 'Delivery' });

export const deliveryDetailSchema = z
  .strictObject({
    ...deliverySchema.shape,
    attemptLog: z
      .array(
        z.strictObject({
          at: isoTimestamp.describe('When it ended'),
          outcome: z
            .enum(ATTEMPT_OUTCOMES)
            .describe(
              '`failed` is tried again; `unavailable` too: the server that messages go through did not take it, which does not count in `attempts`; `rejected` and `gone` are final',
            ),
          statusCode: z.int().nullable(),
          answer: z.string(),
          durationMs: z.int().min(0).nullable().describe('null where nothing was sent'),
          nextAttempt: isoTimestamp.nullable().describe('When it was to be tried again'),
        }),
      )
      .describe(
        `The last ${ATTEMPTS_KEPT} attempts, oldest first. Empty for deliveries of versions that did not keep them`,
      ),
  })
  .meta({ id: 'DeliveryDetail' });
export type DeliveryDetail = z.output<typeof deliveryDetailSchema>;

export const testResultSchema = z
  .strictObject({
    delivered: z.boolean().describe('Whether every destination accepted it'),
    deliveries: z.array(deliverySchema).describe('One for each destination'),
  })
  .meta({ id: 'ActionGroupTest' });

export const deliveryListQuery = z.strictObject({
  ...pageQuery.shape,
  ...timeRangeQuery.shape,
  state: z.enum(DELIVERY_STATES).optional(),
  channel: z.enum(ACTION_GROUP_TYPES).optional(),
  incidentId: uuid.optional(),
  monitorId: uuid.optional(),
  actionGroupId: uuid.optional(),
});

/** The most groups of one request for the latest deliveries. */
const MAX_GROUPS = 100;

export const latestDeliveriesQuery = z.strictObject({
  actionGroupId: z
    .array(uuid)
    .min(1)
    .max(MAX_GROUPS)
    .describe(`Repeatable, up to ${MAX_GROUPS}. Groups that do not exist in the workspace are left out.`),
});

export const latestDeliveriesSchema = z
  .strictObject({
    actionGroupId: uuid,
    latest: deliverySchema.nullable().describe('null where the group has sent nothing that is kept'),
    latestFailed: deliverySchema
      .nullable()
      .describe(`The latest that was given up, of the last ${LATEST_OF} of the group; null where none was`),
  })
  .meta({ id: 'LatestDeliveries' });

export type LatestDeliveries = z.output<typeof latestDeliveriesSchema>;
export type DeliveryView = z.output<typeof deliverySchema>;
export type TestResult = z.output<typeof testResultSchema>;
