import { CHECK_KIND_CODES } from '@watchpost/shared/check';
import type { Tx } from '../../platform/db/database.js';
import type { Diagnosis } from './diagnosis-schemas.js';

const MOST_LISTED = 10;
const MOST_SIMILAR = 5;

/** The monitor of an incident as it is now; its settings are empty where it is deleted. */
export interface Subject {
  monitorKey: number;
  site: string;
  tags: string[];
  serviceGroupId: string | null;
  dependsOn: string[];
}

/** From the first failure on until the end, or now. */
export interface Span {
  from: Date;
  until: Date;
}

type Other = Diagnosis['dependsOn'][number];
export type SimilarRow = Omit<Diagnosis['similar'][number], 'when'> & { when: Date };
export type ChangeRow = Omit<Diagnosis['changedBefore'][number], 'at'> & { at: Date };

/** The incident of a monitor in `$3` to `$4`. */
const INCIDENT = `(SELECT incident.id FROM incident WHERE incident.workspace_id = $1 AND incident.monitor_key = monitor.key
  AND started < $4 AND (ended IS NULL OR ended > $3) ORDER BY started DESC LIMIT 1)`;
const OTHER = `monitor.id AS "monitorId", monitor.name, state.health_status AS health, ${INCIDENT} AS "incidentId"`;
const STATE = 'LEFT JOIN monitor_state state ON state.monitor_key = monitor.key';

