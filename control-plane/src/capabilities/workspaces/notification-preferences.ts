import { z } from 'zod';
import { formatDuration } from '@watchpost/shared/duration';
import { invalidFields } from '@watchpost/shared/fault';
import { DAY_MS } from '@watchpost/shared/time';
import { describeIssues, issueSentence } from '../../platform/http/reading/describe-issues.js';
import { mergePatch } from '../../platform/http/merge-patch.js';
import { durationSchema, isoDuration } from '../../platform/http/schemas.js';
import { timeZone } from './time-zone.js';

const phoneNumber = z
  .string()
  .regex(/^\+[1-9]\d{6,14}$/, { error: 'must be an E.164 phone number, like +353871234567' })
  .meta({ description: 'E.164', example: '+353871234567' });
const localTime = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'must be a time of day from 00:00 to 23:59' })
  .meta({ example: '22:00' });

/** The services at which a person has an address that is proven by a code. */
export const CONTACT_METHOD_TYPES = ['telegram', 'ntfy', 'pushover'] as const;
export type ContactMethodType = (typeof CONTACT_METHOD_TYPES)[number];
export const OWN_CHANNELS = ['email', 'sms', 'voice', ...CONTACT_METHOD_TYPES] as const;
/** A way in which a person is paged. */
export type OwnChannel = (typeof OWN_CHANNELS)[number];

const MAX_RULES = 10;
const rule = { channel: z.enum(OWN_CHANNELS) };
const rules = z
  .array(z.strictObject({ after: durationSchema({ minMs: 0, maxMs: DAY_MS }).transform(formatDuration), ...rule }))
  .max(MAX_RULES)
  .refine((all) => new Set(all.map(({ after, channel }) => `${after} ${channel}`)).size === all.length, {
    error: 'must not contain a rule twice',
  });
const RULES = {
  description:
    'When I am paged by which channel, counted from the beginning of my page, until somebody acknowledges, the incident ends, or somebody else is paged. They take the place of `email` and `sms`; null: those two apply.',
};

const quietHours = z.strictObject({ start: localTime, end: localTime, timezone: timeZone });

const fields = {
  email: z.boolean().meta({ description: 'Notify by email' }),
  sms: z.boolean().meta({ description: 'Notify by SMS; needs a phone number' }),
  phoneNumber: phoneNumber.nullable(),
  quietHours: quietHours.nullable().meta({
    description:
      "No notifications between these local times; where `end` is not later than `start`, it is the next day's. Pages for an open incident ignore them.",
  }),
  rules: rules.nullable().meta(RULES),
  shiftReminders: z.boolean().meta({ description: 'A mail 24 hours before my shifts, and when they begin' }),
};

export const notificationPreferencesSchema = z.strictObject(fields);
/** As answered by REST. */
export const shownPreferencesSchema = z
  .strictObject({
    ...fields,
    phoneNumber: z.string().nullable().meta({
      description: 'E.164; of somebody else whole for Admins only, `+35***67` for others',
      example: '+353871234567',
    }),
    rules: z
      .array(z.strictObject({ after: isoDuration, ...rule }))
      .nullable()
      .meta(RULES),
  })
  .meta({ id: 'NotificationPreferences' });
export type NotificationPreferences = z.output<typeof notificationPreferencesSchema>;

/** As stored; fields that were never set are absent. */
export type StoredNotificationPreferences = Partial<NotificationPreferences>;

/** A merge patch; null resets a field. */
export const notificationPreferencesPatch = z
  .strictObject({
    email: fields.email.nullable().optional(),
    sms: fields.sms.nullable().optional(),
    phoneNumber: fields.phoneNumber.optional(),
    quietHours: z
      .strictObject({ start: localTime, end: localTime, timezone: timeZone })
      .partial()
      .nullable()
      .optional(),
    rules: fields.rules.optional(),
    shiftReminders: fields.shiftReminders.nullable().optional(),
  })
  .meta({ id: 'NotificationPreferencesPatch' });

const DEFAULTS: NotificationPreferences = {
  email: true,
  sms: false,
  phoneNumber: null,
  quietHours: null,
  rules: null,
  shiftReminders: true,
};

const whole = notificationPreferencesSchema
  .refine(({ sms, phoneNumber: number }) => !sms || number !== null, {
    path: ['phoneNumber'],
    error: 'is needed for notifications by SMS',
  })
  .refine(({ rules: own, phoneNumber: number }) => number !== null || !own?.some(({ channel }) => isByPhone(channel)), {
    path: ['rules'],
    error: 'needs a phone number for SMS and calls',
  })
  .refine(({ quietHours: hours }) => hours === null || hours.start !== hours.end, {
    path: ['quietHours', 'end'],
    error: 'must not be the same as `start`',
  });

export function isByPhone(channel: OwnChannel): boolean {
  return channel === 'sms' || channel === 'voice';
}

export function withDefaults(stored: StoredNotificationPreferences): NotificationPreferences {
  return { ...DEFAULTS, ...stored };
}

/**
 * Applies a merge patch to notification preferences.
 * @param patch as parsed by `notificationPreferencesPatch`
 * @throws Fault `validation_failed` where the result would contradict itself
 */
export function patchNotificationPreferences(
  stored: StoredNotificationPreferences,
  patch: z.output<typeof notificationPreferencesPatch>,
): NotificationPreferences {
  const merged = { ...DEFAULTS, ...(mergePatch(withDefaults(stored), patch) as StoredNotificationPreferences) };
  const parsed = whole.safeParse(merged, { error: issueSentence, reportInput: true });
  if (parsed.success) return parsed.data;
  const details = describeIssues(parsed.error.issues).map((detail) => ({
    ...detail,
    path: `notificationPreferences.${detail.path}`,
  }));
  throw invalidFields(details);
}
