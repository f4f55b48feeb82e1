import type { Tx } from '../../platform/db/database.js';
import type { IncidentType } from './incident-commands.js';
import { incidentEvidenceStore } from './incident-evidence-store.js';

/** A confirming run that ended after the incident had opened: it joins the evidence. Without an open incident, nothing. */
export function addSecondOpinion(
  tx: Tx,
  monitorKey: number,
  incidentType: IncidentType,
  opinion: object,
): Promise<void> {
  return incidentEvidenceStore.addToContext(tx, monitorKey, incidentType, 'secondOpinions', opinion);
}
