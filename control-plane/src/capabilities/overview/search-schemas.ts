import { INCIDENT_TYPES } from '@watchpost/shared/incident-types';
import { MONITORING_STATUSES } from '@watchpost/shared/monitor-types';
import { z } from 'zod';
import { isoTimestamp, uuid } from '../../platform/http/schemas.js';
import { INCIDENT_STATUSES } from '../incidents/index.js';

/** The most of each kind in an answer. */
export const MAX_FOUND = 8;
/** The incidents that are searched: the newest. */
export const SEARCHED_INCIDENTS = 2_000;

export const searchQuery = z.strictObject({
  q: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .describe(
      'Words, in any case. Something is found if it contains all of them; what begins with the text comes first.',
    ),
});

export const searchSchema = z
  .strictObject({
    monitors: z
      .array(
        z.strictObject({
          id: uuid,
          name: z.string(),
          url: z.string().nullable(),
          monitoringStatus: z.enum(MONITORING_STATUSES),
        }),
      )
      .describe('By name and URL'),
    incidents: z
      .array(
        z.strictObject({
          id: uuid,
          monitorId: uuid,
          monitorName: z.string(),
          incidentType: z.enum(INCIDENT_TYPES),
          status: z.enum(INCIDENT_STATUSES),
          isClosed: z.boolean(),
          acknowledged: z.boolean(),
          started: isoTimestamp,
          lastModified: isoTimestamp,
          failureReason: z.string(),
        }),
      )
      .describe(
        `By the name of the monitor and the failure, open ones first, of the newest ${SEARCHED_INCIDENTS.toLocaleString('en')}`,
      ),
    people: z
      .array(
        z.strictObject({ userId: uuid, name: z.string().nullable(), email: z.string().nullable(), role: z.string() }),
      )
      .describe('Members, by name and email address'),
    statusPages: z
      .array(z.strictObject({ id: uuid, name: z.string(), slug: z.string(), isPublished: z.boolean() }))
      .describe('By name and slug'),
    actionGroups: z
      .array(z.strictObject({ id: uuid, name: z.string(), type: z.string(), isEnabled: z.boolean() }))
      .describe('By name'),
    omitted: z
      .array(z.enum(['incident.read', 'account.read', 'statuspage.read', 'alert.read']))
      .describe('Scopes that the token lacks: what they cover is not searched'),
  })
  .meta({ id: 'Found' });

export type Found = z.output<typeof searchSchema>;
