import type { Tx } from '../../../platform/db/database.js';

/** The channels by which people get a link to the evidence of an incident. */
export const EVIDENCE_CHANNELS = ['email', 'sms', 'webhook', 'slack', 'teams', 'any'] as const;
export type EvidenceChannel = (typeof EVIDENCE_CHANNELS)[number];

export interface EvidenceLinkRow {
  id: string;
  channel: EvidenceChannel;
  created: Date;
}

/** Links to the evidence of incidents, one per incident and channel. */
export const evidenceLinkStore = {
  /** @returns the id of the existing link or of a new one; undefined where the incident was deleted */
  async ensure(
    workspaceId: string,
    tx: Tx,
    { id, incidentId, channel, created }: { id: string; incidentId: string; channel: EvidenceChannel; created: Date },
  ): Promise<string | undefined> {
    const existing = () =>
      tx.query<{ id: string }>(
        'SELECT id FROM evidence_link WHERE workspace_id = $1 AND incident_id = $2 AND channel = $3',
        [workspaceId, incidentId, channel],
      );
    const [link] = await existing();
    if (link) return link.id;
    const [made] = await tx.query<{ id: string }>(
      `INSERT INTO evidence_link (id, workspace_id, incident_id, channel, created)
       SELECT $3, workspace_id, id, $4, $5 FROM incident WHERE workspace_id = $1 AND id = $2
       ON CONFLICT (incident_id, channel) DO NOTHING RETURNING id`,
      [workspaceId, incidentId, id, channel, created],
    );
    // A concurrent message of the same channel may have inserted it.
    return (made ?? (await existing())[0])?.id;
  },

  /** Finds an incident by the link alone, which is the credential. */
  async incidentOf(tx: Tx, id: string): Promise<string | undefined> {
    const [row] = await tx.query<{ incidentId: string }>(
      'SELECT incident_id AS "incidentId" FROM evidence_link WHERE id = $1',
      [id],
    );
    return row?.incidentId;
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
