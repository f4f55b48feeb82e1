import { managedBySchema } from '../../../platform/documents/managed-by.js';
import { z } from 'zod';
import { MONITOR_TYPES, MONITORING_STATUSES } from '@watchpost/shared/monitor-types';
import { booleanParam, isoTimestamp, nameText, pageQuery, uuid } from '../../../platform/http/schemas.js';

const HOSTNAME = /^[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*$/;

const memberSchema = z
  .strictObject({
    id: uuid,
    name: z.string(),
    url: z.string().nullable().describe('null for Heartbeat'),
    monitorTypes: z.array(z.enum(MONITOR_TYPES)),
    monitoringStatus: z.enum(MONITORING_STATUSES),
    healthStatus: z.enum(['available', 'unavailable', 'degraded']).nullable().describe('null before the first result'),
  })
  .meta({ id: 'ServiceGroupMonitor' });

export const serviceGroupSchema = z
  .strictObject({
    id: uuid,
    name: z.string(),
    hostname: z
      .string()
      .nullable()
      .meta({ description: 'As given, or the one host that all its monitors have', example: 'shop.example' }),
    monitors: z.array(memberSchema).describe('Oldest first, one per type; of a deleted group, those deleted with it'),
    routedTeamIds: z.array(uuid).describe('Teams whose person on call is paged for its incidents'),
    managedBy: managedBySchema,
    deletedAt: isoTimestamp.nullable(),
    purgeAt: isoTimestamp.nullable().describe('Until then a deleted group can be restored'),
    created: isoTimestamp,
    lastModified: isoTimestamp,
  })
  .meta({ id: 'ServiceGroup' });
export type ServiceGroupView = z.output<typeof serviceGroupSchema>;

const hostname = z
  .string()
  .trim()
  .toLowerCase()
  .min(1)
  .max(253)
  .regex(HOSTNAME, { error: 'must be a host name, like shop.example' })
  .nullable()
  .meta({ description: 'What the group is about; null: the host that its monitors share.', example: 'shop.example' });

export const serviceGroupCreateSchema = z
  .strictObject({ name: nameText.meta({ example: 'Shop' }), hostname: hostname.default(null) })
  .meta({ id: 'ServiceGroupCreate' });
export type ServiceGroupCreateInput = z.output<typeof serviceGroupCreateSchema>;

export const serviceGroupUpdateSchema = z
  .strictObject({ name: nameText.meta({ example: 'Shop' }).optional(), hostname: hostname.optional() })
  .meta({ id: 'ServiceGroupUpdate', description: 'Fields that are left out keep their value.' });
export type ServiceGroupUpdateInput = z.output<typeof serviceGroupUpdateSchema>;

export const serviceGroupListQuery = z.strictObject({
  ...pageQuery.shape,
  isDeleted: booleanParam
    .default(false)
    .meta({ type: 'boolean', default: false, description: 'true: only deleted groups, which can be restored.' }),
});

export const moveMonitorsSchema = z
  .strictObject({
    monitorIds: z
      .array(uuid)
      .min(1)
      .max(100)
      .transform((ids) => [...new Set(ids)])
      .meta({ description: 'Monitors of this group, all of which move or none.' }),
    targetServiceGroupId: uuid,
    deleteSourceIfEmpty: z
      .boolean()
      .default(false)
      .meta({ description: 'Delete the source when no monitor is left in it.' }),
  })
  .meta({ id: 'MoveMonitors' });
export type MoveMonitorsInput = z.output<typeof moveMonitorsSchema>;

export const movedMonitorsSchema = z
  .strictObject({
    source: serviceGroupSchema.nullable().describe('null where it was deleted because it was empty'),
    target: serviceGroupSchema,
  })
  .meta({ id: 'MovedMonitors' });
