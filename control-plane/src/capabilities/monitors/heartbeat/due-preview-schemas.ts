import { z } from 'zod';
import { instant } from '../../../platform/http/schemas.js';
import { timeZone } from '../../workspaces/index.js';
import { cronInput, everyInput } from './heartbeat-settings-schemas.js';

const MOST_TIMES = 50;
const COUNT_FAULT = `must be a whole number from 1 to ${MOST_TIMES}`;

export const duePreviewQuery = z
  .strictObject({
    every: everyInput.optional().meta({ description: 'As in a heartbeat: this or `cron`', example: 'PT1H' }),
    cron: cronInput.optional().meta({ description: 'As in a heartbeat: this or `every`', example: '30 2 * * 1-5' }),
    timezone: timeZone.optional().meta({ description: 'Of `cron`; default: that of the workspace' }),
    from: instant.optional().meta({ description: 'The times come after this moment; default: now' }),
    count: z
      .string()
      .regex(/^0*([1-9]|[1-4]\d|50)$/, { error: COUNT_FAULT })
      .transform(Number)
      .default(5)
      .meta({ type: 'integer', minimum: 1, maximum: MOST_TIMES, default: 5, description: 'How many' }),
  })
  .superRefine(({ every, cron }, context) => {
    if ((every === undefined) !== (cron === undefined)) return;
    context.addIssue({ code: 'custom', path: ['cron'], message: 'must be given where `every` is not, and only there' });
  });
export type DuePreviewInput = z.output<typeof duePreviewQuery>;
