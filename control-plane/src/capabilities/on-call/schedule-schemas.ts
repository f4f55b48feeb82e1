import { z } from 'zod';
import { DAY_MS } from '@watchpost/shared/time';
import {
  integerParam,
  isoTimestamp,
  nameText,
  pageQuery,
  plannedDate,
  plannedInstant,
  timeOfDay,
  uuid,
} from '../../platform/http/schemas.js';
import { timeZone } from '../workspaces/index.js';
import { READINESS_PROBLEMS } from './decide-readiness.js';
import { HOLIDAY_RULES, MAX_HOLIDAYS, ROTATION_KINDS, ROTATION_UNITS, WEEKDAYS } from './decide-rotation.js';
import { personSchema } from './team-schemas.js';

export const MAX_PARTICIPANTS = 50;
/** Overrides that a team keeps at most, past ones included. */
export const MAX_OVERRIDES = 500;
export const MAX_PREVIEW_DAYS = 366;

const rotation = z.enum(ROTATION_KINDS);
const nobodyOrPerson = personSchema.nullable().describe('null where nobody is on call');
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
    rotation: rotation
      .nullable()
      .describe('null before a rotation is set, and where the first layer has shifts of other lengths'),
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

/** Schedules of a team at most. */
export const MAX_SCHEDULES = 10;
export const MAX_LAYERS = 8;
const MAX_EVERY = 52;
const MAX_RESTRICTIONS = 20;

const layerFields = {
  name: nameText,
  rotation: z.strictObject({
    unit: z.enum(ROTATION_UNITS),
    every: z.int().min(1).max(MAX_EVERY).default(1).describe('A shift lasts this many units on the clocks of the zone'),
    handoffTime: handoffTime.default('09:00'),
    handoffDay: handoffDay.nullable().default(null).describe('Of weeks only. Default the weekday of the start date.'),
  }),
  startDate: plannedDate.describe('The first participant takes over on this day at the handoff time'),
  endDate: plannedDate.nullable().default(null).describe('The layer ends on this day at the handoff time'),
  restrictions: z
    .array(
      z.strictObject({
        days: z
          .array(z.enum(WEEKDAYS))
          .min(1)
          .max(7)
          .transform((days) => WEEKDAYS.filter((day) => days.includes(day)))
          .describe('The days on which the time begins'),
        start: timeOfDay,
        end: timeOfDay.describe('Not later than the start: at that time of the next day'),
      }),
    )
    .max(MAX_RESTRICTIONS)
    .default([])
    .describe(
      'The layer is in force only at these times; none: always. Turns count only shifts that happen inside them.',
    ),
  holidays: z
    .enum(HOLIDAY_RULES)
    .default('ignore')
    .describe(
      'Whether the layer is in force on holidays: as on other days, not, or only then. A time over midnight belongs to the day on which it begins.',
    ),
  participants: z
    .array(uuid)
    .min(1)
    .max(MAX_PARTICIPANTS)
    .describe('Active members of the team, in the order of their turns, each once'),
};

const layerInputSchema = z
  .strictObject({
    ...layerFields,
    startDate: layerFields.startDate
      .optional()
      .describe('Default the latest day that puts the first participant on call at once'),
  })
  .meta({ id: 'OnCallLayerInput' });

const layersInput = z
  .array(layerInputSchema)
  .min(1)
  .max(MAX_LAYERS)
  .describe('Where several have somebody on call, the last of them counts');
const holidayDates = z
  .array(plannedDate)
  .max(MAX_HOLIDAYS)
  .transform((dates) => [...new Set(dates)].toSorted())
  .describe('Dates in the zone of the schedule');
const holidayCalendarUrl = z
  .url()
  .max(2_000)
  .nullable()
  .describe(
    'In place of `holidays`: an iCalendar of which the events without a time of day are holidays. It is read every day; everybody who may read the schedule sees the address.',
  );

export const teamScheduleInputSchema = z
  .strictObject({
    name: nameText,
    timezone: timeZone.default('UTC'),
    layers: layersInput,
    holidays: holidayDates.default([]),
    holidayCalendarUrl: holidayCalendarUrl.default(null),
  })
  .meta({ id: 'TeamScheduleInput' });

export const teamSchedulePatchSchema = z
  .strictObject({
    name: nameText.optional(),
    timezone: timeZone.optional(),
    layers: layersInput.optional(),
    holidays: holidayDates.optional(),
    holidayCalendarUrl: holidayCalendarUrl.optional(),
  })
  .meta({ id: 'TeamSchedulePatch' });

const source = z.enum(['rotation', 'override', 'none']);

export const shiftSchema = z
  .strictObject({
    user: nobodyOrPerson,
    source,
    start: isoTimestamp,
    end: isoTimestamp,
  })
  .meta({ id: 'OnCallShift' });

