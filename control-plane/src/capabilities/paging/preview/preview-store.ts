import type { Tx } from '../../../platform/db/database.js';
import type { ActionGroupType } from '../../channels/index.js';
import type { GroupSettings } from '../../group-settings/index.js';

export interface PreviewMonitor {
  key: number;
  isEnabled: boolean;
  hasServiceGroup: boolean;
}

export interface PreviewGroup {
  id: string;
  name: string;
  type: ActionGroupType;
  isEnabled: boolean;
  settings: GroupSettings;
}

const GROUP = 'g.id, g.name, g.type, g.is_enabled AS "isEnabled", g.settings';

/** What would be notified of an incident of a monitor. */
export const previewStore = {
  async monitor(workspaceId: string, tx: Tx, monitorId: string): Promise<PreviewMonitor | undefined> {
    return tx.one(
      `SELECT key, monitoring_status = 'enabled' AS "isEnabled", service_group_id IS NOT NULL AS "hasServiceGroup"
       FROM monitor WHERE workspace_id = $1 AND id = $2 AND deleted_at IS NULL`,
      [workspaceId, monitorId],
    );
  },

  /** What the monitor depends on, with its open incident of availability that has not recovered. */
  async causes(
    workspaceId: string,
    tx: Tx,
    monitorKey: number,
  ): Promise<{ monitorId: string; name: string; incidentId: string | null }[]> {
    return tx.query<{ monitorId: string; name: string; incidentId: string | null }>(
      `SELECT cause_id AS "monitorId", cause_name AS name, incident.id AS "incidentId" FROM monitor_dependency
       LEFT JOIN incident ON incident.workspace_id = $1 AND incident.monitor_key = cause_key
         AND incident_type = 'Availability' AND NOT is_closed AND ended IS NULL
       WHERE monitor_dependency.workspace_id = $1 AND monitor_dependency.monitor_key = $2 ORDER BY name, cause_id`,
      [workspaceId, monitorKey],
    );
  },

  async hasServiceGroup(workspaceId: string, tx: Tx, serviceGroupId: string): Promise<boolean> {
    return tx.some('SELECT 1 FROM service_group WHERE workspace_id = $1 AND id = $2 AND deleted_at IS NULL', [
      workspaceId,
      serviceGroupId,
    ]);
  },

  async groups(workspaceId: string, tx: Tx, monitorKey: number): Promise<PreviewGroup[]> {
    return tx.query<PreviewGroup>(
      `SELECT ${GROUP}
       FROM action_group g JOIN group_attachment attached ON attached.group_id = g.id
       WHERE g.workspace_id = $1 AND attached.monitor_key = $2 ORDER BY g.created, g.id LIMIT 500`,
      [workspaceId, monitorKey],
    );
  },

  /** The groups that a new monitor would have: those with these ids, and those that are attached to its tags or to all. */
  async groupsOfNew(
    workspaceId: string,
    tx: Tx,
    ids: readonly string[],
    tags: readonly string[],
  ): Promise<PreviewGroup[]> {
    return tx.query<PreviewGroup>(
      `SELECT ${GROUP} FROM action_group g WHERE g.workspace_id = $1 AND (g.id = ANY ($2) OR g.attach_all OR g.attach_tags && $3)
       ORDER BY g.created, g.id LIMIT 500`,
      [workspaceId, ids, tags],
    );
  },
};
