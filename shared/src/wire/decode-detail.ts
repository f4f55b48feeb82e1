import { z } from 'zod';
import type { CheckKind } from '../check.js';
import { DNS_RECORD_TYPES, type DnsRecordType } from '../checks/dns.js';
import type { DnsDetail, SslDetail } from '../outcome.js';
import { certificateSummary, decodeJson, list, micros, moment, text } from './decode-json.js';

/** The limit of the detail of one result, bytes of JSON. */
export const MAX_DETAIL_BYTES = 65_536;

const DAYS = 5_000_000;
const isCut = z.literal(true).optional();

const sslSchema: z.ZodType<SslDetail> = z
  .object({
    kind: z.literal('ssl'),
    ...certificateSummary,
    isValid: z.boolean(),
    daysUntilExpiry: z.int().min(-DAYS).max(DAYS),
    subjectAltNames: list(text(1_024), 200),
    keyType: text(50),
    keyBits: z.int().min(0).max(1_000_000).nullable(),
    signatureAlgorithm: text(100),
    protocol: text(50),
    cipher: text(100),
    chain: list(z.object(certificateSummary), 100),
    chainTrusted: z.boolean(),
    hostnameMatches: z.boolean(),
    ocspStapled: z.boolean(),
    ocsp: z
      .object({
        status: z.enum(['good', 'revoked', 'unknown', 'unreadable']),
        thisUpdate: moment.nullable(),
        nextUpdate: moment.nullable(),
        revokedAt: moment.nullable(),
      })
      .nullable(),
    isCut,
  })
  .transform(withoutUndefined);

const values = list(text(65_536), 5_000).optional();
const records = z
  .object(Object.fromEntries(DNS_RECORD_TYPES.map((type) => [type, values])) as Record<DnsRecordType, typeof values>)
  .transform(withoutUndefined);

const failure = text(500).optional();
const failures = z
  .object(Object.fromEntries(DNS_RECORD_TYPES.map((type) => [type, failure])) as Record<DnsRecordType, typeof failure>)
  .transform(withoutUndefined);

const dnsSchema: z.ZodType<DnsDetail> = z
  .object({
    kind: z.literal('dns'),
    resolver: text(300).nullable(),
    records,
    failures: failures.optional(),
    responseUs: micros,
    propagation: z
      .object({
        consistent: z.boolean(),
        convergedPercent: z.number().min(0).max(100),
        servers: list(
          z.object({
            server: text(400),
            serial: z.int().min(0).max(0xffff_ffff).nullable(),
            records: records.nullable(),
            error: text(500).nullable(),
          }),
          100,
        ),
      })
      .nullable(),
    isCut,
  })
  .transform(withoutUndefined);

/**
 * Decodes the detail of an SSL or DNS check. Unknown fields are left out, and texts and lists are truncated to their limits.
 * @returns undefined for other kinds
 * @throws WireError for a detail that is too long or invalid
 */
export function decodeDetail(kind: CheckKind, bytes: Uint8Array): SslDetail | DnsDetail | undefined {
  if (bytes.length === 0) return undefined;
  if (kind === 'ssl') return decodeJson('detail', bytes, MAX_DETAIL_BYTES, sslSchema);
  if (kind === 'dns') return decodeJson('detail', bytes, MAX_DETAIL_BYTES, dnsSchema);
  return undefined;
}

function withoutUndefined<T extends object>(value: T) {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as {
    [Key in keyof T]: Exclude<T[Key], undefined>;
  };
}
