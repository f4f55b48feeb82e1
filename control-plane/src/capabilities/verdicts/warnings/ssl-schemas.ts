import { z } from 'zod';
import { isoTimestamp, pageQuery, timeRangeQuery, uuid, shownRegion } from '../../../platform/http/schemas.js';

const certificate = z
  .strictObject({
    subject: z.string().meta({ example: 'CN=shop.example' }),
    issuer: z.string(),
    serialNumber: z.string(),
    validFrom: isoTimestamp,
    validTo: isoTimestamp,
    fingerprint256: z.string().describe('Upper-case hex pairs with colons'),
  })
  .meta({ id: 'Certificate' });

export const sslResultSchema = z
  .strictObject({
    checkedAt: isoTimestamp.nullable(),
    isValid: z
      .boolean()
      .nullable()
      .describe('Trusted, valid for this host, and within its validity period; null where no certificate was read'),
    daysUntilExpiry: z.int().nullable().describe('Whole days, rounded down; negative once it has expired'),
    subject: z.string().nullable(),
    issuer: z.string().nullable(),
    subjectAltNames: z.array(z.string()).nullable(),
    serialNumber: z.string().nullable(),
    validFrom: isoTimestamp.nullable(),
    validTo: isoTimestamp.nullable(),
    fingerprint256: z.string().nullable(),
    keyType: z.string().nullable(),
    keyBits: z.int().nullable(),
    signatureAlgorithm: z.string().nullable(),
    protocol: z.string().nullable(),
    cipher: z.string().nullable(),
    chain: z.array(certificate).nullable().describe('Leaf first, as sent by the server, and the trusted root'),
    chainTrusted: z.boolean().nullable(),
    hostnameMatches: z.boolean().nullable(),
    ocspStapled: z.boolean().nullable(),
    failureReason: z.string().nullable().describe('null where the check succeeded'),
    region: shownRegion.nullable(),
  })
  .meta({ id: 'SslResult' });
export type SslResultView = z.output<typeof sslResultSchema>;

/** The same of a monitor; before its first check every field but `monitorId` is null. */
export const sslStatusSchema = z.strictObject({ monitorId: uuid, ...sslResultSchema.shape }).meta({ id: 'SslStatus' });
export type SslStatusView = z.output<typeof sslStatusSchema>;

export const checkHistoryQuery = z.strictObject({ ...pageQuery.shape, ...timeRangeQuery.shape });
