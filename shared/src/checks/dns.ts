import { z } from 'zod';
import { defineCheck, type TargetOf } from './define-check.js';
import { DNS_FAULTS } from './dns-faults.js';

/** Those that a check looks up unless it names others. */
export const USUAL_RECORD_TYPES = ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT'] as const;
export const DNS_RECORD_TYPES = [...USUAL_RECORD_TYPES, 'CAA', 'DS', 'HTTPS', 'PTR', 'SOA', 'SRV', 'TLSA'] as const;
export type DnsRecordType = (typeof DNS_RECORD_TYPES)[number];

const recordType = z.enum(DNS_RECORD_TYPES);
const texts = z.array(z.string());
/** `any`: at least one of the values is there; `all`: each of them is, and others may be; `exact`: these and no others. */
const expectedRecords = z.strictObject({ type: recordType, match: z.enum(['any', 'all', 'exact']), values: texts });
const USUAL_TYPES: DnsRecordType[] = [...USUAL_RECORD_TYPES];
const NO_EXPECTATIONS: z.output<typeof expectedRecords>[] = [];
const NO_TEXTS: string[] = [];

export const dnsCheck = defineCheck({
  kind: 'dns',
  code: 3,
  target: {
    hostname: z.string(),
    recordTypes: z
      .array(recordType)
      .min(1)
      .default(() => USUAL_TYPES),
    expectedRecords: z.array(expectedRecords).default(() => NO_EXPECTATIONS),
    /** `host` or `host:port`, tried in order; empty for those of the agent. */
    resolvers: texts.default(() => NO_TEXTS),
    /** Query every authoritative server of the zone, too. */
    checkPropagation: z.boolean().default(true),
    /** Whether answers are validated: only those of signed zones, or all. */
    dnssec: z.enum(['off', 'ifSigned', 'required']).default('off'),
    /** A signature must be valid for so long. */
    signatureDays: z.number().default(3),
  },
  hostOf: ({ hostname }) => hostname,
  faults: DNS_FAULTS,
});
export type DnsTarget = TargetOf<typeof dnsCheck>;
export type ExpectedRecords = DnsTarget['expectedRecords'][number];
