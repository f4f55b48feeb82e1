import { z } from 'zod';
import { REGIONS } from '@watchpost/shared/region';

// The parts of an incident's `context` that the document shows. Older or truncated contexts have fewer of them.
const text = z.string();
/** Names of regions and record types are never longer. */
const label = z.string().max(40);
const milliseconds = z.number().nonnegative();

const certificateSchema = z.object({
  subject: text,
  issuer: text,
  validFrom: text,
  validTo: text,
  serialNumber: text.catch(''),
  fingerprint256: text.catch(''),
});
const evidenceSchema = z.object({
  hops: z
    .array(z.object({ url: text, statusCode: z.number().nullable().catch(null) }))
    .optional()
    .catch(undefined),
  headers: z.record(text, text).optional().catch(undefined),
  notes: z.array(text).optional().catch(undefined),
  bodyStart: text.optional().catch(undefined),
  certificate: certificateSchema.optional().catch(undefined),
  resolved: z.array(text).optional().catch(undefined),
  received: text.optional().catch(undefined),
});
const failureSchema = z.object({
  region: label,
  scheduledAt: text,
  startedAt: text.optional().catch(undefined),
  phase: label.catch(''),
  reason: text.catch(''),
  message: text,
  statusCode: z.number().nullable().catch(null),
  address: text.nullable().catch(null),
  responseTime: milliseconds.nullable().catch(null),
  timings: z
    .object({
      dns: milliseconds,
      connect: milliseconds,
      tls: milliseconds,
      firstByte: milliseconds,
      transfer: milliseconds,
    })
    .nullable()
    .catch(null),
  evidence: evidenceSchema.nullable().catch(null),
});
const opinionSchema = z.object({
  region: label,
  askedAt: text,
  outcome: z.enum(['up', 'down', 'inconclusive']),
  message: text.nullable().catch(null),
  statusCode: z.number().nullable().catch(null),
  responseTime: milliseconds.nullable().catch(null),
});
const seenCertificateSchema = z.object({
  subject: text,
  issuer: text,
  validFrom: text,
  validTo: text,
  daysUntilExpiry: z.number().nullable().catch(null),
  subjectAltNames: z.array(text).nullable().catch(null),
  fingerprint256: text.nullable().catch(null),
  protocol: text.nullable().catch(null),
  chain: z.array(certificateSchema).nullable().catch(null),
  chainTrusted: z.boolean().nullable().catch(null),
  hostnameMatches: z.boolean().nullable().catch(null),
  region: label.nullable().catch(null),
});
const recordsSchema = z.record(label, z.array(text)).catch({});
const dnsSchema = z.object({
  region: label,
  before: z.object({ checkedAt: text, records: recordsSchema }).nullable().catch(null),
  after: z
    .object({
      resolver: text.nullable().catch(null),
      records: recordsSchema,
      failures: z.record(label, text).catch({}),
      propagation: z
        .object({
          consistent: z.boolean(),
          servers: z.array(
            z.object({ server: text, serial: z.number().nullable().catch(null), error: text.nullable().catch(null) }),
          ),
        })
        .nullable()
        .catch(null),
    })
    .nullable()
    .catch(null),
  changes: z.array(z.object({ type: label, added: z.array(text), removed: z.array(text) })).catch([]),
});
const latencySchema = z.object({
  thresholdMs: milliseconds,
  percentile: z.number(),
  value: milliseconds.nullable().catch(null),
  regions: z
    .array(z.object({ region: label, value: milliseconds }))
    .max(REGIONS.length)
    .catch([]),
});

export type ReadFailure = z.output<typeof failureSchema>;
export type ReadOpinion = z.output<typeof opinionSchema>;
export type ReadCertificate = z.output<typeof certificateSchema>;
export type CheckedCertificate = z.output<typeof seenCertificateSchema>;
export type ReadDnsAnswer = z.output<typeof dnsSchema>;
export type ReadLatency = z.output<typeof latencySchema>;

const moment = z.string().refine(isMoment).nullable().catch(null);
const reportSchema = z.object({
  kind: z.enum(['reported', 'late', 'overrun']),
  at: moment,
  exitCode: z.number().nullable().catch(null),
  rid: z.string().nullable().catch(null),
  runtimeMs: z.number().nullable().catch(null),
  body: z.string().nullable().catch(null),
  expectedBy: moment,
  lastSuccess: moment,
  started: moment,
});
/** What a job reported, or until when it should have. */
export type ReadReport = z.output<typeof reportSchema>;

export interface EvidenceRead {
  /** Time of the first failure, ISO 8601; null where unknown. */
  failingSince: string | null;
  failures: ReadFailure[];
  opinions: ReadOpinion[];
  certificate: CheckedCertificate | null;
  dns: ReadDnsAnswer[];
  latency: ReadLatency | null;
  report: ReadReport | null;
}

/** Reads the evidence in an incident's context. Invalid parts are left out and never fail the document. */
export function readEvidence(context: Readonly<Record<string, unknown>>): EvidenceRead {
  return {
    failingSince: z.string().refine(isMoment).safeParse(context['failingSince']).data ?? null,
    failures: each(failureSchema, context['failures']),
    opinions: each(opinionSchema, context['secondOpinions']),
    certificate: seenCertificateSchema.safeParse(context['certificate']).data ?? null,
    dns: each(dnsSchema, context['dns']),
    latency: latencySchema.safeParse(context['latency']).data ?? null,
    report: reportSchema.safeParse(context['heartbeat']).data ?? null,
  };
}

function isMoment(text: string): boolean {
  return Number.isFinite(Date.parse(text));
}

function each<Item>(schema: z.ZodType<Item>, list: unknown): Item[] {
  if (!Array.isArray(list)) return [];
  return (list as unknown[]).slice(0, REGIONS.length).flatMap((item) => {
    const read = schema.safeParse(item);
    return read.success ? [read.data] : [];
  });
}
