import { z } from 'zod';
import { isoTimestamp, plannedInstant, uuid } from '../../platform/http/schemas.js';

const SWAP_STATES = ['open', 'taken', 'declined', 'expired', 'withdrawn', 'void'] as const;
export type SwapState = (typeof SWAP_STATES)[number];

export const swapSchema = z
  .strictObject({
    id: uuid,
    scheduleId: uuid,
    userId: uuid.describe('The person on that shift'),
    withUserId: uuid.nullable().describe('The person who is asked; null: everybody of the team'),
    takenBy: uuid.nullable(),
    state: z
      .enum(SWAP_STATES)
      .describe(
        '`expired`: nobody had taken it when the shift began. `void`: a change of the schedule or of the team left no such shift.',
      ),
    shiftStart: isoTimestamp.describe('Of the shift as it is now: a swap follows its shift'),
    shiftEnd: isoTimestamp,
    created: isoTimestamp,
    lastModified: isoTimestamp,
  })
  .meta({ id: 'OnCallSwap' });

export const swapInputSchema = z
  .strictObject({
    shiftStart: plannedInstant.describe('Of one of your own coming shifts, whole'),
    shiftEnd: plannedInstant,
    withUserId: uuid.nullable().default(null).describe('An active member of the team; null asks everybody'),
  })
  .refine(({ shiftStart, shiftEnd }) => shiftStart < shiftEnd, {
    path: ['shiftEnd'],
    error: 'must be later than `shiftStart`',
  })
  .meta({ id: 'OnCallSwapInput' });

export type Swap = z.output<typeof swapSchema>;
export type SwapInput = z.output<typeof swapInputSchema>;
