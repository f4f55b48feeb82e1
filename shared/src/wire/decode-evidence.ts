import { z } from 'zod';
import { MOST_ASSERTIONS } from '../assertions/assertion.js';
import { MOST_STEP_NAME } from '../checks/http.js';
import { MAX_RESOLVED, MOST_HOPS, MOST_PATH_HOPS, type Evidence } from '../outcome.js';
import { certificateSummary, decodeJson, list, moment, text, timings } from './decode-json.js';
import { storableText } from '../storable-text.js';

/** The limit of the evidence of one result, bytes of JSON. */
export const MAX_EVIDENCE_BYTES = 65_536;

const pathHops = list(
  z.object({
    ttl: z.int().min(1).max(255),
    address: text(100).nullable(),
    name: text(255).nullable(),
    rttMs: z.number().min(0).max(600_000).nullable(),
    loss: z.number().min(0).max(100).nullable(),
  }),
  MOST_PATH_HOPS,
);

const evidenceSchema = z.object({
  assertions: list(
    z.object({
      index: z.int().min(0),
      passed: z.boolean(),
      expected: text(1_000),
      actual: text(200).nullable(),
      message: text(1_000).nullable(),
    }),
    MOST_ASSERTIONS,
  ).optional(),
  hops: list(
    z.object({
      url: text(4_096),
      address: text(100).nullable(),
      statusCode: z.number().int().min(0).max(999).nullable(),
      httpVersion: z.enum(['1.1', '2']).nullable().default(null),
      timings: timings,
      isTokenRequest: z.literal(true).optional(),
      step: text(MOST_STEP_NAME).optional(),
    }),
    MOST_HOPS,
  ).optional(),
  headers: z
    .record(z.string(), text(8_192))
    .transform((headers) =>
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [storableText(name, 256), value])),
    )
    .optional(),
  notes: list(text(200), 10).optional(),
  bodyStart: text(16_384).optional(),
  certificate: z.object({ ...certificateSummary, subjectAltNames: list(text(1_024), 200) }).optional(),
  resolved: list(text(100), MAX_RESOLVED).optional(),
  received: text(8_192).optional(),
  path: z
    .object({
      address: text(100),
      tracedAt: moment,
      reached: z.boolean(),
      hops: pathHops,
      stoppedAt: z.int().min(1).max(255).nullable(),
      lastGood: z.object({ tracedAt: moment, hops: pathHops }).nullable(),
    })
    .optional(),
});

/**
 * Decodes the evidence of a failed check. Unknown fields are left out, and texts and lists are truncated to their limits.
 * @throws WireError for evidence that is too long or invalid
 */
export function decodeEvidence(bytes: Uint8Array): Evidence | null {
  if (bytes.length === 0) return null;
  const evidence = decodeJson('evidence', bytes, MAX_EVIDENCE_BYTES, evidenceSchema);
  return Object.fromEntries(Object.entries(evidence).filter(([, value]) => value !== undefined)) as Evidence;
}
