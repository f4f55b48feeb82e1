import { z } from 'zod';
import { isoTimestamp, uuid } from '../../../platform/http/schemas.js';
import { ACTION_GROUP_TYPES } from '../action-group.js';
import { DELIVERY_STATES } from './delivery.js';

export const deliverySchema = z
  .strictObject({
    id: uuid,
    eventId: uuid.describe('The `webhook-id` of a webhook message, the same at every attempt'),
    eventType: z.string().meta({ example: 'incident.opened' }),
    incidentId: uuid.nullable(),
    monitorId: uuid.nullable(),
    channel: z.enum(ACTION_GROUP_TYPES),
    destination: z.string().describe('The address, number or URL. The URL of a chat is masked.'),
    purpose: z.string().describe('`group`, or `test`'),
    state: z
      .enum(DELIVERY_STATES)
      .describe(
        '`waiting` for its turn or its next attempt; `failed` when it was given up; `cancelled` when it is no longer needed',
      ),
    attempts: z.int().min(0),
    statusCode: z.int().nullable().describe('The status of the last answer; null where there was none'),
    answer: z.string().nullable().describe('The outcome of the last attempt, as one sentence'),
    error: z
      .enum(['recipient_unconfirmed', 'recipient_refused', 'budget_exceeded'])
      .nullable()
      .describe('Why a rule of this service refused it; null otherwise'),
    created: isoTimestamp,
    lastAttempt: isoTimestamp.nullable(),
    nextAttempt: isoTimestamp.nullable(),
    finished: isoTimestamp.nullable(),
  })
  .meta({ id: 'Delivery' });

export const testResultSchema = z
  .strictObject({
    delivered: z.boolean().describe('Whether every destination accepted it'),
    deliveries: z.array(deliverySchema).describe('One for each destination'),
  })
  .meta({ id: 'ActionGroupTest' });

export type DeliveryView = z.output<typeof deliverySchema>;
export type TestResult = z.output<typeof testResultSchema>;
