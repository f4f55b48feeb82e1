import { z } from 'zod';
import { DNS_RECORD_TYPES } from '@watchpost/shared/checks/dns';
import { isoDuration, isoTimestamp, shownPlace } from '../../../platform/http/schemas.js';

const values = z.array(z.string());
const records = z
  .partialRecord(z.enum(DNS_RECORD_TYPES), values)
  .meta({ id: 'DnsRecords', description: 'By record type, sorted', example: { A: ['203.0.113.7'] } });

const failures = z.partialRecord(z.enum(DNS_RECORD_TYPES), z.string()).meta({
  description: 'Why the record types that are not in `records` could not be looked up',
  example: { AAAA: 'SERVFAIL' },
});

const server = z
  .strictObject({
    server: z.string().meta({ example: 'ns1.example.com (192.0.2.53)' }),
    serial: z.int().min(0).nullable().describe('Of the zone, on this server'),
    records: records.nullable().describe('Of the types that it answered'),
    error: z.string().nullable().describe('Why it did not answer, or not for some of the types'),
  })
  .meta({ id: 'DnsServer' });

const change = z
  .strictObject({ type: z.enum(DNS_RECORD_TYPES), added: values, removed: values })
  .meta({ id: 'DnsChange' });
export type DnsChange = z.output<typeof change>;

export const dnsHistoryEntrySchema = z
  .strictObject({
    checkedAt: isoTimestamp,
    ...shownPlace,
    resolver: z.string().nullable().describe('The resolver that answered; null where none did'),
    records,
    failures,
    responseTime: z.number().min(0).nullable().describe('ms; null where no resolver answered'),
    changed: z
      .boolean()
      .describe('Whether it changes what is known of the name in this region; order and TTL do not count'),
    changes: z
      .array(change)
      .describe(
        'A value that was seen within 24 hours is not added again; one is removed when 10 answers in a row were without it',
      ),
    propagation: z
      .strictObject({
        consistent: z.boolean(),
        convergedPercent: z.number().min(0).max(100),
        servers: z.array(server),
      })
      .nullable()
      .describe('The answer of every authoritative server of the zone; null where they were not queried'),
    failureReason: z.string().nullable().describe('null where the check succeeded'),
  })
  .meta({ id: 'DnsHistoryEntry' });
export type DnsHistoryEntryView = z.output<typeof dnsHistoryEntrySchema>;

export const dnsHistorySchema = z
  .strictObject({
    schedule: z.strictObject({
      checkInterval: isoDuration,
      lastChecked: isoTimestamp.nullable(),
      nextCheck: isoTimestamp.nullable().describe('null while none is scheduled'),
    }),
    history: z.array(dnsHistoryEntrySchema).describe('Newest first'),
  })
  .meta({ id: 'DnsHistory' });
export type DnsHistoryView = z.output<typeof dnsHistorySchema>;
