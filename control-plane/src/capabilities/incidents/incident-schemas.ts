import { INCIDENT_TYPES, SEVERITIES } from '@watchpost/shared/incident-types';
import { TIMELINE_EVENT_TYPES } from '../timeline/index.js';
import { z } from 'zod';
import {
  booleanParam,
  instant,
  isoTimestamp,
  pageQuery,
  timeRangeQuery,
  uuid,
  shownRegion,
} from '../../platform/http/schemas.js';
import { INCIDENT_SORTS, INCIDENT_STATUSES } from './incident-commands.js';

const regionNames = z.array(shownRegion);

export const incidentNoteSchema = z
  .strictObject({
    id: uuid,
    note: z.string(),
    createdAt: isoTimestamp,
    createdBy: uuid.describe('The user who wrote it'),
    lastModified: isoTimestamp,
    modifiedBy: uuid,
  })
  .meta({ id: 'IncidentNote' });

const summaryFields = {
  id: uuid,
  workspaceId: uuid,
  monitorId: uuid,
  monitorName: z.string().describe('Its name when the incident opened'),
  incidentType: z.enum(INCIDENT_TYPES),
  status: z.enum(INCIDENT_STATUSES),
  isClosed: z.boolean(),
  severity: z
    .enum(SEVERITIES)
    .describe('`partial` while some region is healthy, or some address answers where each is checked'),
  worstSeverity: z.enum(SEVERITIES).describe('The worst so far'),
  regions: regionNames.describe('The regions that fail'),
  acknowledged: z.boolean(),
  started: isoTimestamp.describe(
    'The first failure of the row of failures that opened it, in the region that completed the quorum; the end of the maintenance window that hid it; of a late heartbeat, when its ping was expected. It opened at `created`',
  ),
  ended: isoTimestamp.nullable().describe('null while it is ongoing'),
  durationFormatted: z.string().meta({ example: '1 h 4 min' }),
  failureReason: z.string().meta({ example: 'The server at 203.0.113.7:443 refused the connection.' }),
  dependentCount: z.int().min(0).describe('How many monitors that depend on its monitor failed while it was open'),
  created: isoTimestamp,
  lastModified: isoTimestamp,
};

export const incidentSummarySchema = z.strictObject(summaryFields).meta({ id: 'IncidentSummary' });

export const dependentSchema = z
  .strictObject({
    monitorId: uuid,
    monitorName: z.string(),
    incidentType: z.enum(INCIDENT_TYPES).describe('That of the incident it would have had'),
    severity: z.enum(SEVERITIES),
    regions: regionNames,
    failureReason: z.string(),
    context: z.record(z.string(), z.unknown()).describe('The evidence'),
    failed: isoTimestamp.describe('When its failure was attached to this incident'),
    ended: isoTimestamp.nullable().describe('When it recovered or became an incident of its own; null while it fails'),
    ownIncidentId: uuid.nullable().describe('The incident that it became because it outlasted this one'),
  })
  .meta({ id: 'IncidentDependent', description: 'A monitor that depends on the monitor of the incident, and failed' });

export const incidentSchema = z
  .strictObject({
    ...summaryFields,
    acknowledgedAt: isoTimestamp.nullable(),
    acknowledgedBy: uuid.nullable(),
    closedBy: uuid.nullable().describe('null while open, and where the service closed it'),
    context: z.record(z.string(), z.unknown()).describe('The evidence, captured at the failing checks'),
    dependents: z.array(dependentSchema).describe('Those that fail first; at most 50'),
    notes: z.array(incidentNoteSchema).describe('Newest first'),
    timeline: z
      .array(
        z.strictObject({
          at: isoTimestamp,
          type: z.enum(TIMELINE_EVENT_TYPES),
          actor: uuid.nullable().describe('A user, or null for the service itself'),
          detail: z
            .record(z.string(), z.unknown())
            .describe('`reason` and `person` of `closed`: why, and by whom, its monitor is no longer checked'),
        }),
      )
      .describe('Oldest first'),
  })
  .meta({ id: 'Incident' });

const endedAfter = instant
  .optional()
  .describe('Only those that go on or ended after this moment: with `endDate`, those of a period');

export const monitorIncidentListQuery = z.strictObject({
  ...pageQuery.shape,
  ...timeRangeQuery.shape,
  endedAfter,
});

export const incidentListQuery = z.strictObject({
  ...pageQuery.shape,
  ...timeRangeQuery.shape,
  endedAfter,
  monitorId: uuid.optional(),
  status: z.enum(INCIDENT_STATUSES).optional(),
  isClosed: booleanParam.optional(),
  incidentType: z.enum(INCIDENT_TYPES).optional(),
  search: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe('Part of the monitor’s name or of the cause, in any case'),
  sort: z
    .enum(INCIDENT_SORTS)
    .optional()
    .describe(
      '`severity`: those that go on before those that are over, the worst first, those that nobody has acknowledged before the others',
    ),
});

export const incidentPatchSchema = z
  .strictObject({
    acknowledged: z.boolean().optional().describe('false takes an acknowledgement back'),
    status: z.enum(INCIDENT_STATUSES).optional().describe('`Resolved` closes the incident for good'),
  })
  .refine((patch) => Object.keys(patch).length > 0, { message: 'Name `acknowledged`, `status` or both.' })
  .meta({ id: 'IncidentPatch' });

export const noteBodySchema = z
  .strictObject({ note: z.string().trim().min(1).max(5000) })
  .meta({ id: 'IncidentNoteBody' });

export type IncidentPatch = z.output<typeof incidentPatchSchema>;
export type IncidentSummary = z.output<typeof incidentSummarySchema>;
export type Incident = z.output<typeof incidentSchema>;
export type IncidentNote = z.output<typeof incidentNoteSchema>;
