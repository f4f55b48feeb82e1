import type { Tx } from '../../platform/db/database.js';
import type { ScheduleSettings } from './decide-schedule.js';
import type { OverrideRow } from './override-store.js';
import type { ScheduleRow } from './schedule-store.js';
import type { Person } from './team-schemas.js';

export interface TeamPerson extends Person {
  /** Not suspended in the workspace. */
  isActive: boolean;
  isLead: boolean;
}

/** The schedule, overrides and members of a team. */
export interface TeamPlanRow {
  id: string;
  name: string;
  /** Position among the teams of the owner, from 1. */
  ownerRank: number;
  schedule: ScheduleRow | null;
  /** The latest created first; bounded in number. */
  overrides: OverrideRow[];
  people: TeamPerson[];
}

interface StoredPlan {
  id: string;
  name: string;
  ownerRank: number;
  schedule: (ScheduleSettings & { createdMs: number; lastModifiedMs: number }) | null;
  overrides: (Pick<OverrideRow, 'id' | 'userId' | 'reason'> & { startMs: number; endMs: number; createdMs: number })[];
  people: TeamPerson[];
}

const ms = (column: string) => `(extract(epoch FROM ${column}) * 1000)::bigint`;

/** Joined by owner too, so that only the owner's teams are ranked. `$1` is the workspace. */
export const RANKED = `JOIN team_rank ON team_rank.team_id = team.id
  AND team_rank.owner_id = (SELECT owner_id FROM workspace WHERE id = $1)`;

const COLUMNS = `team.id, team.name, team_rank.rank AS "ownerRank",
  (SELECT json_build_object('rotation', s.rotation, 'timezone', s.timezone, 'handoffTime', s.handoff_time,
     'handoffDay', s.handoff_day, 'startDate', s.start_date::text, 'turns', (
       SELECT json_agg(p.user_id ORDER BY every.turn) FROM generate_series(0, s.turns - 1) AS every (turn)
       LEFT JOIN on_call_participant p ON p.team_id = s.team_id AND p.turn = every.turn
     ), 'createdMs', ${ms('s.created')}, 'lastModifiedMs', ${ms('s.last_modified')})
   FROM on_call_schedule s WHERE s.workspace_id = team.workspace_id AND s.team_id = team.id) AS schedule,
  coalesce((
    SELECT json_agg(json_build_object('id', o.id, 'userId', o.user_id, 'reason', o.reason,
      'startMs', ${ms('o.starts')}, 'endMs', ${ms('o.ends')}, 'createdMs', ${ms('o.created')}) ORDER BY o.seq DESC)
    FROM on_call_override o WHERE o.workspace_id = team.workspace_id AND o.team_id = team.id
  ), '[]') AS overrides,
  coalesce((
    SELECT json_agg(json_build_object('userId', m.user_id, 'name', u.name, 'email', u.email,
      'isActive', w.status = 'active' AND u.suspended_at IS NULL, 'isLead', m.team_role = 'lead'))
    FROM team_member m
    JOIN workspace_member w ON w.workspace_id = m.workspace_id AND w.user_id = m.user_id
    JOIN user_account u ON u.id = m.user_id
    WHERE m.workspace_id = team.workspace_id AND m.team_id = team.id
  ), '[]') AS people`;

export const teamPlanStore = {
  /** One statement, so that the answer follows from one state of the team and costs one round trip. */
  async find(workspaceId: string, tx: Tx, teamId: string): Promise<TeamPlanRow | undefined> {
    const [row] = await tx.query<StoredPlan>(
      `SELECT ${COLUMNS} FROM team ${RANKED} WHERE team.workspace_id = $1 AND team.id = $2`,
      [workspaceId, teamId],
    );
    return row && planOf(row);
  },

  /** The same of all teams of the workspace, or of one, by name. */
  async list(workspaceId: string, tx: Tx, teamId: string | null, limit: number): Promise<TeamPlanRow[]> {
    const rows = await tx.query<StoredPlan>(
      `SELECT ${COLUMNS} FROM team ${RANKED} WHERE team.workspace_id = $1 AND ($2::uuid IS NULL OR team.id = $2)
       ORDER BY lower(team.name), team.id LIMIT $3`,
      [workspaceId, teamId, limit],
    );
    return rows.map(planOf);
  },
};

function planOf({ id, name, ownerRank, schedule, overrides, people }: StoredPlan): TeamPlanRow {
  return {
    id,
    name,
    ownerRank,
    people,
    schedule: schedule && scheduleOf(schedule),
    overrides: overrides.map(({ startMs, endMs, createdMs, ...override }) => ({
      ...override,
      starts: new Date(startMs),
      ends: new Date(endMs),
      created: new Date(createdMs),
    })),
  };
}

function scheduleOf({ createdMs, lastModifiedMs, ...settings }: NonNullable<StoredPlan['schedule']>): ScheduleRow {
  return { ...settings, created: new Date(createdMs), lastModified: new Date(lastModifiedMs) };
}
