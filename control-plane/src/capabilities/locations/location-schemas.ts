import { cidrFault } from '@watchpost/shared/address-ranges';
import { REGIONS } from '@watchpost/shared/region';
import { z } from 'zod';
import { managedBySchema } from '../../platform/documents/managed-by.js';
import { defineSettings, undescribed, withoutRepeats } from '../../platform/http/define-settings.js';
import {
  booleanParam,
  isOneLine,
  isoTimestamp,
  mapFromNames,
  NOT_ONE_LINE,
  nameText,
  uuid,
} from '../../platform/http/schemas.js';

const MAX_CIDRS = 50;
const MAX_LABELS = 20;
const MAX_LABEL_LENGTH = 100;
const MAX_GROUPS = 50;
const REACHABILITIES = ['advisory', 'voting'] as const;

const cidrs = z
  .array(
    z
      .string()
      .trim()
      .superRefine((text, context) => {
        const message = cidrFault(text);
        if (message !== null) context.addIssue({ code: 'custom', message });
      }),
  )
  .max(MAX_CIDRS)
  .transform(withoutRepeats);

const slug = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{1,38}[a-z0-9]$/, {
    error: 'must have 3 to 40 characters out of a-z, 0-9 and the hyphen, with none at its ends',
  })
  .refine((text) => REGIONS.every(({ name }) => name !== text), { error: 'must not be the name of a region' })
  .meta({ description: 'Names it in monitors; results name `private:<slug>`', example: 'office' });

const labels = mapFromNames(
  z.string().trim().max(MAX_LABEL_LENGTH).refine(isOneLine, { error: NOT_ONE_LINE }),
  (values) => {
    const names = Object.keys(values);
    return [
      ...(names.length > MAX_LABELS ? [{ name: null, message: `must have at most ${MAX_LABELS} labels` }] : []),
      ...names
        .filter((name) => name.trim() === '' || name.length > MAX_LABEL_LENGTH)
        .map((name) => ({ name, message: `must have a name of 1 to ${MAX_LABEL_LENGTH} characters` })),
      ...names.filter((name) => !isOneLine(name)).map((name) => ({ name, message: NOT_ONE_LINE })),
    ];
  },
);

export const locationSettings = defineSettings('PrivateLocationSettings', 'A private location.', {
  name: nameText.meta({ example: 'Office in Dublin' }),
  slug,
  allowCidrs: cidrs.meta({
    description:
      'What its agents connect to, and nothing else; where it is empty, public addresses, as from a region. Addresses of the ' +
      'agent’s own machine and of cloud metadata services only where a range names one of them alone.',
    example: ['10.20.0.0/16'],
    default: [],
  }),
  denyCidrs: cidrs.meta({ description: 'What they never connect to, though `allowCidrs` has it', default: [] }),
  labels: labels.meta({
    description: `Texts of your own, at most ${MAX_LABELS}`,
    example: { site: 'Dublin' },
    default: {},
  }),
  reachability: z.enum(REACHABILITIES).meta({
    description:
      '`advisory`: its failures make a monitor `partial` that regions check too, and never decide whether it is down. `voting`: it ' +
      'votes as a region does. A monitor that only private locations check is decided by them alone.',
    default: 'advisory',
  }),
  notifyActionGroupIds: z
    .array(uuid)
    .max(MAX_GROUPS)
    .transform(withoutRepeats)
    .meta({ description: 'Who is notified that it is silent, and that it is back', default: [] }),
});
const { fields } = locationSettings;

export const locationCreateSchema = locationSettings.input
  .required({ name: true, slug: true })
  .meta({ id: 'PrivateLocationCreate', description: 'Fields that are left out have their default.' });
export type LocationCreateInput = z.output<typeof locationCreateSchema>;

export const locationUpdateSchema = z.strictObject(fields).partial().meta({
  id: 'PrivateLocationUpdate',
  description: 'Fields that are left out keep their value.',
});
export type LocationUpdateInput = z.output<typeof locationUpdateSchema>;

export const locationSchema = z
  .strictObject({
    id: uuid,
    ...undescribed(locationSettings.schema.shape),
    managedBy: managedBySchema,
    created: isoTimestamp,
    lastModified: isoTimestamp,
  })
  .meta({ id: 'PrivateLocation' });
export type LocationView = z.output<typeof locationSchema>;

export const locationDeleteQuery = z.strictObject({
  detach: booleanParam
    .default(false)
    .describe('Whether to take it out of the monitors that it checks; otherwise they keep it from being deleted'),
});
