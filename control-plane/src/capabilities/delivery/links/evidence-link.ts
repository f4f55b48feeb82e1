import type { Clock } from '@watchpost/shared/clock';
import { isUuid, newId } from '@watchpost/shared/id';
import type { Tx } from '../../../platform/db/database.js';
import { type SecretBox, SIGNATURE_BYTES } from '../../../platform/db/secret-box.js';
import { type EvidenceLinkRow, evidenceLinkStore } from './evidence-link-store.js';

export const EVIDENCE_PATH = '/incident';
const ID_BYTES = 16;
const CONTEXT = 'incident-evidence';

/** An incident, and the channel of the messages that contain a link to its evidence: `any` for a link that is shared by hand. */
export interface EvidenceSubject {
  workspaceId: string;
  incidentId: string;
  channel: string;
}

/**
 * Issues links to the evidence of incidents. The link of an incident is the same in all messages of a channel, until the
 * links of the incident are revoked.
 * @returns the URLs, in the given order; undefined where the incident was deleted
 */
export async function issueEvidenceLinks(
  { clock, secretBox, baseUrl }: { clock: Clock; secretBox: SecretBox; baseUrl: string },
  tx: Tx,
  subjects: readonly EvidenceSubject[],
): Promise<(string | undefined)[]> {
  const nowMs = clock.now();
  const links = subjects.map((subject) => ({ ...subject, id: newId(nowMs) }));
  const ids = await evidenceLinkStore.ensure(tx, links, new Date(nowMs));
  return ids.map((id) => id && `${baseUrl}${EVIDENCE_PATH}/${tokenOfLink(secretBox, id)}`);
}

/**
 * Returns the newest link to the evidence of an incident, as a path.
 * @returns undefined where no message contained one, or all are revoked
 */
export async function newestEvidencePath(
  secretBox: SecretBox,
  tx: Tx,
  workspaceId: string,
  incidentId: string,
): Promise<string | undefined> {
  const [newest] = await evidenceLinkStore.ofIncident(workspaceId, tx, incidentId);
  return newest && `${EVIDENCE_PATH}/${tokenOfLink(secretBox, newest.id)}`;
}

/** @returns the id of the incident; undefined for an invalid or revoked link */
export async function incidentOfEvidenceLink(secretBox: SecretBox, tx: Tx, token: string): Promise<string | undefined> {
  const id = linkOfToken(secretBox, token);
  return id === undefined ? undefined : evidenceLinkStore.incidentOf(tx, id);
}

/** Returns the links that messages about an incident contain, newest first: one per channel. */
export function readEvidenceLinks(tx: Tx, workspaceId: string, incidentId: string): Promise<EvidenceLinkRow[]> {
  return evidenceLinkStore.ofIncident(workspaceId, tx, incidentId);
}

/** Revokes the links of an incident; later messages contain new ones. @returns the revoked links */
export function removeEvidenceLinks(tx: Tx, workspaceId: string, incidentId: string): Promise<EvidenceLinkRow[]> {
  return evidenceLinkStore.removeOfIncident(workspaceId, tx, incidentId);
}

/** Returns the token of a link: its id, signed. */
export function tokenOfLink(secretBox: SecretBox, linkId: string): string {
  const id = Buffer.from(linkId.replaceAll('-', ''), 'hex');
  return Buffer.concat([id, secretBox.sign(id, CONTEXT)]).toString('base64url');
}

/** @returns the id of the link; undefined for a token that this installation did not issue */
export function linkOfToken(secretBox: SecretBox, token: string): string | undefined {
  const bytes = Buffer.from(token, 'base64url');
  // Only the canonical encoding is valid: another one that decodes to the same bytes is refused.
  if (bytes.length !== ID_BYTES + SIGNATURE_BYTES || bytes.toString('base64url') !== token) return undefined;
  const id = bytes.subarray(0, ID_BYTES);
  if (!secretBox.isSigned(id, bytes.subarray(ID_BYTES), CONTEXT)) return undefined;
  const uuid = id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return isUuid(uuid) ? uuid : undefined;
}
