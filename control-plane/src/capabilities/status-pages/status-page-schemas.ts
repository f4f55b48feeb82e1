import { managedBySchema } from '../../platform/documents/managed-by.js';
import { parseUrl } from '@watchpost/shared/parse-url';
import { z } from 'zod';
import { defineSettings, undescribed } from '../../platform/http/define-settings.js';
import { PUBLIC_STATUSES } from '@watchpost/shared/design/states';
import { hasCredentials, isoTimestamp, nameText, pageQuery, uuid } from '../../platform/http/schemas.js';

export const OVERRIDE_STATUSES = ['operational', 'degraded', 'partialOutage', 'majorOutage', 'maintenance'] as const;
export type OverrideStatus = (typeof OVERRIDE_STATUSES)[number];
export const THEMES = ['light', 'dark', 'auto'] as const;
export type Theme = (typeof THEMES)[number];
export const SLUG = /^[a-z0-9-]{3,63}$/;
const MAX_GROUPS = 50;
/** Systems per status page, over all groups. Bounds the cost of a visitor's request. */
export const MAX_SYSTEMS = 100;

export const slugText = z
  .string()
  .regex(SLUG, { error: 'must have 3 to 63 characters out of a-z, 0-9 and the hyphen' })
  .meta({ description: 'The address of the public page, one for all workspaces.', example: 'acme' });

/** Names of letters, digits and hyphens, and IPv4 addresses: the host sources that a Content-Security-Policy permits. */
const HOST = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.?$/i;

const webAddress = z
  .url({
    protocol: /^https?$/,
    hostname: HOST,
    error: 'must be an http:// or https:// URL with a host name of letters, digits, hyphens and dots',
  })
  .max(2_048)
  // Visitors would read them, and browsers refuse or strip them.
  .refine((url) => !hasCredentials(url), { error: 'must not contain credentials' });

/** The origin of a picture as a source of a Content-Security-Policy; null for one that would change the policy. */
export function pictureSource(imageUrl: string): string | null {
  const url = parseUrl(imageUrl);
  return url && /^https?:$/.test(url.protocol) && HOST.test(url.hostname) ? url.origin : null;
}

export const bannerSchema = z
  .strictObject({ imageUrl: z.string(), linkUrl: z.string().nullable(), altText: z.string() })
  .meta({ id: 'StatusPageBanner' });
export type Banner = z.output<typeof bannerSchema>;

const bannerInput = z
  .strictObject({
    imageUrl: webAddress.meta({ example: 'https://acme.example/banner.png' }),
    linkUrl: webAddress.nullable().default(null),
    altText: z.string().trim().max(200).default(''),
  })
  .meta({ id: 'StatusPageBannerInput' });

const systemSchema = z
  .strictObject({
    id: uuid,
    name: z.string(),
    monitorId: uuid.nullable(),
    serviceGroupId: uuid.nullable(),
    overrideStatus: z.enum(OVERRIDE_STATUSES).nullable(),
    overrideMessage: z.string().nullable(),
  })
  .meta({ id: 'StatusPageSystem' });

export const statusPageSummarySchema = z
  .strictObject({
    statusPageId: uuid,
    overallStatus: z
      .enum(PUBLIC_STATUSES)
      .describe(
        'As visitors see it, or would where the page is not published; `unknown` also where it shows no system',
      ),
    subscribers: z.int().min(0).describe('Those who confirmed their address'),
    openPosts: z.int().min(0).describe('Posts that are not resolved'),
  })
  .meta({ id: 'StatusPageSummary' });
export type StatusPageSummary = z.output<typeof statusPageSummarySchema>;

const systemInput = z
  .strictObject({
    id: uuid
      .optional()
      .meta({ description: 'Of a system that the page has already; it keeps its id by its target too.' }),
    name: nameText.meta({ description: 'What visitors read.', example: 'Shop' }),
    monitorId: uuid.nullish(),
    serviceGroupId: uuid.nullish(),
    overrideStatus: z
      .enum(OVERRIDE_STATUSES)
      .nullish()
      .meta({ description: 'Replaces the status from the checks; null removes it.' }),
    overrideMessage: z.string().trim().min(1).max(1_000).nullish(),
  })
  .superRefine(({ monitorId, serviceGroupId }, context) => {
    if ((monitorId ?? null) === null ? (serviceGroupId ?? null) !== null : (serviceGroupId ?? null) === null) return;
    context.addIssue({
      code: 'custom',
      path: ['monitorId'],
      message: 'must be given, or `serviceGroupId` must, and not both',
    });
  })
  .meta({ id: 'StatusPageSystemInput' });
export type SystemInput = z.output<typeof systemInput>;

const groupsInput = z
  .array(
    z
      .strictObject({
        name: nameText.meta({ example: 'Public sites' }),
        systems: z.array(systemInput).max(MAX_SYSTEMS),
      })
      .meta({ id: 'StatusPageGroupInput' }),
  )
  .max(MAX_GROUPS)
  .superRefine((groups, context) => {
    const count = groups.reduce((sum, { systems }) => sum + systems.length, 0);
    if (count <= MAX_SYSTEMS) return;
    context.addIssue({ code: 'custom', message: `must hold at most ${MAX_SYSTEMS} systems in all` });
  })
  .meta({ description: 'What the page shows, in order; given, it replaces all groups.' });
export type GroupsInput = z.output<typeof groupsInput>;

export const statusPageSettings = defineSettings('StatusPageSettings', 'A status page.', {
  name: nameText.meta({ example: 'Acme' }),
  slug: slugText,
  description: z.string().trim().max(2_000),
  isPublished: z.boolean().meta({ description: 'An unpublished page is not found by the public.' }),
  showIncidentHistory: z.boolean(),
  notifyIncidents: z.boolean().meta({ description: 'Whether subscribers hear of outages too, and not only of posts.' }),
  banner: bannerInput.nullable().meta({ description: 'Needs a paid plan.' }),
  theme: z.enum(THEMES),
  groups: groupsInput,
});
const { fields } = statusPageSettings;

export const statusPageSchema = z
  .strictObject({
    id: uuid,
    ...undescribed(statusPageSettings.schema.shape),
    banner: bannerSchema.nullable(),
    groups: z.array(
      z.strictObject({ name: z.string(), systems: z.array(systemSchema) }).meta({ id: 'StatusPageGroup' }),
    ),
    managedBy: managedBySchema,
    created: isoTimestamp,
    lastModified: isoTimestamp,
  })
  .meta({ id: 'StatusPage' });
export type StatusPageView = z.output<typeof statusPageSchema>;

export const statusPageCreateSchema = z
  .strictObject({
    ...fields,
    description: fields.description.default(''),
    isPublished: fields.isPublished.default(false),
    showIncidentHistory: fields.showIncidentHistory.default(true),
    notifyIncidents: fields.notifyIncidents.default(false),
    banner: fields.banner.default(null),
    theme: fields.theme.default('auto'),
    groups: fields.groups.default([]),
  })
  .meta({ id: 'StatusPageCreate' });
export type StatusPageCreateInput = z.output<typeof statusPageCreateSchema>;

export const statusPageUpdateSchema = z
  .strictObject(fields)
  .partial()
  .meta({ id: 'StatusPageUpdate', description: 'Fields that are left out keep their value.' });
export type StatusPageUpdateInput = z.output<typeof statusPageUpdateSchema>;

export const statusPageListQuery = z.strictObject({ ...pageQuery.shape });
