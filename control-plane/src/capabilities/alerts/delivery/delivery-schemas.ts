import { z } from 'zod';
import { isoTimestamp, uuid } from '../../../platform/http/schemas.js';
import { ACTION_GROUP_TYPES } from '../action-group.js';
import { DELIVERY_STATES } from './delivery.js';

export const deliverySchema = z
  .strictObject({
    id: uuid,
    eventId: uuid.describe('Of a webhook: its `webhook-id`, the same at every try'),
    eventType: z.string().meta({ example: 'incident.opened' }),
    incidentId: uuid.nullable(),
    monitorId: uuid.nullable(),
    channel: z.enum(ACTION_GROUP_TYPES),
    destination: z.string().describe('The mailbox, number or URL; that of a chat is masked'),
    purpose: z.string().describe('`group`, or `test`'),
    state: z
      .enum(DELIVERY_STATES)
      .describe(
        '`waiting` for its turn or its next try; `failed` where it was given up; `cancelled` where nobody wants it any more',
      ),
    attempts: z.int().min(0),
    statusCode: z.int().nullable().describe('Of the last answer; null where there was none'),
    answer: z.string().nullable().describe('What came of the last try, as one sentence'),
    error: z
      .enum(['recipient_unconfirmed', 'recipient_refused', 'budget_exceeded'])
      .nullable()
      .describe('Why it was not sent, where that is a rule of this service; null otherwise'),
    created: isoTimestamp,
    lastAttempt: isoTimestamp.nullable(),
    nextAttempt: isoTimestamp.nullable(),
    finished: isoTimestamp.nullable(),
  })
  .meta({ id: 'Delivery' });

export const testResultSchema = z
  .strictObject({
    delivered: z.boolean().describe('Whether every destination took it'),
    deliveries: z.array(deliverySchema).describe('One for each destination'),
  })
  .meta({ id: 'ActionGroupTest' });

export type DeliveryView = z.output<typeof deliverySchema>;
export type TestResult = z.output<typeof testResultSchema>;
