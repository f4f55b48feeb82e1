import { z } from 'zod';
import { isoTimestamp } from '../../platform/http/schemas.js';

export const sessionSchema = z
  .strictObject({
    id: z.uuid(),
    created: isoTimestamp,
    lastSeen: isoTimestamp.meta({ description: 'When a person used the session last, to the minute.' }),
    ends: isoTimestamp.meta({ description: 'When it ends if it is not used again.' }),
    userAgent: z.string().nullable().meta({ description: 'What the browser called itself at the sign-in.' }),
    remoteAddress: z.string().nullable().meta({ description: 'The address that the sign-in came from.' }),
    isCurrent: z.boolean().meta({ description: 'Whether this very request came by it.' }),
  })
  .meta({ id: 'Session' });

export type Session = z.output<typeof sessionSchema>;
