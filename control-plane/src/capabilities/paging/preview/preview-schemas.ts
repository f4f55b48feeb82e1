import { z } from 'zod';
import { isoDuration, uuid } from '../../../platform/http/schemas.js';
import { ACTION_GROUP_TYPES } from '../../channels/index.js';
import { tagList } from '../../monitors/index.js';
import { OWN_CHANNELS } from '../../workspaces/index.js';

const sentence = z.string().nullable().describe('Why nobody would be notified, as a sentence; null otherwise');

const reachSchema = z.strictObject({
  channel: z.enum(OWN_CHANNELS),
  address: z.string(),
  after: isoDuration.describe('After the beginning of the step, by a rule of the person'),
});

/** The most action groups of one preview. */
const MAX_GROUPS = 100;
/** The most tags of one preview. */
const MAX_TAGS = 20;

export const newAlertPreviewSchema = z
  .strictObject({
    willAnyoneHear: z
      .boolean()
      .describe('Whether a group or a person would be notified of an incident that opened now'),
    willAnyoneBePaged: z.boolean().describe('Whether a step of an escalation policy would reach anybody'),
    groups: z
      .array(
        z.strictObject({
          id: uuid,
          name: z.string(),
          type: z.enum(ACTION_GROUP_TYPES),
          destinations: z.array(z.string()).describe('Secrets are masked'),
          hears: z.boolean(),
          why: sentence,
        }),
      )
      .describe('The action groups of the monitor'),
    teams: z
      .array(
        z.strictObject({
          teamId: uuid,
          teamName: z.string(),
          planRestricted: z.boolean().describe('Whether the team is over the limit of the plan and pages nobody'),
          serviceGroupName: z.string().nullable().describe('Null: the monitor names the team itself'),
          steps: z.array(
            z.strictObject({
              afterMinutes: z.number().min(0).describe('After the incident opens, while nobody acknowledges it'),
              who: z.string().describe('The types of targets, joined by commas').meta({ example: 'onCall' }),
              people: z.array(
                z.strictObject({
                  userId: uuid,
                  name: z.string().nullable(),
                  channels: z.array(reachSchema),
                  mayAcknowledge: z.boolean().describe('The role is Responder or above'),
                }),
              ),
              groups: z
                .array(z.strictObject({ id: uuid, name: z.string(), hears: z.boolean(), why: sentence }))
                .describe('The action groups of the step'),
              why: sentence,
            }),
          ),
          policyName: z.string().describe('The escalation policy for an incident of the severity `down`'),
          repeat: z.int().describe('How many rounds of its steps come after the first one'),
        }),
      )
      .describe('The teams that are paged for the monitor'),
    reasons: z.array(z.string()).describe('What prevents notifications, and what to do about it'),
  })
  .meta({ id: 'NewMonitorAlertPreview' });
export type NewAlertPreview = z.output<typeof newAlertPreviewSchema>;

export const alertPreviewSchema = z
  .strictObject({
    monitorId: uuid,
    ...newAlertPreviewSchema.shape,
    causes: z
      .array(
        z.strictObject({
          monitorId: uuid,
          name: z.string(),
          incidentId: uuid.nullable().describe('Its incident, to which a failure now would be attached'),
        }),
      )
      .describe('What the monitor depends on. While one of these has an incident, nobody would be notified'),
  })
  .meta({ id: 'AlertPreview' });
export type AlertPreview = z.output<typeof alertPreviewSchema>;

export const newAlertPreviewQuery = z.strictObject({
  serviceGroupId: uuid.optional().describe('The service group that the monitor would join'),
  teamId: uuid.optional().describe('The team that it would name, which is paged unless it joins a service group'),
  actionGroupId: z
    .array(uuid)
    .max(MAX_GROUPS)
    .optional()
    .describe(`Repeatable, up to ${MAX_GROUPS}: the action groups that would be attached to it`),
  tag: tagList(MAX_TAGS).optional().describe(`Repeatable, up to ${MAX_TAGS}: the tags that it would have`),
});
export type NewAlertPreviewQuery = z.output<typeof newAlertPreviewQuery>;

export const unheardMonitorSchema = z
  .strictObject({ monitorId: uuid, name: z.string(), why: z.string().describe('As one sentence') })
  .meta({ id: 'UnheardMonitor' });
export type UnheardMonitor = z.output<typeof unheardMonitorSchema>;
