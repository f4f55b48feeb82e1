import { z } from 'zod';

/** Sentences about addresses that failed on the way to a connection, or were left out. */
export const addressWarnings = z.array(z.string()).meta({
  description:
    'Addresses of the name that failed or did not answer before another one accepted the connection, and what a check of each address left out; as sentences, at most 10',
  example: ['The server at [2001:db8::1]:443 refused the connection.'],
});

/** The fields of one address, as a check of each found it. */
export const addressFields = {
  address: z.string().meta({ description: 'Without the port', example: '2001:db8::1' }),
  status: z
    .enum(['available', 'unavailable', 'notChecked'])
    .describe('`notChecked`: the agent has no route to its family'),
  responseTime: z.number().nullable().meta({ description: 'ms; null where it was not checked', example: 128.4 }),
};
