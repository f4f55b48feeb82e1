import { isIP } from 'node:net';
import { z } from 'zod';
import { MOST_STEP_NAME, MOST_STEPS } from '../checks/http.js';
import { MOST_ADDRESSES, type CheckFindings } from '../outcome.js';
import { pingFigures } from '../ping-figures.js';
import { decodeJson, list, micros, text, timings } from './decode-json.js';

/** The limit of the findings of one result, bytes of JSON. */
export const MAX_FINDINGS_BYTES = 32 * 1024;

const schema = z.object({
  addresses: list(
    z.object({
      address: z.string().refine((address) => isIP(address) !== 0, { error: 'is no IP address' }),
      status: z.enum(['available', 'unavailable', 'notChecked']),
      responseUs: micros.nullable(),
      certificateFingerprint: text(100).nullable(),
      message: text(1_000).nullable(),
    }),
    MOST_ADDRESSES,
  ).optional(),
  addressWarnings: list(text(300), MOST_ADDRESSES).optional(),
  steps: list(
    z.object({
      name: text(MOST_STEP_NAME),
      wasAvailable: z.boolean().nullable(),
      statusCode: z.int().min(100).max(999).nullable(),
      totalUs: micros.nullable(),
      timings: timings.nullable(),
      message: text(1_000).nullable(),
    }),
    MOST_STEPS,
  ).optional(),
  ping: pingFigures.optional(),
});

/**
 * Decodes what a check found about single addresses, steps and packets; texts and lists are truncated to their limits.
 * @throws WireError for findings that are too long or invalid
 */
export function decodeFindings(bytes: Uint8Array): CheckFindings {
  if (bytes.length === 0) return {};
  const { addresses, addressWarnings, steps, ping } = decodeJson('findings', bytes, MAX_FINDINGS_BYTES, schema);
  return {
    ...(addresses && { addresses }),
    ...(addressWarnings && { addressWarnings }),
    ...(steps && { steps }),
    ...(ping && { ping }),
  };
}
