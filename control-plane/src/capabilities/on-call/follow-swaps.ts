import { DAY_MS } from '@watchpost/shared/time';
import type { Tx } from '../../platform/db/database.js';
import { baseFinder, type OnCallPlan } from './decide-on-call.js';
import type { Shift } from './decide-rotation.js';
import type { ScheduleDeps } from './on-call-deps.js';
import { planOfTeam } from './read-on-call.js';
import { onCallMail, spanText } from './swap-mail.js';
import { type SwapRow, swapStore } from './swap-store.js';
import { type TeamPlanRow, teamPlanStore } from './team-plan-store.js';
import { teamStore } from './team-store.js';

/** How far a shift may move for its swap to follow it. */
const FOLLOWED_MS = 7 * DAY_MS;
const KEPT_MS = 90 * DAY_MS;
const TEAMS_AT_ONCE = 100;

/**
 * The shift that a swap is about after a change of the layers: of the person's shifts the one that overlaps most with what
 * it was.
 */
export function decideFollowed(plan: OnCallPlan, userId: string, startMs: number, endMs: number): Shift | null {
  const find = baseFinder(plan);
  let followed: Shift | null = null;
  const overlap = (shift: Shift) => Math.min(shift.endMs, endMs) - Math.max(shift.startMs, startMs);
  for (let atMs = startMs - FOLLOWED_MS; atMs < endMs;) {
    const shift = find(atMs);
    if (shift.userId === userId && overlap(shift) > (followed ? overlap(followed) : 0)) followed = shift;
    atMs = shift.endMs;
  }
  return followed;
}

/**
 * Lets the open and taken swaps of a team follow their shifts after a change of its schedules or people. One whose shift is
 * gone becomes void, and both people hear of it; an open one whose shift has begun expires. The caller holds the lock on
 * the team.
 * @param removed a schedule that is about to be deleted
 */
export async function followSwaps(
  deps: ScheduleDeps,
  tx: Tx,
  workspaceId: string,
  teamId: string,
  removed?: string,
): Promise<void> {
  const nowMs = deps.clock.now();
  const now = new Date(nowMs);
  const swaps = await swapStore.active(workspaceId, tx, teamId, now);
  if (swaps.length === 0) return;
  const team = (await teamPlanStore.find(workspaceId, tx, teamId))!;
  const isMember = (userId: string | null) => team.people.some((one) => one.userId === userId);
  for (const swap of swaps) {
    const { id, state, userId, takenBy, shiftStart, shiftEnd } = swap;
    if (state === 'open' && shiftStart <= now) {
      await swapStore.update(workspaceId, tx, { id, state: 'expired', lastModified: now });
      await notify(deps, tx, workspaceId, team, swap, [userId], 'Nobody took your shift, so you are on call.');
      continue;
    }
    const schedule = team.schedules.find((one) => one.id === swap.scheduleId && one.id !== removed);
    // A taken shift that has begun is settled, unless somebody has left.
    if (schedule && shiftStart <= now && isMember(userId) && isMember(takenBy)) continue;
    const isPossible = schedule && isMember(userId) && (takenBy === null || isMember(takenBy));
    const shift =
      isPossible && decideFollowed(planOfTeam(team, schedule, true), userId, shiftStart.getTime(), shiftEnd.getTime());
    if (!shift) {
      await swapStore.update(workspaceId, tx, { id, state: 'void', lastModified: now });
      await swapStore.removeOverride(workspaceId, tx, id);
      const people = [userId, takenBy ?? swap.withUserId];
      await notify(
        deps,
        tx,
        workspaceId,
        team,
        swap,
        people,
        'A change of the schedule or the team left no such shift, so the swap is void.',
      );
    } else if (shift.startMs !== shiftStart.getTime() || shift.endMs !== shiftEnd.getTime()) {
      const [start, end] = [new Date(shift.startMs), new Date(shift.endMs)];
      await swapStore.update(workspaceId, tx, { id, shiftStart: start, shiftEnd: end, lastModified: now });
      await swapStore.moveOverride(workspaceId, tx, id, start, end);
    }
  }
}

/** Expires open swaps whose shift has begun, ends those of people who have left, and deletes old ones. */
export async function settleSwaps(deps: ScheduleDeps): Promise<void> {
  const now = new Date(deps.clock.now());
  for (;;) {
    const teams = await deps.db.read((tx) => swapStore.unsettled(tx, now, TEAMS_AT_ONCE));
    for (const { workspaceId, teamId } of teams)
      await deps.db.transaction(async (tx) => {
        await teamStore.lock(workspaceId, tx, teamId);
        await followSwaps(deps, tx, workspaceId, teamId);
      });
    if (teams.length < TEAMS_AT_ONCE) break;
  }
  await deps.db.transaction((tx) => swapStore.removeEndedBefore(tx, new Date(now.getTime() - KEPT_MS)));
}

/** Mails to people of a team about a swap. Those who have left it get none. */
export async function notify(
  deps: ScheduleDeps,
  tx: Tx,
  workspaceId: string,
  team: TeamPlanRow,
  swap: Pick<SwapRow, 'scheduleId' | 'shiftStart' | 'shiftEnd'>,
  userIds: readonly (string | null)[],
  sentence: string,
): Promise<void> {
  const zone = team.schedules.find(({ id }) => id === swap.scheduleId)?.timezone ?? 'UTC';
  const about = `It is about the shift from ${spanText(swap.shiftStart, swap.shiftEnd, zone)} of ${team.name}.`;
  for (const { userId, email, isActive } of team.people)
    if (email !== null && isActive && userIds.includes(userId))
      await deps.sendMail(
        tx,
        workspaceId,
        onCallMail(email, {
          subject: `Swap of a shift of ${team.name}`,
          sentences: [sentence, about],
          link: `${deps.baseUrl}/console/on-call`,
          action: 'Look at the swap',
        }),
      );
}
