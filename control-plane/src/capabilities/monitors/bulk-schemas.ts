import { groupBy } from '@watchpost/shared/group-by';
import { z } from 'zod';
import { uuid } from '../../platform/http/schemas.js';
import { monitorConditions } from './monitor-schemas.js';
import { withoutRepeats } from '../../platform/http/define-settings.js';
import { generalSettings } from './settings/general-settings-schemas.js';
import { MAX_TAGS, normalizeTags, tagText } from './settings/tags.js';

export const MAX_BULK = 500;
/** Most monitors of which a dry run answers what would change: the console changes them by `MAX_BULK`. */
export const MAX_PREVIEWED = 5_000;
/** An assistant has these actions: people delete. */
export const BULK_CHANGES = [
  'pause',
  'resume',
  'addTags',
  'removeTags',
  'update',
  'attachActionGroup',
  'detachActionGroup',
  'addToMaintenance',
  'removeFromMaintenance',
] as const;
/** The field that an action needs, and that no other takes. */
const NEEDED = {
  addTags: 'tags',
  removeTags: 'tags',
  update: 'settings',
  attachActionGroup: 'actionGroupId',
  detachActionGroup: 'actionGroupId',
  addToMaintenance: 'maintenanceWindowId',
  removeFromMaintenance: 'maintenanceWindowId',
} as const;
const needs = (action: unknown) => (NEEDED as Readonly<Record<string, string | undefined>>)[String(action)];

/** The settings that belong to one monitor alone, have an action of their own, or decide which others it has. */
const SINGULAR = {
  name: true,
  url: true,
  monitorTypes: true,
  monitoringStatus: true,
  tags: true,
  dependsOn: true,
} as const;
const { checkTimeout } = generalSettings.fields;
const settings = z
  .strictObject({ ...generalSettings.fields, checkTimeout: checkTimeout.nullable().meta(checkTimeout.meta()!) })
  .omit(SINGULAR)
  .partial()
  .refine((given) => Object.values(given).some((value) => value !== undefined), {
    error: 'must have at least one setting',
  })
  .meta({ id: 'MonitorBulkSettings' });

const tags = z.array(tagText).min(1).max(MAX_TAGS).transform(normalizeTags);

const filter = z
  .strictObject({ tags: tags.optional().describe('Only those that have all of these'), ...monitorConditions })
  .refine((given) => Object.values(given).some((value) => value !== undefined), {
    error: 'must have at least one condition',
  })
  .meta({
    id: 'MonitorBulkFilter',
    description: `Instead of \`monitorIds\`: every monitor for which all of these hold, at most ${MAX_BULK}, or ${MAX_PREVIEWED} in a dry run.`,
  });

export const bulkInput = z
  .strictObject({
    monitorIds: z
      .array(uuid)
      .min(1)
      .max(MAX_BULK)
      .transform(withoutRepeats)
      .optional()
      .describe('The monitors, instead of `filter`'),
    filter: filter.optional(),
    action: z
      .enum([...BULK_CHANGES, 'delete'])
      .describe(
        '`pause` stops enabled monitors and `resume` starts paused ones; disabled ones stay disabled. `addToMaintenance` and ' +
          '`removeFromMaintenance` change the `scope.monitorIds` of a window. The others do what the requests for one monitor do.',
      ),
    tags: tags.optional().describe('For `addTags` and `removeTags`, and only for these'),
    settings: settings.optional().describe('For `update`, and only for it: what all of them shall have'),
    actionGroupId: uuid
      .optional()
      .describe('For `attachActionGroup` and `detachActionGroup`, which need a scope for alerts'),
    maintenanceWindowId: uuid.optional().describe('For `addToMaintenance` and `removeFromMaintenance`'),
    dryRun: z.boolean().default(false).describe('Answers what would change, and changes nothing'),
  })
  .superRefine(contradictions, { when: () => true })
  .meta({
    id: 'MonitorBulk',
    example: { filter: { tags: ['team:web'] }, action: 'pause', dryRun: true },
  });
export type BulkInput = z.output<typeof bulkInput>;
/** As callers send it. */
export type BulkBody = z.input<typeof bulkInput>;

export const bulkResultSchema = z
  .strictObject({
    matched: z.int().describe('How many monitors the request is about'),
    changed: z.int().describe('How many of them it changed; the others were so already'),
    monitorIds: z.array(uuid).describe('Those that it changed, the oldest first'),
    former: z
      .array(z.strictObject({ settings: z.looseObject({}), monitorIds: z.array(uuid) }))
      .optional()
      .describe(
        'Of `update`: what they had of these settings, once for all that had the same. Sent as `settings`, it takes the change back',
      ),
    closedIncidents: z.int().describe('How many open incidents `pause` or `delete` closes, for good'),
  })
  .meta({ id: 'MonitorBulkResult' });
export type BulkResult = z.output<typeof bulkResultSchema>;

/** Also runs on bodies with other faults, so it assumes nothing about its input. */
function contradictions(body: unknown, context: z.RefinementCtx): void {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return;
  const given = body as Readonly<Record<string, unknown>>;
  const fault = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
  const named = (given['monitorIds'] !== undefined ? 1 : 0) + (given['filter'] !== undefined ? 1 : 0);
  if (named === 0) fault('monitorIds', 'must be given, or `filter` in its place');
  if (named === 2) fault('filter', 'cannot be given together with `monitorIds`');
  const { action } = given;
  const needed = needs(action);
  if (needed !== undefined && given[needed] === undefined) fault(needed, 'must be given for this action');
  if (typeof action !== 'string') return;
  for (const [field, actions] of groupBy(Object.keys(NEEDED), needs))
    if (field !== needed && given[field!] !== undefined)
      fault(field!, `can only be given for ${actions.map((one) => `\`${one}\``).join(' and ')}`);
}
