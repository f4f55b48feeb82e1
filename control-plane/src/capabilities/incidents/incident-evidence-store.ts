import type { Tx } from '../../platform/db/database.js';
import type { IncidentType } from './incident-commands.js';

export const incidentEvidenceStore = {
  /** Adds to a list in the context of the monitor's open incident of a type, where there is one. */
  async addToContext(
    tx: Tx,
    monitorKey: number,
    incidentType: IncidentType,
    list: string,
    item: object,
  ): Promise<void> {
    await tx.query(
      `UPDATE incident SET context = jsonb_set(context, ARRAY[$3], coalesce(context -> $3, '[]') || $4::jsonb)
       WHERE monitor_key = $1 AND incident_type = $2 AND NOT is_closed`,
      [monitorKey, incidentType, list, JSON.stringify([item])],
    );
  },
};
