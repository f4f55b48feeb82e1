import { z } from 'zod';

const packets = z.int().min(0).max(20);
const ms = z
  .number()
  .min(0)
  .max(3_600_000)
  .nullable()
  .meta({ description: 'ms; null without an answer', example: 12.6 });

/** What became of the packets of a ping, in findings and answers. */
export const pingFigures = z
  .strictObject({
    sent: packets,
    received: packets.describe('Late and duplicate answers do not count'),
    minMs: ms,
    averageMs: ms,
    maxMs: ms,
    stddevMs: ms,
  })
  .meta({ id: 'PingFigures' });
