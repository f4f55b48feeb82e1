import { DAY_MS } from '@watchpost/shared/time';
import type { Tx } from '../../platform/db/database.js';
import { EACH_AT_ONCE, eachInTurn } from './each-in-turn.js';
import { baseFinder, decideOnCall, type OnCallPlan } from './decide-on-call.js';
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

/** True if a time is a whole shift of a person by the layers, and no override is in it. */
export function isOwnShift(plan: OnCallPlan, userId: string, startMs: number, endMs: number): boolean {
  const isExact = (shift: Shift) => shift.userId === userId && shift.startMs === startMs && shift.endMs === endMs;
  const final = decideOnCall(plan, startMs);
  return final.source === 'rotation' && isExact(final) && isExact(baseFinder(plan)(startMs));
}

/**
 * Lets the open and taken swaps of a team follow their shifts after a change of its schedules or people. One whose shift is
 * gone, or has become a part of the shift of another swap, becomes void, and both people hear of it; an open one whose shift
 * has begun expires. The caller holds the lock on the team.
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
  const followed: { scheduleId: string; startMs: number; endMs: number }[] = [];
  // What somebody has taken counts before what is only offered.
  for (const swap of swaps.toSorted((a, b) => Number(a.state === 'open') - Number(b.state === 'open'))) {
    const { id, state, userId, takenBy, shiftStart, shiftEnd } = swap;
    if (state === 'open' && shiftStart <= now) {
      await swapStore.update(workspaceId, tx, { id, state: 'expired', lastModified: now });
      await notify(deps, tx, workspaceId, team, swap, [userId], 'Nobody took your shift, so you are on call.');
      continue;
    }
    const schedule = team.schedules.find((one) => one.id === swap.scheduleId && one.id !== removed);
    // A taken shift that has begun is settled, unless somebody has left.
    if (schedule && shiftStart <= now && isMember(userId) && isMember(takenBy)) {
      followed.push({ scheduleId: schedule.id, startMs: shiftStart.getTime(), endMs: shiftEnd.getTime() });
      continue;
    }
    const isPossible = schedule && isMember(userId) && (takenBy === null || isMember(takenBy));
    const shift =
      isPossible && decideFollowed(planOfTeam(team, schedule, true), userId, shiftStart.getTime(), shiftEnd.getTime());
    const isAnothers =
      shift &&
      followed.some((one) => one.scheduleId === schedule.id && one.startMs < shift.endMs && shift.startMs < one.endMs);
    if (!shift || isAnothers) {
      const why = 'A change of the schedule or the team left no such shift, so the swap is void.';
      await endSwap(deps, tx, workspaceId, team, swap, why);
      continue;
    }
    followed.push({ ...shift, scheduleId: schedule.id });
    if (shift.startMs !== shiftStart.getTime() || shift.endMs !== shiftEnd.getTime()) {
      const [start, end] = [new Date(shift.startMs), new Date(shift.endMs)];
      await swapStore.update(workspaceId, tx, { id, shiftStart: start, shiftEnd: end, lastModified: now });
      await swapStore.moveOverride(workspaceId, tx, id, start, end);
    }
  }
}

/** Makes a swap void, with its override. Both people hear of it. */
export async function endSwap(
  deps: ScheduleDeps,
  tx: Tx,
  workspaceId: string,
  team: TeamPlanRow,
  swap: SwapRow,
  why: string,
): Promise<void> {
  const { id, userId, takenBy, withUserId } = swap;
  await swapStore.update(workspaceId, tx, { id, state: 'void', lastModified: new Date(deps.clock.now()) });
  await swapStore.removeOverride(workspaceId, tx, id);
  await notify(deps, tx, workspaceId, team, swap, [userId, takenBy ?? withUserId], why);
}

/** Expires open swaps whose shift has begun, ends those of people who have left, and deletes old ones. */
export async function settleSwaps(deps: ScheduleDeps): Promise<void> {
  const now = new Date(deps.clock.now());
  await deps.db.transaction((tx) => swapStore.removeEndedBefore(tx, new Date(now.getTime() - KEPT_MS)));
  await eachInTurn(
    (after) => deps.db.read((tx) => swapStore.unsettled(tx, now, after, EACH_AT_ONCE)),
    ({ workspaceId, teamId }) =>
      deps.db.transaction(async (tx) => {
        await teamStore.lock(workspaceId, tx, teamId);
        await followSwaps(deps, tx, workspaceId, teamId);
      }),
    ({ teamId }) => teamId,
  );
}

/** Mails to people of a team about a swap, some with a link to answer by. Those who have left it get none. */
export async function notify(
  deps: ScheduleDeps,
  tx: Tx,
  workspaceId: string,
  team: TeamPlanRow,
  swap: Pick<SwapRow, 'scheduleId' | 'shiftStart' | 'shiftEnd'>,
  userIds: readonly (string | null)[],
  sentence: string,
  links: ReadonlyMap<string, string> = new Map(),
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
          link: links.get(userId) ?? `${deps.baseUrl}/console/on-call`,
          action: links.has(userId) ? 'Answer' : 'Look at the swap',
        }),
      );
}
