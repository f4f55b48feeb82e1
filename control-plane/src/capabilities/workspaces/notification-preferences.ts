import { z } from 'zod';
import { invalidFields } from '@watchpost/shared/fault';
import { describeIssues, issueSentence } from '../../platform/http/reading/describe-issues.js';
import { mergePatch } from '../../platform/http/merge-patch.js';
import { timeZone } from './time-zone.js';

const phoneNumber = z
  .string()
  .regex(/^\+[1-9]\d{6,14}$/, { error: 'must be an E.164 phone number, like +353871234567' })
  .meta({ description: 'E.164', example: '+353871234567' });
const localTime = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'must be a time of day from 00:00 to 23:59' })
  .meta({ example: '22:00' });

const quietHours = z.strictObject({ start: localTime, end: localTime, timezone: timeZone });

const fields = {
  email: z.boolean().meta({ description: 'Notify by email' }),
  sms: z.boolean().meta({ description: 'Notify by SMS; needs a phone number' }),
  phoneNumber: phoneNumber.nullable(),
  quietHours: quietHours.nullable().meta({
    description:
      "No notifications between these local times; where `end` is not later than `start`, it is the next day's. Pages for an open incident ignore them.",
  }),
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
  })
  .meta({ id: 'NotificationPreferencesPatch' });

const DEFAULTS: NotificationPreferences = { email: true, sms: false, phoneNumber: null, quietHours: null };

const whole = notificationPreferencesSchema
  .refine(({ sms, phoneNumber: number }) => !sms || number !== null, {
    path: ['phoneNumber'],
    error: 'is needed for notifications by SMS',
  })
  .refine(({ quietHours: hours }) => hours === null || hours.start !== hours.end, {
    path: ['quietHours', 'end'],
    error: 'must not be the same as `start`',
  });

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
