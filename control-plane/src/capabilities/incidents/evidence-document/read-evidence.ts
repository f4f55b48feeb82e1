import { z } from 'zod';
import { REGIONS } from '@watchpost/shared/region';
import {
  type DnsEvidence,
  dnsSchema,
  type FailureEvidence,
  failureSchema,
  type LatencyEvidence,
  latencySchema,
  opinionSchema,
  type ReportEvidence,
  type DomainEvidence,
  domainEvidenceSchema,
  reportSchema,
  type SecondOpinion,
  type SeenCertificate,
  seenCertificateSchema,
} from '../incident-evidence-schemas.js';

export interface EvidenceRead {
  /** Time of the first failure, ISO 8601; null where unknown. */
  failingSince: string | null;
  failures: FailureEvidence[];
  secondOpinions: SecondOpinion[];
  certificate: SeenCertificate | null;
  dns: DnsEvidence[];
  latency: LatencyEvidence | null;
  domain: DomainEvidence | null;
  report: ReportEvidence | null;
}

/** A report of any kind; each kind has some of it. */
const NO_REPORT = {
  at: null,
  exitCode: null,
  rid: null,
  runtimeMs: null,
  body: null,
  expectedBy: null,
  lastSuccess: null,
  started: null,
};

/** Reads the evidence in an incident's context. Invalid parts are left out and never fail the document. */
export function readEvidence(context: Readonly<Record<string, unknown>>): EvidenceRead {
  const isMoment = (text: string) => Number.isFinite(Date.parse(text));
  return {
    failingSince: z.string().refine(isMoment).safeParse(context['failingSince']).data ?? null,
    failures: each(failureSchema, context['failures']),
    secondOpinions: each(opinionSchema, context['secondOpinions']),
    certificate: seenCertificateSchema.safeParse(context['certificate']).data ?? null,
    dns: each(dnsSchema, context['dns']),
    latency: latencySchema.safeParse(context['latency']).data ?? null,
    domain: domainEvidenceSchema.safeParse(context['domain']).data ?? null,
    report: reportSchema.safeParse(Object.assign({}, NO_REPORT, context['heartbeat'])).data ?? null,
  };
}

function each<Item>(schema: z.ZodType<Item>, list: unknown): Item[] {
  if (!Array.isArray(list)) return [];
  return (list as unknown[]).slice(0, REGIONS.length).flatMap((item) => {
    const read = schema.safeParse(item);
    return read.success ? [read.data] : [];
  });
}
