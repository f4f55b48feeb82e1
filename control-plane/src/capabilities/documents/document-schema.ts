import { z } from 'zod';
import { KEY } from './sections.js';

export const API_VERSION = 'watchpost/v1';

export const keyText = z.string().regex(KEY, {
  error: 'must begin with a letter or digit and have up to 100 letters, digits, dots, hyphens and underscores',
});

const fields = z.record(z.string(), z.unknown());
const section = z.record(keyText, fields).default({});

/** The frame of a document. The fields of its objects are validated as REST validates them. */
export const documentSchema = z.strictObject({
  apiVersion: z.literal(API_VERSION),
  project: keyText,
  defaults: fields.default({}),
  serviceGroups: section,
  actionGroups: section,
  privateLocations: section,
  monitors: section,
  statusPages: section,
  maintenanceWindows: section,
  teams: section,
});
export type ConfigDocument = z.output<typeof documentSchema>;
