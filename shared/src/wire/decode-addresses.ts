import { isIP } from 'node:net';
import { z } from 'zod';
import { MOST_ADDRESSES, type AddressFindings } from '../outcome.js';
import { decodeJson, list, micros, text } from './decode-json.js';

/** The limit of the findings of one result, bytes of JSON. */
const MAX_BYTES = 32 * 1024;

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
});

/**
 * Decodes what a check found about single addresses; texts and lists are truncated to their limits.
 * @throws WireError for findings that are too long or invalid
 */
export function decodeAddresses(bytes: Uint8Array): AddressFindings {
  if (bytes.length === 0) return {};
  const { addresses, addressWarnings } = decodeJson('addresses', bytes, MAX_BYTES, schema);
  return { ...(addresses && { addresses }), ...(addressWarnings && { addressWarnings }) };
}