export const teamScheduleSchema = z
  .strictObject({
    id: uuid,
    teamId: uuid,
    name: z.string(),
    timezone: z.string().meta({ example: 'Europe/Dublin' }),
    layers: z
      .array(z.strictObject({ ...layerFields, participants: z.array(uuid) }).meta({ id: 'OnCallLayer' }))
      .describe('Empty where only overrides are left. Turns are as those of `/schedule`.'),
    holidays: z.array(z.iso.date()).describe('Empty where they are read from a calendar'),
    holidayCalendarUrl: z.string().nullable(),
    holidayCalendar: z
      .strictObject({
        fetchedAt: isoTimestamp.nullable().describe('null before it was read'),
        fault: z
          .string()
          .nullable()
          .describe('Why it could not be read at the last attempt: the days are the former ones'),
        days: z.array(z.iso.date()).describe('From the last year to the one after the next'),
      })
      .nullable()
      .describe('What was read from the calendar'),
    unavailable: scheduleSchema.shape.unavailable,
    overrides: scheduleSchema.shape.overrides,
    planRestricted: scheduleSchema.shape.planRestricted,
    created: isoTimestamp,
    lastModified: isoTimestamp,
    nextShifts: z
      .array(shiftSchema)
      .optional()
      .describe('Only in lists with `shiftDays`: the final shifts from now on'),
  })
  .meta({ id: 'TeamSchedule' });

export const schedulesQuery = z.strictObject({
  ...pageQuery.shape,
  shiftDays: integerParam({ min: 1, max: 31 }).optional().describe('Adds `nextShifts` of so many days, 1 to 31.'),
});

export const onCallSchema = z
  .strictObject({
    user: nobodyOrPerson,
    source,
    since: isoTimestamp.nullable().describe('null where nobody has been on call before'),
    until: isoTimestamp.nullable().describe('null where nothing is planned after it'),
    next: z
      .strictObject({ user: personSchema, at: isoTimestamp })
      .nullable()
      .describe('Whose shift is next, and when it begins; null where nothing is planned'),
  })
  .meta({ id: 'OnCall' });

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

export const readinessQuery = z.strictObject({
  days: integerParam({ min: 1, max: 90 }).default(30).describe('How far ahead'),
});

export const readinessSchema = z
  .strictObject({
    start: isoTimestamp,
    end: isoTimestamp,
    user: nobodyOrPerson,
    reachableBy: z.array(z.string()).describe('The channels by which the person is paged'),
    problem: z
      .enum(READINESS_PROBLEMS)
      .nullable()
      .describe('`suspended`: the person whose turn it is is suspended, and somebody else or nobody takes the shift'),
  })
  .meta({ id: 'ShiftReadiness' });

export const reportQuery = z.strictObject({
  month: z
    .string()
    .regex(/^(?:19[7-9]\d|20\d\d|21\d\d)-(?:0[1-9]|1[0-2])$/, 'must be a month like 2026-11')
    .meta({ example: '2026-11' }),
  format: z.enum(['json', 'csv']).default('json'),
});

const reportHours = z.number().meta({ description: 'Hours, to two decimals' });
export const onCallReportSchema = z
  .strictObject({
    month: z.string(),
    timezone: z.string(),
    from: isoTimestamp,
    to: isoTimestamp.describe('The end of the month, or now where it is not over'),
    people: z
      .array(
        z.strictObject({
          user: personSchema,
          hours: z
            .strictObject({ weekday: reportHours, night: reportHours, weekend: reportHours, holiday: reportHours })
            .describe(
              'A holiday, else a weekend, else a night (22:00 to 06:00), else a weekday, in the zone of the schedule',
            ),
          totalHours: reportHours,
          pages: z.int().describe('Incidents for which the team paged the person'),
          pagesAtNight: z.int(),
          acknowledgements: z.int().describe('Of them, by the person'),
          medianSecondsToAcknowledge: z.int().nullable(),
          fairShareHours: reportHours.describe('All hours, shared equally among these people'),
          differenceHours: reportHours,
        }),
      )
      .describe('Participants, and who was on call otherwise, who are in the team now; the most hours first'),
  })
  .meta({ id: 'OnCallReport' });

/** The longest range of shifts of a workspace, days. */
const MAX_SHIFT_DAYS = 92;

/** The schedule of a shift, which a team with one does not name. */
const ofSchedule = {
  scheduleId: uuid.optional().describe('Where the team has several schedules'),
  scheduleName: z.string().optional(),
};

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
          ...ofSchedule,
          start: isoTimestamp,
          end: isoTimestamp,
        }),
      )
      .describe('In order, after all overrides, cut at the ends of the range'),
    gaps: z
      .array(z.strictObject({ start: isoTimestamp, end: isoTimestamp, ...ofSchedule }))
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
export type ReadinessView = z.output<typeof readinessSchema>;
export type OnCallReport = z.output<typeof onCallReportSchema>;
export type LayerInput = z.output<typeof layerInputSchema>;
export type TeamSchedule = z.output<typeof teamScheduleSchema>;
export type TeamScheduleInput = z.output<typeof teamScheduleInputSchema>;
export type TeamSchedulePatch = z.output<typeof teamSchedulePatchSchema>;
export type Override = z.output<typeof overrideSchema>;
export type OverrideInput = z.output<typeof overrideInputSchema>;
export type OnCall = z.output<typeof onCallSchema>;
export type OnCallShiftView = z.output<typeof shiftSchema>;
