import type { Tx } from '../../platform/db/database.js';
import type { LayerSettings } from './decide-rotation.js';
import type { OverrideRow } from './override-store.js';
import type { ScheduleRow } from './schedule-store.js';
import type { Person } from './team-schemas.js';

export interface TeamPerson extends Person {
  /** Not suspended in the workspace. */
  isActive: boolean;
  isLead: boolean;
  /** At the console; the creation of the account where there was none. */
  lastSignInMs: number;
}

export interface PlannedSchedule extends ScheduleRow {
  /** The latest created first; bounded in number. */
  overrides: OverrideRow[];
}

/** The schedules and members of a team. */
export interface TeamPlanRow {
  id: string;
  name: string;
  /** Position among the teams of the owner, from 1. */
  ownerRank: number;
  /** The first one first; bounded in number. */
  schedules: PlannedSchedule[];
  people: TeamPerson[];
}

export interface StoredSchedule extends Omit<ScheduleRow, 'layers' | 'created' | 'lastModified'> {
  layers: (LayerSettings & { turns: number })[];
  participants: { layer: number; turn: number; userId: string }[];
  overrides: (Pick<OverrideRow, 'id' | 'userId' | 'reason' | 'swapId'> & {
    startMs: number;
    endMs: number;
    createdMs: number;
  })[];
  createdMs: number;
  lastModifiedMs: number;
}

interface StoredPlan extends Omit<TeamPlanRow, 'schedules'> {
  schedules: StoredSchedule[];
}

const ms = (column: string) => `(extract(epoch FROM ${column}) * 1000)::bigint`;

/** Joined by owner too, so that only the owner's teams are ranked. `$1` is the workspace. */
export const RANKED = `JOIN team_rank ON team_rank.team_id = team.id
  AND team_rank.owner_id = (SELECT owner_id FROM workspace WHERE id = $1)`;

/** The schedules of a team with all that belongs to them. `plannedSchedule` makes each whole. */
export const SCHEDULES = `coalesce((
    SELECT json_agg(json_build_object('id', s.id, 'name', s.name, 'timezone', s.timezone, 'layers', s.layers,
      'former', s.former, 'holidays', s.holidays, 'holidayCalendar', s.holiday_calendar, 'participants', coalesce((
        SELECT json_agg(json_build_object('layer', p.layer, 'turn', p.turn, 'userId', p.user_id))
        FROM on_call_participant p WHERE p.schedule_id = s.id
      ), '[]'), 'overrides', coalesce((
        SELECT json_agg(json_build_object('id', o.id, 'userId', o.user_id, 'reason', o.reason, 'swapId', o.swap_id,
          'startMs', ${ms('o.starts')}, 'endMs', ${ms('o.ends')}, 'createdMs', ${ms('o.created')}) ORDER BY o.seq DESC)
        FROM on_call_override o WHERE o.schedule_id = s.id
      ), '[]'), 'createdMs', ${ms('s.created')}, 'lastModifiedMs', ${ms('s.last_modified')}) ORDER BY s.seq)
    FROM on_call_schedule s WHERE s.workspace_id = team.workspace_id AND s.team_id = team.id
  ), '[]') AS schedules`;

const COLUMNS = `team.id, team.name, team_rank.rank AS "ownerRank",
  ${SCHEDULES},
  coalesce((
    SELECT json_agg(json_build_object('userId', m.user_id, 'name', u.name, 'email', u.email,
      'lastSignInMs', ${ms('coalesce(u.last_sign_in, u.created)')}, 'isActive', w.status = 'active' AND u.suspended_at IS NULL, 'isLead', m.team_role = 'lead'))
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

function planOf({ schedules, ...team }: StoredPlan): TeamPlanRow {
  return { ...team, schedules: schedules.map(plannedSchedule) };
}

export function plannedSchedule(stored: StoredSchedule): PlannedSchedule {
  const { layers, participants, overrides, createdMs, lastModifiedMs, ...schedule } = stored;
  const people = new Map(participants.map(({ layer, turn, userId }) => [`${layer} ${turn}`, userId]));
  return {
    ...schedule,
    layers: layers.map((layer, index) => ({
      ...layer,
      turns: Array.from({ length: layer.turns }, (_, turn) => people.get(`${index} ${turn}`) ?? null),
    })),
    overrides: overrides.map(({ startMs, endMs, createdMs: madeMs, ...override }) => ({
      ...override,
      starts: new Date(startMs),
      ends: new Date(endMs),
      created: new Date(madeMs),
    })),
    created: new Date(createdMs),
    lastModified: new Date(lastModifiedMs),
  };
}
