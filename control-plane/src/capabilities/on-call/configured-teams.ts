import type { Tx } from '../../platform/db/database.js';
import type { ConfiguredObject } from '../monitors/index.js';
import { configuredTeamStore } from './configured-team-store.js';
import { decideSchedule } from './decide-schedule.js';
import type { ScheduleInput } from './schedule-schemas.js';

/** All teams of a workspace, oldest first: members with their roles, the rotation, and the groups that are routed to them. */
export async function configuredTeams(tx: Tx, workspaceId: string): Promise<ConfiguredObject[]> {
  return (await configuredTeamStore.all(workspaceId, tx)).map(({ id, schedule, ...team }) => ({
    id,
    // Nobody takes the turns of a rotation of which everybody has left: it is as if there were none.
    fields: { ...team, schedule: schedule && schedule.participants.length > 0 ? schedule : null },
    secrets: {},
  }));
}

/**
 * What the rotation of a team would be after it was set to this. The start date follows from the moment at which it is set,
 * and the day of a weekly handoff from the start date: where they are not given they are not in the answer.
 */
export function configuredBySchedule(input: ScheduleInput): Record<string, unknown> {
  const { settings } = decideSchedule(null, input, 0);
  // A fault, which setting it reports.
  if (!settings) return { ...input };
  const { turns, startDate, handoffDay, ...rest } = settings;
  const isDayKnown = rest.rotation === 'daily' || (input.handoffDay ?? input.startDate) !== undefined;
  return {
    ...rest,
    ...(isDayKnown ? { handoffDay } : {}),
    ...(input.startDate === undefined ? {} : { startDate }),
    participants: turns,
  };
}
