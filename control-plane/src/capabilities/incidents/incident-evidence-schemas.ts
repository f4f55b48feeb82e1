import { TIMELINE_EVENT_TYPES } from '../timeline/index.js';
import { z } from 'zod';
import { assertionResultSchema } from '@watchpost/shared/assertions/assertion';
import { isoTimestamp, uuid, shownPlace } from '../../platform/http/schemas.js';

const text = z.string();
/** Names of regions, phases and record types, which are never longer. */
const label = text.refine((name) => name.length <= 40);
const ms = z.number().min(0).describe('ms');
const moment = text.describe('When, as recorded, in ISO 8601');

// The parts of the evidence, as they are stored, read and answered. What a part has beyond them is in `context` alone.

const certificateSchema = z.object({
  subject: text,
  issuer: text,
  validFrom: text,
  validTo: text,
  serialNumber: text.describe('Empty where it was not recorded'),
  fingerprint256: text.describe('Empty where it was not recorded'),
});

const pathHopSchema = z.object({
  ttl: z.number().describe('Its number, from 1'),
  address: text.nullable().describe('null: nothing answered there, which routers need not do'),
  name: text.nullable().describe('The name of the address, as its owner states it'),
  rttMs: ms.nullable().describe('The shortest time of an answer, ms'),
  loss: z.number().nullable().describe('Percent of the packets without an answer; of the checked address alone'),
});

export const failureSchema = z.object({
  region: label,
  scheduledAt: moment,
  startedAt: moment.optional(),
  phase: label.describe('The phase in which it failed; empty where it is not known'),
  reason: text,
  message: text.describe('What went wrong exactly, as a sentence'),
  statusCode: z.number().nullable(),
  address: text.nullable().describe('To which the agent connected'),
  responseTime: ms.nullable(),
  timings: z
    .object({
      auth: ms.optional().describe('Of the request for an access token, which is no part of `responseTime`, ms'),
      dns: ms,
      connect: ms,
      tls: ms,
      firstByte: ms,
      transfer: ms,
    })
    .nullable(),
  evidence: z
    .object({
      assertions: z.array(assertionResultSchema).optional().describe('All assertions of the check, passed ones too'),
      hops: z
        .array(
          z.object({
            url: text,
            statusCode: z.number().nullable(),
            httpVersion: label
              .nullish()
              .describe('The version of HTTP that was spoken: 1.1 or 2')
              .meta({ example: '2' }),
            isTokenRequest: z.literal(true).optional().describe('Whether it asked for an access token'),
            step: text
              .optional()
              .describe('The step whose request it is; left out for the request of the monitor itself')
              .meta({ example: 'Sign in' }),
          }),
        )
        .optional(),
      headers: z.record(text, text).optional(),
      notes: z
        .array(text)
        .optional()
        .describe('What is wrong with the answer and does not keep browsers from showing it')
        .meta({ example: ['Its Content-Encoding is “none”, which is no coding: the body is taken as it came.'] }),
      bodyStart: text.optional().describe('The first 2 KiB of what the site answered, as text'),
      certificate: certificateSchema.optional(),
      resolved: z.array(text).optional(),
      addresses: z
        .array(z.object({ address: text, status: label, responseTime: ms.nullable(), message: text.nullable() }))
        .optional()
        .describe('Of a check of each address: what it found at each'),
      received: text.optional().describe('The first 2 KiB of what a service sent, as text'),
      path: z
        .object({
          address: text.describe('To which it was traced').meta({ example: '192.0.2.9:443' }),
          tracedAt: moment,
          reached: z.boolean().describe('Whether the address itself answered'),
          hops: z.array(pathHopSchema).describe('Up to the last one that answered'),
          stoppedAt: z.number().nullable().describe('The number of that hop, where the address was not reached'),
          lastGood: z
            .object({ tracedAt: moment, hops: z.array(pathHopSchema) })
            .nullable()
            .describe('The last path that reached it, of the last two days'),
        })
        .optional()
        .describe('The way to the address to which no connection could be made'),
    })
    .nullable(),
});

const records = z.record(label, z.array(text));

/** A check that another region or agent made. */
export const opinionSchema = z.object({
  region: label,
  askedAt: moment,
  outcome: z.enum(['up', 'down', 'inconclusive']),
  message: text.nullable(),
  statusCode: z.number().nullable(),
  responseTime: ms.nullable(),
});

export const seenCertificateSchema = z.object({
  subject: text,
  issuer: text,
  validFrom: text,
  validTo: text,
  daysUntilExpiry: z.number().nullable(),
  subjectAltNames: z.array(text).nullable(),
  fingerprint256: text.nullable(),
  protocol: text.nullable(),
  chain: z.array(certificateSchema).nullable(),
  chainTrusted: z.boolean().nullable(),
  hostnameMatches: z.boolean().nullable(),
  region: label.nullable(),
});

/** The answers of a region, before and after. */
export const dnsSchema = z.object({
  region: label,
  before: z.object({ checkedAt: moment, records }).nullable(),
  after: z
    .object({
      resolver: text.nullable(),
      records,
      failures: z.record(label, text).describe('Why record types could not be looked up'),
      propagation: z
        .object({
          consistent: z.boolean(),
          servers: z.array(z.object({ server: text, serial: z.number().nullable(), error: text.nullable() })),
        })
        .nullable(),
    })
    .nullable(),
  changes: z.array(z.object({ type: label, added: z.array(text), removed: z.array(text) })),
});