/** What is around an incident, across capabilities. Every list is bounded. */
export const diagnosisStore = {
  /** The incident exists. */
  async subject(workspaceId: string, tx: Tx, incidentId: string): Promise<Subject> {
    return (await tx.one<Subject>(
      `SELECT incident.monitor_key AS "monitorKey", coalesce(site, '') AS site, coalesce(tags, '{}') AS tags,
         service_group_id AS "serviceGroupId", coalesce(depends_on, '{}') AS "dependsOn"
       FROM incident LEFT JOIN monitor ON monitor.key = incident.monitor_key AND monitor.deleted_at IS NULL
       WHERE incident.workspace_id = $1 AND incident.id = $2`,
      [workspaceId, incidentId],
    ))!;
  },

  async monitorKey(workspaceId: string, tx: Tx, monitorId: string): Promise<number | null> {
    const row = await tx.one<{ key: number }>(
      'SELECT key FROM monitor WHERE workspace_id = $1 AND id = $2 AND deleted_at IS NULL',
      [workspaceId, monitorId],
    );
    return row?.key ?? null;
  },

  async siblings(workspaceId: string, tx: Tx, of: Subject, { from, until }: Span): Promise<Diagnosis['siblings']> {
    return tx.query(
      `SELECT "monitorId", name, health, "incidentId", array_remove(ARRAY[CASE WHEN on_site THEN 'site' END,
         CASE WHEN in_group THEN 'serviceGroup' END, CASE WHEN has_tag THEN 'tags' END], NULL) AS shares
       FROM (SELECT ${OTHER}, site = $5 AND site <> '' AS on_site, coalesce(service_group_id = $6, false) AS in_group, tags && $7::text[] AS has_tag
         FROM monitor ${STATE} WHERE monitor.workspace_id = $1 AND deleted_at IS NULL AND monitor.key <> $2
           AND (site = $5 AND site <> '' OR service_group_id = $6 OR tags && $7::text[])) AS sibling
       ORDER BY "incidentId" IS NULL, on_site DESC, in_group DESC, name, "monitorId" LIMIT ${MOST_LISTED}`,
      [workspaceId, of.monitorKey, from, until, of.site, of.serviceGroupId, of.tags],
    );
  },

  async dependsOn(workspaceId: string, tx: Tx, { dependsOn }: Subject, { from, until }: Span): Promise<Other[]> {
    if (dependsOn.length === 0) return [];
    return tx.query<Other>(
      `WITH RECURSIVE reached AS (
         SELECT unnest($2::uuid[]) AS id
         UNION SELECT unnest(monitor.depends_on) FROM reached JOIN monitor USING (id) WHERE monitor.workspace_id = $1
       )
       SELECT ${OTHER} FROM reached JOIN monitor USING (id) ${STATE}
       WHERE monitor.workspace_id = $1 AND deleted_at IS NULL
       ORDER BY 4 IS NULL, name, monitor.id LIMIT ${MOST_LISTED}`,
      [workspaceId, dependsOn, from, until],
    );
  },

  /** Those of the same cause first, then the newest. */
  async similar(workspaceId: string, tx: Tx, incidentId: string): Promise<SimilarRow[]> {
    return tx.query<SimilarRow>(
      `SELECT former.id AS "incidentId", former.started AS "when", former.failure_reason AS cause,
         extract(epoch FROM coalesce(former.ended, this.started) - former.started)::integer AS "lastedSeconds",
         (SELECT note FROM incident_note WHERE incident_id = former.id ORDER BY created_at DESC, id DESC LIMIT 1) AS note
       FROM incident this JOIN incident former ON former.monitor_key = this.monitor_key AND former.workspace_id = $1
         AND former.incident_type = this.incident_type AND former.started < this.started
       WHERE this.workspace_id = $1 AND this.id = $2
       ORDER BY former.failure_reason = this.failure_reason DESC, former.started DESC LIMIT ${MOST_SIMILAR}`,
      [workspaceId, incidentId],
    );
  },

  /** How many incidents of its kind the monitor had from `from` on before this one. */
  async recent(workspaceId: string, tx: Tx, incidentId: string, from: Date): Promise<number> {
    return tx.value(
      `SELECT count(*) AS count FROM incident this JOIN incident former ON former.monitor_key = this.monitor_key
         AND former.workspace_id = $1 AND former.incident_type = this.incident_type AND former.started < this.started
       WHERE this.workspace_id = $1 AND this.id = $2 AND former.started >= $3`,
      [workspaceId, incidentId, from],
    );
  },

  /** What was recorded to change about a monitor, but for marks, newest first. */
  async changes(workspaceId: string, tx: Tx, monitorKey: number, { from, until }: Span): Promise<ChangeRow[]> {
    return tx.query<ChangeRow>(
      `SELECT at, what, detail FROM (
         SELECT min(scheduled_at) AS at, 'dns' AS what, (SELECT string_agg(concat(one ->> 'type', ': ',
             (SELECT string_agg(value, ', ') FROM jsonb_array_elements_text(one -> 'removed')), ' → ',
             (SELECT string_agg(value, ', ') FROM jsonb_array_elements_text(one -> 'added'))), '; ')
             FROM jsonb_array_elements(changes) AS one) AS detail
         FROM check_detail WHERE monitor_key = $2 AND kind = $5 AND changes IS NOT NULL AND changes <> '[]'
           AND scheduled_at >= $3 AND scheduled_at < $4 GROUP BY changes
         UNION ALL
         SELECT min(later.scheduled_at), 'certificate', concat(content ->> 'subject', ', issued by ', content ->> 'issuer', ', valid until ', content ->> 'validTo')
         FROM (SELECT monitor_key, scheduled_at, hash, lag(hash) OVER (PARTITION BY region ORDER BY scheduled_at) AS former
             FROM check_detail WHERE monitor_key = $2 AND kind = $6 AND scheduled_at >= $3 AND scheduled_at < $4) AS later
           JOIN check_answer answer ON answer.monitor_key = later.monitor_key AND answer.hash = later.hash
             AND answer.day = date_trunc('day', later.scheduled_at, 'UTC')
         WHERE former <> later.hash GROUP BY content
         UNION ALL
         SELECT at, 'configuration', concat(action, ': ', (SELECT string_agg(name, ', ' ORDER BY name) FROM jsonb_object_keys(changes) AS name))
         FROM audit_entry WHERE workspace_id = $1 AND target_id = (SELECT id FROM monitor WHERE key = $2)
           AND action IN ('monitor.updated', 'monitor.restored') AND at >= $3 AND at < $4
         UNION ALL
         SELECT CASE WHEN ends < $4 THEN ends ELSE starts END, 'maintenance', concat(name, CASE WHEN ends < $4 THEN ' ended' ELSE ' began' END)
         FROM maintenance_period period JOIN maintenance_window plan ON plan.id = period.window_id
         WHERE period.workspace_id = $1 AND period.monitor_key = $2 AND starts < $4 AND ends >= $3
       ) AS change WHERE detail IS NOT NULL ORDER BY at DESC, what LIMIT ${MOST_LISTED}`,
      [workspaceId, monitorKey, from, until, CHECK_KIND_CODES.dns, CHECK_KIND_CODES.ssl],
    );
  },
};
