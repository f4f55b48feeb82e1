import { type ActionGroupType, CHANNELS, destinationFields } from '../channels/index.js';
import type { StoredRules } from '../group-settings/index.js';
import type { ListPage, Rows, Tx } from '../../platform/db/database.js';

/** How many destinations a group has, and what they may be sent. */
export interface GroupReach {
  id: string;
  name: string;
  type: ActionGroupType;
  isEnabled: boolean;
  rules: StoredRules;
  destinations: number;
  /** Recipients that may be sent alerts. 0 for groups that post to a URL. */
  allowed: number;
  /** Recipients that have neither agreed nor refused, and have to. */
  pending: number;
}

/** What a monitor has that could notify somebody. */
export interface UnheardUse {
  /** Attached action groups. */
  groups: number;
  serviceGroupName: string | null;
  /** Teams that the service group is routed to; without one, that of the monitor. */
  teams: number;
}

/**
 * The enabled monitors of $1 that none of the groups $2 is attached to and none of the teams $3 is paged for. Groups are attached
 * as in `group_attachment`, which would join each group with each monitor.
 */
const UNHEARD = `WITH unheard AS MATERIALIZED (
    SELECT key FROM monitor
    WHERE workspace_id = $1 AND deleted_at IS NULL AND monitoring_status = 'enabled'
      AND NOT EXISTS (SELECT FROM action_group WHERE workspace_id = $1 AND id = ANY ($2::uuid[]) AND attach_all)
      AND NOT tags && ARRAY(
        SELECT unnest(attach_tags) FROM action_group WHERE workspace_id = $1 AND id = ANY ($2::uuid[]))
      AND key NOT IN (SELECT monitor_key FROM action_group_monitor WHERE group_id = ANY ($2::uuid[]))
      AND NOT (service_group_id IS NULL AND coalesce(team_id = ANY ($3::uuid[]), false))
      AND (service_group_id IS NULL OR service_group_id NOT IN (
        SELECT service_group_id FROM routed_service_group WHERE workspace_id = $1 AND team_id = ANY ($3::uuid[])))
  )`;
const WITH_NAMES = 'unheard JOIN monitor USING (key)';

/** The fields with the URL of a group, as a list in SQL. */
const URLS = [
  ...new Set(
    CHANNELS.flatMap((channel) => (channel.isPersonal ? [] : destinationFields(channel).map((name) => `'${name}'`))),
  ),
].join();

/** What of a workspace reaches anybody. */
export const reachStore = {
  /**
   * @param mustConfirm whether recipients have to confirm on paid plans too: the rule is that of `decideRecipientState`
   * @param ids default all of the workspace
   */
  async groups(workspaceId: string, tx: Tx, mustConfirm: boolean, ids?: readonly string[]): Promise<GroupReach[]> {
    return tx.query<GroupReach>(
      `WITH recipient AS MATERIALIZED (
         SELECT group_id, count(*) AS destinations, count(*) FILTER (WHERE is_allowed) AS allowed,
           count(*) FILTER (WHERE NOT is_allowed AND NOT is_refused) AS pending
         FROM (
           SELECT group_id, is_refused, is_member OR NOT is_refused AND (is_confirmed OR is_paid AND NOT $2::boolean) AS is_allowed
           FROM group_recipient WHERE workspace_id = $1 AND ($3::uuid[] IS NULL OR group_id = ANY ($3))
         ) AS judged GROUP BY group_id
       )
       SELECT g.id, g.name, g.type, g.is_enabled AS "isEnabled", g.rules,
         coalesce(recipient.destinations, (g.settings ?| ARRAY[${URLS}])::integer) AS destinations,
         coalesce(recipient.allowed, 0) AS allowed, coalesce(recipient.pending, 0) AS pending
       FROM action_group g LEFT JOIN recipient ON recipient.group_id = g.id
       WHERE g.workspace_id = $1 AND ($3::uuid[] IS NULL OR g.id = ANY ($3))`,
      [workspaceId, mustConfirm, ids ?? null],
    );
  },

  /** The enabled monitors that none of these groups is attached to and none of these teams is paged for. */
  async unheard(
    workspaceId: string,
    tx: Tx,
    groupIds: readonly string[],
    teamIds: readonly string[],
  ): Promise<{ count: number; names: string[] }> {
    const [row] = await tx.query<{ count: number; names: string[] | null }>(
      `${UNHEARD} SELECT count(*) AS count, ARRAY(SELECT name FROM ${WITH_NAMES} ORDER BY name, id LIMIT 3) AS names FROM unheard`,
      [workspaceId, groupIds, teamIds],
    );
    return { count: row!.count, names: row!.names ?? [] };
  },

  /** A page of the same, by name. */
  async listUnheard(
    workspaceId: string,
    tx: Tx,
    { groupIds, teamIds }: { groupIds: readonly string[]; teamIds: readonly string[] },
    page: Rows,
  ): Promise<ListPage<UnheardUse & { monitorId: string; name: string }>> {
    const { count } = await reachStore.unheard(workspaceId, tx, groupIds, teamIds);
    const rows = await tx.query<UnheardUse & { monitorId: string; name: string }>(
      `${UNHEARD}
       SELECT u.id AS "monitorId", u.name,
         (SELECT count(*) FROM group_attachment a WHERE a.monitor_key = u.key) AS groups,
         (SELECT s.name FROM service_group s WHERE s.workspace_id = $1 AND s.id = u.service_group_id) AS "serviceGroupName",
         CASE WHEN u.service_group_id IS NULL THEN num_nonnulls(u.team_id) ELSE (SELECT count(*)::integer
           FROM routed_service_group r
           WHERE r.workspace_id = $1 AND r.service_group_id = u.service_group_id) END AS teams
       FROM (SELECT monitor.* FROM ${WITH_NAMES}) AS u ORDER BY lower(u.name), u.id LIMIT $4 OFFSET $5`,
      [workspaceId, groupIds, teamIds, page.limit, page.offset],
    );
    return { items: rows, total: count };
  },
};