export const latencySchema = z.object({
  thresholdMs: ms,
  percentile: z.number(),
  value: ms.nullable(),
  regions: z.array(z.object({ region: label, value: ms })),
});

export const reportSchema = z.object({
  kind: z.enum(['reported', 'late', 'overrun']),
  at: moment.nullable(),
  exitCode: z.number().nullable(),
  rid: text.nullable(),
  runtimeMs: ms.nullable(),
  body: text.nullable().describe('The last 10 KiB of what the job sent'),
  expectedBy: moment.nullable(),
  lastSuccess: moment.nullable(),
  started: moment.nullable(),
});

export const domainEvidenceSchema = z.object({
  domain: text,
  state: z.enum(['expiring', 'expired', 'held', 'notFound']).describe('When the incident opened'),
  expiresAt: moment.nullable(),
  registrar: text.nullable(),
  statuses: z.array(text),
  nameServers: z.array(text),
  source: text.nullable(),
});

export type PathOfFailure = NonNullable<NonNullable<z.output<typeof failureSchema>['evidence']>['path']>;
export type FailureEvidence = z.output<typeof failureSchema>;
export type SecondOpinion = z.output<typeof opinionSchema>;
export type CertificateEvidence = z.output<typeof certificateSchema>;
export type SeenCertificate = z.output<typeof seenCertificateSchema>;
export type DnsEvidence = z.output<typeof dnsSchema>;
export type LatencyEvidence = z.output<typeof latencySchema>;
export type DomainEvidence = z.output<typeof domainEvidenceSchema>;
export type ReportEvidence = z.output<typeof reportSchema>;

/** The evidence of an incident, which is stored as its `context`: each type of incident has some of it. */
export interface EvidenceContext {
  /** ISO 8601. */
  failingSince?: string | null;
  failures?: readonly FailureEvidence[];
  secondOpinions?: readonly SecondOpinion[];
  certificate?: SeenCertificate | null;
  dns?: readonly DnsEvidence[];
  latency?: LatencyEvidence;
  domain?: DomainEvidence;
  heartbeat?: (Pick<ReportEvidence, 'kind'> & Partial<ReportEvidence>) | undefined;
}

export const incidentEvidenceSchema = z
  .strictObject({
    incidentId: uuid,
    title: text.describe('The monitor, and what is or was wrong').meta({ example: 'Shop is down' }),
    kind: text.meta({ example: 'Availability check' }),
    isOver: z.boolean().describe('Whether it has recovered or was closed'),
    places: z
      .record(text, text)
      .describe('The place of each region')
      .meta({ example: { eastus2: 'Virginia, United States' } }),
    failingSince: moment.nullable().describe('The first failure; null where it is not known'),
    regions: z
      .array(
        z.strictObject({
          ...shownPlace,
          verdict: z.enum(['failing', 'fine', 'unknown']),
          note: text.nullable().describe('The reason, as a sentence; null where the verdict needs none'),
          failedUntil: isoTimestamp
            .nullable()
            .describe(
              'Of a region that failed, once the incident is over: when it worked again; null where that was not seen',
            ),
          lastCheckedAt: isoTimestamp.nullable().describe('The newest conclusive result'),
        }),
      )
      .describe(
        'Now, while the incident is open; over its whole time afterwards. A region without a conclusive result is `unknown`. Empty where the monitor is deleted',
      ),
    failures: z
      .array(
        failureSchema.extend({
          summary: text.describe('What went wrong, by the phase, as a sentence').meta({
            example: 'No connection could be made.',
          }),
        }),
      )
      .describe('The failing attempt of each region, the first one first'),
    secondOpinions: z
      .array(opinionSchema)
      .describe('Checks that another region or agent made at once, to rule out a problem of the first one'),
    certificate: seenCertificateSchema.nullable().describe('The certificate that an SSL check saw'),
    dns: z.array(dnsSchema).describe('The DNS answers, and what differed before'),
    latency: latencySchema.nullable().describe('What was measured, of a Latency incident'),
    domain: domainEvidenceSchema.nullable().describe('What the registry answered, of a Domain incident'),
    report: reportSchema
      .nullable()
      .describe('What the job reported, or by when it should have, of a Heartbeat incident'),
    dependents: z
      .array(
        z.strictObject({
          monitorId: uuid,
          name: text,
          reason: text,
          failed: isoTimestamp,
          ended: isoTimestamp.nullable().describe('null while it fails'),
          ownIncidentId: uuid.nullable(),
        }),
      )
      .describe('Monitors that depend on this one and failed, of which nobody was notified; at most 50'),
    dependentCount: z.int().min(0).describe('How many these are in all'),
    timeline: z
      .array(
        z.strictObject({
          at: isoTimestamp,
          type: z.enum(TIMELINE_EVENT_TYPES),
          sentence: text.meta({ example: 'Ann acknowledged it.' }),
        }),
      )
      .describe('Oldest first. Messages that were sent within a minute share an entry'),
    people: z
      .array(
        z.strictObject({
          userId: uuid,
          name: text.nullable().describe('null where the person has no name and no email address'),
        }),
      )
      .describe('Those who acted on the incident or wrote a note'),
  })
  .meta({ id: 'IncidentEvidence' });

export type IncidentEvidence = z.output<typeof incidentEvidenceSchema>;
