import { notFound, found } from '@watchpost/shared/fault';
import { issueEvidenceLinks, readEvidenceLinks, removeEvidenceLinks } from '../delivery/index.js';
import { recordAudit } from '../audit/index.js';
import type { Tx } from '../../platform/db/database.js';
import type { SecretBox } from '../../platform/db/secret-box.js';
import type { Actor } from '../../platform/identity/caller.js';
import type { EvidenceLink } from './evidence-link-schemas.js';
import { incidentStore } from './incident-store.js';
import { evidenceExpiry } from './evidence-document/read-evidence-document.js';
import { type IncidentDeps, readIncident } from './read-incidents.js';

export interface EvidenceLinkDeps extends IncidentDeps {
  secretBox: SecretBox;
  /** Without a slash at the end. */
  baseUrl: string;
}

/**
 * The link to the evidence of an incident for passing on by hand. It is the same until the links are revoked.
 * @throws Fault not_found
 */
export async function shareEvidence(
  deps: EvidenceLinkDeps,
  actor: Actor,
  incidentId: string,
): Promise<EvidenceLink & { url: string }> {
  const { workspaceId } = actor.workspace;
  return deps.db.transaction(async (tx) => {
    const incident = found(await incidentStore.find(workspaceId, tx, incidentId, 'FOR UPDATE'), 'incident');
    const sharedOf = async () =>
      (await linksOf(deps, tx, workspaceId, incidentId)).find(({ channel }) => channel === 'any');
    const former = await sharedOf();
    const [url] = await issueEvidenceLinks(deps, tx, [{ workspaceId, incidentId, channel: 'any' }]);
    const link = former ?? (await sharedOf());
    if (url === undefined || link === undefined) throw notFound('incident');
    if (!former) {
      await recordAudit(deps, tx, actor, {
        action: 'incident.evidence_shared',
        target: { id: incidentId, name: incident.monitorName },
        after: { evidenceLinks: [link.channel] },
      });
    }
    return { ...link, url };
  });
}

/** The links to the evidence of an incident that messages carry, newest first: one per channel. @throws Fault not_found */
export async function listEvidenceLinks(deps: IncidentDeps, actor: Actor, incidentId: string): Promise<EvidenceLink[]> {
  const { workspaceId } = actor.workspace;
  return deps.db.read((tx) => linksOf(deps, tx, workspaceId, incidentId));
}

/**
 * Revokes all links to the evidence of an incident. Later messages carry new ones.
 * @throws Fault `not_found`, also where the incident has no link; `precondition_failed`
 */
export async function revokeEvidenceLinks(deps: IncidentDeps, actor: Actor, incidentId: string): Promise<void> {
  const { workspaceId } = actor.workspace;
  await deps.db.transaction(async (tx) => {
    const incident = found(await incidentStore.find(workspaceId, tx, incidentId, 'FOR UPDATE'), 'incident');
    actor.checkPrecondition?.(await linksOf(deps, tx, workspaceId, incidentId));
    const gone = await removeEvidenceLinks(tx, workspaceId, incidentId);
    if (gone.length === 0) throw notFound('evidence link');
    await recordAudit(deps, tx, actor, {
      action: 'incident.evidence_links_revoked',
      target: { id: incidentId, name: incident.monitorName },
      before: { evidenceLinks: gone.map(({ channel }) => channel) },
      after: { evidenceLinks: [] },
    });
  });
}

async function linksOf(deps: IncidentDeps, tx: Tx, workspaceId: string, incidentId: string): Promise<EvidenceLink[]> {
  const endsMs = evidenceExpiry(await readIncident(deps, tx, workspaceId, incidentId));
  const rows = await readEvidenceLinks(tx, workspaceId, incidentId);
  const expiresAt = endsMs === null ? null : new Date(endsMs).toISOString();
  return rows.map(({ id, channel, created }) => ({
    id,
    created: created.toISOString(),
    channel: channel as EvidenceLink['channel'],
    expiresAt,
  }));
}
