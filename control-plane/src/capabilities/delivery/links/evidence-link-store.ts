import type { Tx } from '../../../platform/db/database.js';
import { valuesOf } from '../../../platform/db/values-of.js';

export interface EvidenceLinkRow {
  id: string;
  channel: string;
  created: Date;
}

/** The link of an incident for a channel; `id` where it is new. */
export interface NewEvidenceLink {
  id: string;
  workspaceId: string;
  incidentId: string;
  channel: string;
}

/** Links to the evidence of incidents, one per incident and channel. */
export const evidenceLinkStore = {
  /** @returns for each the id of the existing link or of a new one; undefined where the incident was deleted */
  async ensure(tx: Tx, links: readonly NewEvidenceLink[], created: Date): Promise<(string | undefined)[]> {
    const columns = valuesOf(links, 'workspaceId', 'incidentId', 'channel');
    const rows = await tx.query<{ id: string | null; place: number }>(
      `WITH wanted AS MATERIALIZED (
         SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[]) WITH ORDINALITY AS wanted (workspace_id, incident_id, channel, id, place)
       ), made AS (
         INSERT INTO evidence_link (id, workspace_id, incident_id, channel, created)
         SELECT wanted.id, incident.workspace_id, incident.id, wanted.channel, $5
         FROM wanted JOIN incident ON incident.workspace_id = wanted.workspace_id AND incident.id = wanted.incident_id
         ORDER BY incident.id, wanted.channel
         ON CONFLICT (incident_id, channel) DO NOTHING RETURNING id, incident_id, channel
       )
       SELECT coalesce(known.id, made.id) AS id, wanted.place::integer FROM wanted
       LEFT JOIN evidence_link known ON known.incident_id = wanted.incident_id AND known.channel = wanted.channel
         AND known.workspace_id = wanted.workspace_id
       LEFT JOIN made ON made.incident_id = wanted.incident_id AND made.channel = wanted.channel`,
      [...columns, links.map(({ id }) => id), created],
    );
    const ids = new Map(rows.map(({ place, id }) => [place - 1, id ?? undefined]));
    if (links.every((_, place) => ids.get(place) !== undefined)) return links.map((_, place) => ids.get(place));
    // A concurrent message of the same channel may have inserted it, which only a later statement sees.
    const later = await tx.query<{ id: string; place: number }>(
      `SELECT link.id, wanted.place::integer FROM unnest($1::uuid[], $2::uuid[], $3::text[])
         WITH ORDINALITY AS wanted (workspace_id, incident_id, channel, place)
       JOIN evidence_link link USING (workspace_id, incident_id, channel)`,
      columns,
    );
    for (const { place, id } of later) ids.set(place - 1, id);
    return links.map((_, place) => ids.get(place));
  },

  /** Finds an incident by the link alone, which is the credential. */
  async incidentOf(tx: Tx, id: string): Promise<string | undefined> {
    return tx.value('SELECT incident_id AS "incidentId" FROM evidence_link WHERE id = $1', [id]);
  },

  /** Newest first. */
  async ofIncident(workspaceId: string, tx: Tx, incidentId: string): Promise<EvidenceLinkRow[]> {
    return tx.query<EvidenceLinkRow>(
      `SELECT id, channel, created FROM evidence_link WHERE workspace_id = $1 AND incident_id = $2
       ORDER BY created DESC, id DESC`,
      [workspaceId, incidentId],
    );
  },

  async removeOfIncident(workspaceId: string, tx: Tx, incidentId: string): Promise<EvidenceLinkRow[]> {
    return tx.query<EvidenceLinkRow>(
      `WITH gone AS (
         DELETE FROM evidence_link WHERE workspace_id = $1 AND incident_id = $2 RETURNING id, channel, created
       ) SELECT * FROM gone ORDER BY created DESC, id DESC`,
      [workspaceId, incidentId],
    );
  },
};
