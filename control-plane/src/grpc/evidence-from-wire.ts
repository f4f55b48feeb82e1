import { z } from 'zod';
import type { Evidence } from '@watchpost/shared/outcome';
import { WireError } from './wire-error.js';
import { storableText } from './storable-text.js';

/** Longest evidence of one result, bytes of JSON. */
export const MAX_EVIDENCE_BYTES = 65_536;

const micros = z
  .number()
  .min(0)
  .transform((us) => Math.min(Math.round(us), 0x7fff_ffff));
const text = (most: number) => z.string().transform((value) => storableText(value, most));

const evidenceSchema = z.object({
  hops: z
    .array(
      z.object({
        url: text(4_096),
        address: text(100).nullable(),
        statusCode: z.number().int().min(0).max(999).nullable(),
        timings: z.object({ dnsUs: micros, connectUs: micros, tlsUs: micros, firstByteUs: micros, transferUs: micros }),
      }),
    )
    .max(32)
    .optional(),
  headers: z
    .record(z.string(), text(8_192))
    .transform((headers) =>
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [storableText(name, 256), value])),
    )
    .optional(),
  bodyStart: text(8_192).optional(),
  resolved: z.array(text(100)).max(100).optional(),
});

/**
 * Reads the evidence of a failed check. Fields that are not known are left out, text is cut to its limits.
 * @throws WireError where it is too long, no JSON, or of another shape
 */
export function evidenceFromWire(bytes: Uint8Array): Evidence | null {
  if (bytes.length === 0) return null;
  if (bytes.length > MAX_EVIDENCE_BYTES)
    throw new WireError(`evidence has ${bytes.length} bytes, more than ${MAX_EVIDENCE_BYTES}`);
  let json: unknown;
  try {
    json = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8'));
  } catch {
    throw new WireError('evidence is not JSON');
  }
  const parsed = evidenceSchema.safeParse(json);
  if (!parsed.success)
    throw new WireError(`evidence: ${parsed.error.issues[0]!.path.join('.')}: ${parsed.error.issues[0]!.message}`);
  return Object.fromEntries(Object.entries(parsed.data).filter(([, value]) => value !== undefined)) as Evidence;
}
