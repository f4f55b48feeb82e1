import { z } from 'zod';
import { storableText } from '../storable-text.js';
import { WireError } from './wire-error.js';

/** Text, truncated to its limit, without characters that the database cannot store. */
export const text = (most: number) => z.string().transform((value) => storableText(value, most));

/** A list, truncated to its limit. */
export const list = <Entry extends z.ZodType>(entry: Entry, most: number) =>
  z.array(entry).transform((entries) => entries.slice(0, most));

export const micros = z
  .number()
  .min(0)
  .transform((us) => Math.min(Math.round(us), 0x7fff_ffff));

export const timings = z.object({
  dnsUs: micros,
  connectUs: micros,
  tlsUs: micros,
  firstByteUs: micros,
  transferUs: micros,
  authUs: micros.exactOptional(),
});

export const moment = z
  .string()
  .refine((value) => !Number.isNaN(Date.parse(value)), { error: 'is no moment' })
  .transform((value) => new Date(value).toISOString());

export const certificateSummary = {
  subject: text(4_096),
  issuer: text(4_096),
  serialNumber: text(4_096),
  validFrom: moment,
  validTo: moment,
  fingerprint256: text(100),
};

/**
 * Decodes JSON in a result. Unknown fields are left out.
 * @throws WireError for JSON that is too long or invalid
 */
export function decodeJson<T>(field: string, bytes: Uint8Array, most: number, schema: z.ZodType<T>): T {
  if (bytes.length > most) throw new WireError(`${field} has ${bytes.length} bytes, more than ${most}`);
  let json: unknown;
  try {
    json = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8'));
  } catch {
    throw new WireError(`${field} is not JSON`);
  }
  const parsed = schema.safeParse(json);
  if (!parsed.success)
    throw new WireError(`${field}: ${parsed.error.issues[0]!.path.join('.')}: ${parsed.error.issues[0]!.message}`);
  return parsed.data;
}
