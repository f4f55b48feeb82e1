import { isUuid } from '@watchpost/shared/id';
import { type SecretBox, SIGNATURE_BYTES } from '../db/secret-box.js';

/** Where whoever was alerted looks at the evidence of an incident. */
export const EVIDENCE_PATH = '/incident';
const ID_BYTES = 16;
const CONTEXT = 'incident-evidence';

/**
 * The link that messages about an incident carry: its id, signed. The same each time, so that a message that is sent
 * again says the same; nothing is kept of it, and what it opens is decided when it is opened.
 */
export function evidenceUrl(secretBox: SecretBox, baseUrl: string, incidentId: string): string {
  const id = Buffer.from(incidentId.replaceAll('-', ''), 'hex');
  const token = Buffer.concat([id, secretBox.sign(id, CONTEXT)]).toString('base64url');
  return `${baseUrl}${EVIDENCE_PATH}/${token}`;
}

/** @returns the incident's id; undefined for a token that was not made here */
export function incidentOfToken(secretBox: SecretBox, token: string): string | undefined {
  const bytes = Buffer.from(token, 'base64url');
  // One spelling each: what decodes to the same bytes is no second link.
  if (bytes.length !== ID_BYTES + SIGNATURE_BYTES || bytes.toString('base64url') !== token) return undefined;
  const id = bytes.subarray(0, ID_BYTES);
  if (!secretBox.isSigned(id, bytes.subarray(ID_BYTES), CONTEXT)) return undefined;
  const uuid = id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return isUuid(uuid) ? uuid : undefined;
}
