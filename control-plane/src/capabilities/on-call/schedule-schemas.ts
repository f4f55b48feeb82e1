import { z } from 'zod';
import { DAY_MS } from '@watchpost/shared/time';
import { isoTimestamp, plannedDate, plannedInstant, timeOfDay, uuid } from '../../platform/http/schemas.js';
import { timeZone } from '../workspaces/index.js';
import { ROTATION_KINDS, WEEKDAYS } from './decide-rotation.js';
import { personSchema } from './team-schemas.js';

export const MAX_PARTICIPANTS = 50;
/** Overrides that a team keeps at most, past ones included. */
export const MAX_OVERRIDES = 500;
export const MAX_PREVIEW_DAYS = 366;

const rotation = z.enum(ROTATION_KINDS);
const handoffTime = timeOfDay.meta({
  description:
    "On the clocks of the schedule's zone. Where clocks skip it, the handoff is as much later; where it comes twice, the first counts.",
  example: '09:00',
});
const handoffDay = z.enum(WEEKDAYS).meta({ description: 'Of a weekly rotation' });

export const overrideSchema = z
  .strictObject({
    id: uuid,
    userId: uuid,
    start: isoTimestamp,
    end: isoTimestamp,
    reason: z.string().nullable(),
    created: isoTimestamp,
    lastModified: isoTimestamp,
  })
  .meta({ id: 'OnCallOverride' });

export const scheduleSchema = z
  .strictObject({
    teamId: uuid,
    rotation: rotation.nullable(),
    timezone: z.string().nullable().meta({ example: 'Europe/Dublin' }),
    handoffTime: handoffTime.nullable(),
    handoffDay: handoffDay.nullable(),
    startDate: z.iso.date().nullable(),
    participants: z
      .array(uuid)
      .nullable()
      .describe(
        'In the order of their turns. The turn of a participant who has left the team goes to the next one, and nobody else’s turn moves, until participants are set again.',
      ),
    unavailable: z
      .array(uuid)
      .describe('Participants who are suspended in the workspace: meanwhile the next one takes their shifts.'),
    overrides: z.array(overrideSchema).describe('By their start. Where two overlap, the latest created wins.'),
    planRestricted: z
      .boolean()
      .describe(
        'Whether the plan has no rotations, or not this team, so that what is set here is kept and nobody is on call.',
      ),
    created: isoTimestamp.nullable(),
    lastModified: isoTimestamp.nullable(),
  })
  .meta({ id: 'OnCallSchedule' });

export const scheduleInputSchema = z
  .strictObject({
    rotation: rotation.optional().describe('Must be there the first time'),
    timezone: timeZone.optional().describe('Default UTC'),
    handoffTime: handoffTime.optional().describe('Default 09:00'),
    handoffDay: handoffDay
      .nullable()
      .optional()
      .describe('Of a weekly rotation only. Default the weekday of the start date.'),
    startDate: plannedDate
      .optional()
      .describe(
        'The first participant takes over on this day at the handoff time. Default the latest such day that puts the first participant on call at once.',
      ),
    participants: z
      .array(uuid)
      .min(1)
      .max(MAX_PARTICIPANTS)
      .optional()
      .describe('Active members of the team, in the order of their turns, each once. Must be there the first time.'),
  })
  .meta({ id: 'OnCallScheduleInput' });

export const overrideInputSchema = z
  .strictObject({
    userId: uuid.describe('An active member of the team'),
    start: plannedInstant,
    end: plannedInstant,
    reason: z.string().trim().max(1_000).nullable().default(null),
  })
  .refine(({ start, end }) => start < end, { path: ['end'], error: 'must be later than `start`' })
  .meta({ id: 'OnCallOverrideInput' });

const source = z.enum(['rotation', 'override', 'none']);

export const onCallSchema = z
  .strictObject({
    user: personSchema.nullable().describe('null where nobody is on call'),
    source,
    since: isoTimestamp.nullable().describe('null where nobody has been on call before'),
    until: isoTimestamp.nullable().describe('null where nothing is planned after it'),
    next: z
      .strictObject({ user: personSchema, at: isoTimestamp })
      .nullable()
      .describe('Whose shift is next, and when it begins; null where nothing is planned'),
  })
  .meta({ id: 'OnCall' });

export const shiftSchema = z
  .strictObject({
    user: personSchema.nullable().describe('null where nobody is on call'),
    source,
    start: isoTimestamp,
    end: isoTimestamp,
  })
  .meta({ id: 'OnCallShift' });

export const onCallQuery = z.strictObject({ at: plannedInstant.optional().describe('Default now') });

export const previewQuery = z
  .strictObject({
    startDate: plannedInstant.optional().describe('Default now'),
    endDate: plannedInstant.optional().describe('Default 28 days after the start'),
  })
  .refine(({ startDate, endDate }) => !startDate || !endDate || endDate - startDate <= MAX_PREVIEW_DAYS * DAY_MS, {
    path: ['endDate'],
    error: `must be at most ${MAX_PREVIEW_DAYS} days after \`startDate\``,
  });

/** The longest range of shifts of a workspace, days. */
const MAX_SHIFT_DAYS = 92;

export const teamShiftsSchema = z
  .strictObject({
    teamId: uuid,
    teamName: z.string(),
    planRestricted: z
      .boolean()
      .describe('Whether the plan has no rotations, or not this team, so that nobody is on call'),
    shifts: z
      .array(
        z.strictObject({
          user: personSchema,
          isMine: z.boolean().describe('Whether the caller is on call'),
          source: z.enum(['rotation', 'override']),
          start: isoTimestamp,
          end: isoTimestamp,
        }),
      )
      .describe('In order, after all overrides, cut at the ends of the range'),
    gaps: z
      .array(z.strictObject({ start: isoTimestamp, end: isoTimestamp }))
      .describe('The rest of the range: nobody is on call'),
  })
  .meta({ id: 'TeamShifts' });

export const shiftsQuery = z
  .strictObject({
    startDate: plannedInstant.describe('Where the range begins'),
    endDate: plannedInstant.describe(`Where it ends, at most ${MAX_SHIFT_DAYS} days later`),
    teamId: uuid.optional().describe('Only this team. Default all teams of the workspace, by name, at most 200'),
  })
  .refine(({ startDate, endDate }) => endDate - startDate <= MAX_SHIFT_DAYS * DAY_MS, {
    path: ['endDate'],
    error: `must be at most ${MAX_SHIFT_DAYS} days after \`startDate\``,
  });

export type TeamShiftsView = z.output<typeof teamShiftsSchema>;
export type Schedule = z.output<typeof scheduleSchema>;
export type ScheduleInput = z.output<typeof scheduleInputSchema>;
export type Override = z.output<typeof overrideSchema>;
export type OverrideInput = z.output<typeof overrideInputSchema>;
export type OnCall = z.output<typeof onCallSchema>;
export type OnCallShiftView = z.output<typeof shiftSchema>;
