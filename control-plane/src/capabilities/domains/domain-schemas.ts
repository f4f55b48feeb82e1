import { z } from 'zod';
import { isoTimestamp, uuid } from '../../platform/http/schemas.js';
import { DOMAIN_STATES } from './decide-domain.js';

export const domainStatusSchema = z
  .strictObject({
    monitorId: uuid,
    domain: z.string().meta({ example: 'example.com' }),
    state: z
      .enum(DOMAIN_STATES)
      .nullable()
      .describe(
        'By the settings of the monitor. `notOffered` (the registry names no expiry by RDAP) and `unreachable` mean that it is not known. null before the first answer, and once the registry was not asked for a day longer than planned',
      ),
    expiresAt: isoTimestamp.nullable().describe('null where no date is known'),
    registrar: z.string().nullable(),
    statuses: z.array(z.string()).describe('In the words of RDAP, such as `client hold`'),
    nameServers: z.array(z.string()),
    source: z.string().nullable().describe('The RDAP URL that was asked'),
    checkedAt: isoTimestamp
      .nullable()
      .describe(
        'The latest query; each domain has at most one in 12 hours, and a second one after 6 hours where an alarm depends on it',
      ),
  })
  .meta({ id: 'DomainStatus' });
export type DomainStatusView = z.output<typeof domainStatusSchema>;
