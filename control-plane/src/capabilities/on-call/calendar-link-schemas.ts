import { z } from 'zod';
import { isoTimestamp, nameText, uuid } from '../../platform/http/schemas.js';

const fields = {
  id: uuid,
  userId: uuid.describe('Whose link it is: it ends with the membership'),
  name: z.string(),
  created: isoTimestamp,
  lastRead: isoTimestamp.nullable().describe('When a calendar program read it last, to the hour; null: never'),
};

export const calendarLinkSchema = z.strictObject(fields).meta({ id: 'CalendarLink' });

export const newCalendarLinkSchema = z
  .strictObject({
    ...fields,
    url: z
      .url()
      .describe(
        'For the calendar program. Everybody with it can read this calendar and nothing else. It is shown only once.',
      ),
  })
  .meta({ id: 'NewCalendarLink' });

export const calendarLinkInputSchema = z
  .strictObject({
    name: nameText.default('Calendar').describe('Distinguishes links, for example "My phone"'),
  })
  .meta({ id: 'CalendarLinkInput' });

export type CalendarLink = z.output<typeof calendarLinkSchema>;
export type NewCalendarLink = z.output<typeof newCalendarLinkSchema>;
export type CalendarLinkInput = z.output<typeof calendarLinkInputSchema>;
