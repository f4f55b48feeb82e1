import { AVAILABILITY_CODES } from '@watchpost/shared/check';
import { factsOf, MONITOR_TYPES } from '@watchpost/shared/monitor-types';
import type { Tx } from '../../../platform/db/database.js';
import type { Cause } from '../outage/decide-attachment.js';

/** The types whose incidents are outages. */
const AVAILABILITY_TYPES = MONITOR_TYPES.filter((type) => factsOf(type).incidentType === 'Availability');
const MS = (column: string) => `(extract(epoch FROM ${column}) * 1000)::bigint`;

export const causeStore = {
  /** What is known now of everything that these monitors depend on, by the key of the dependent. */
  async causes(tx: Tx, monitorKeys: readonly number[], now: Date): Promise<(Cause & { monitorKey: number })[]> {
    return tx.query<Cause & { monitorKey: number }>(
      `SELECT dependency.monitor_key AS "monitorKey",
         CASE WHEN incident.id IS NOT NULL THEN
           jsonb_build_object('id', incident.id, 'startedMs', ${MS('incident.started')}) END AS incident,
         subject.is_enabled AND subject.monitor_types && '{${AVAILABILITY_TYPES.join(',')}}'
           -- a person has closed the incident of the present failure
           AND NOT (incident.id IS NULL AND coalesce(state.memory #> '{tracks,Availability}' ? 'sinceMs', false))
           AND NOT EXISTS (SELECT FROM monitor_maintenance covered
             WHERE covered.monitor_key = cause_key AND starts <= $2 AND ends > $2) AS "mayFail",
         coalesce(results.is_failing, false) AS "isFailing", ${MS('results.checked')} AS "checkedMs"
       FROM monitor_dependency dependency
       CROSS JOIN LATERAL (SELECT * FROM verdict_subject WHERE verdict_subject.monitor_key = cause_key LIMIT 1) AS subject
       LEFT JOIN monitor_state state ON state.monitor_key = cause_key
       LEFT JOIN LATERAL (
         SELECT bool_or(streak_outcome = 2) AS is_failing, min(conclusive_at) AS checked FROM series
         WHERE series.monitor_key = cause_key AND kind = ANY ($3) AND NOT stale AND conclusive_at IS NOT NULL AND fresh_until > $2
       ) AS results ON true
       LEFT JOIN LATERAL (
         SELECT open.id, open.started FROM (
           SELECT id, started FROM incident WHERE incident.workspace_id = dependency.workspace_id
             AND incident.monitor_key = cause_key AND incident_type = 'Availability' AND NOT is_closed AND ended IS NULL
           UNION ALL
           SELECT id, started FROM incident WHERE incident.id = (state.memory #>> '{attachment,attachedTo}')::uuid
             AND NOT is_closed AND ended IS NULL
         ) AS open ORDER BY open.started, open.id LIMIT 1
       ) AS incident ON true
       WHERE dependency.monitor_key = ANY ($1)`,
      [monitorKeys, now, AVAILABILITY_CODES],
    );
  },
};
