import { laterThan } from '@watchpost/shared/clock';
import { Fault, found, invalidField } from '@watchpost/shared/fault';
import { newId } from '@watchpost/shared/id';
import { type ListPage, mapPage, type Rows, type Tx } from '../../platform/db/tx.js';
import { viewOf } from '../../platform/http/view-of.js';
import type { ActingPerson, Actor } from '../../platform/identity/caller.js';
import { recordAudit } from '../audit/index.js';
import { requireFeature, workspaceEntitlements } from '../plans/index.js';
import { isOwnShift, notify } from './follow-swaps.js';
import { issueSwapLinks } from './issue-swap-links.js';
import type { OnCallDeps, ScheduleDeps } from './on-call-deps.js';
import { overrideStore } from './override-store.js';
import { requireRoomForOverride } from './overrides.js';
import { planOfTeam, readSchedules } from './read-on-call.js';
import { teamMemberStore } from './team-member-store.js';
import type { PlannedSchedule, TeamPlanRow } from './team-plan-store.js';
import { lockTeam } from './teams.js';
import { type Swap, type SwapInput, swapSchema } from './swap-schemas.js';
import { type SwapRow, swapStore } from './swap-store.js';

interface ScheduleKey {
  id: string;
  scheduleId: string;
}

interface SwapKey extends ScheduleKey {
  swapId: string;
}

/** Swaps of a schedule, newest first. @throws Fault `not_found` */
export async function listSwaps(
  deps: OnCallDeps,
  { workspace: { workspaceId } }: Actor,
  { id: teamId, scheduleId }: ScheduleKey,
  page: Rows,
): Promise<ListPage<Swap>> {
  return deps.db.read(async (tx) => {
    await requireSchedule(tx, workspaceId, { id: teamId, scheduleId });
    return mapPage(await swapStore.page(workspaceId, tx, { teamId, scheduleId }, page), describe);
  });
}

/** @throws Fault `not_found` */
export async function getSwap(
  deps: OnCallDeps,
  { workspace: { workspaceId } }: Pick<ActingPerson, 'workspace'>,
  key: SwapKey,
): Promise<Swap> {
  return deps.db.read(async (tx) => describe(await findSwap(tx, workspaceId, key)));
}

/**
 * Asks a person of the team, or everybody, to take one of the caller's coming shifts.
 * @throws Fault `feature_not_in_plan`, `not_found`, `validation_failed`, `swap_conflict`
 */
export async function createSwap(
  deps: ScheduleDeps,
  actor: Actor,
  { id: teamId, scheduleId }: ScheduleKey,
  { shiftStart, shiftEnd, withUserId }: SwapInput,
): Promise<Swap> {
  const { workspaceId } = actor.workspace;
  const { userId } = actor.caller;
  return deps.db.transaction(async (tx) => {
    requireFeature(await workspaceEntitlements(tx, workspaceId), 'rotations');
    await lockTeam(tx, workspaceId, teamId);
    const { plan: team, schedule } = await requireSchedule(tx, workspaceId, { id: teamId, scheduleId });
    const nowMs = deps.clock.now();
    const plan = planOfTeam(team, schedule, true);
    if (shiftStart <= nowMs || !isOwnShift(plan, userId, shiftStart, shiftEnd))
      throw invalidField('shiftStart', 'must be the start, and `shiftEnd` the end, of one of your own coming shifts');
    const now = new Date(nowMs);
    const [start, end] = [new Date(shiftStart), new Date(shiftEnd)];
    if (await swapStore.isOverlapping(workspaceId, tx, scheduleId, start, end))
      throw new Fault('swap_conflict', 'There is a swap of this time already: withdraw it first.');
    if (withUserId !== null) {
      const active = await teamMemberStore.lockActive(workspaceId, tx, teamId, [withUserId]);
      if (withUserId === userId || !active.has(withUserId))
        throw invalidField('withUserId', 'must be another active member of this team');
    }
    const row: SwapRow = {
      id: newId(nowMs),
      teamId,
      scheduleId,
      userId,
      withUserId,
      takenBy: null,
      state: 'open',
      shiftStart: start,
      shiftEnd: end,
      created: now,
      lastModified: now,
    };
    await swapStore.insert(workspaceId, tx, row);
    await recordAudit(deps, tx, actor, {
      action: 'swap.created',
      target: { id: row.id, name: team.name },
      after: describe(row),
    });
    const asked =
      withUserId === null ? team.people.flatMap((one) => (one.userId === userId ? [] : [one.userId])) : [withUserId];
    const links = await issueSwapLinks(deps, tx, workspaceId, row.id, asked);
    await notify(deps, tx, workspaceId, team, row, asked, `${nameOf(team, userId)} asks you to take a shift.`, links);
    return describe(row);
  });
}

/**
 * Takes the shift: by an override that follows it.
 * @throws Fault `feature_not_in_plan`, `not_found`, `validation_failed`, `swap_conflict`
 */
export async function acceptSwap(deps: ScheduleDeps, actor: ActingPerson, key: SwapKey): Promise<Swap> {
  return answer(deps, actor, key, 'accepted', async (tx, swap, { plan: team, schedule }) => {
    const { workspaceId } = actor.workspace;
    const { userId } = actor.caller;
    requireFeature(await workspaceEntitlements(tx, workspaceId), 'rotations');
    const active = await teamMemberStore.lockActive(workspaceId, tx, key.id, [userId]);
    if (userId === swap.userId || !active.has(userId) || (swap.withUserId !== null && swap.withUserId !== userId))
      throw new Fault('swap_conflict', 'This shift is offered to other people of the team.');
    const [startMs, endMs] = [swap.shiftStart.getTime(), swap.shiftEnd.getTime()];
    if (!isOwnShift(planOfTeam(team, schedule, true), swap.userId, startMs, endMs))
      throw new Fault('swap_conflict', 'Somebody else has been put on call for a part of this shift, or it has moved.');
    const nowMs = deps.clock.now();
    await requireRoomForOverride(tx, workspaceId, key.id, nowMs);
    await overrideStore.insert(
      workspaceId,
      tx,
      { teamId: key.id, scheduleId: key.scheduleId },
      {
        id: newId(nowMs),
        userId,
        starts: swap.shiftStart,
        ends: swap.shiftEnd,
        reason: 'Swap',
        created: new Date(nowMs),
        swapId: swap.id,
      },
    );
    return { state: 'taken', takenBy: userId };
  });
}

/** Declines for the person who is asked. @throws Fault `not_found`, `swap_conflict` */
export async function declineSwap(deps: ScheduleDeps, actor: ActingPerson, key: SwapKey): Promise<Swap> {
  return answer(deps, actor, key, 'declined', async (_tx, swap) => {
    if (swap.withUserId !== actor.caller.userId)
      throw new Fault('swap_conflict', 'Only the person who is asked declines a swap.');
    return { state: 'declined' };
  });
}

/** Takes the request back. @throws Fault `not_found`, `swap_conflict` */
export async function withdrawSwap(deps: ScheduleDeps, actor: Actor, key: SwapKey): Promise<Swap> {
  return answer(deps, actor, key, 'withdrawn', async (_tx, swap) => {
    if (swap.userId !== actor.caller.userId)
      throw new Fault('swap_conflict', 'Only the person who made a swap withdraws it.');
    return { state: 'withdrawn' };
  });
}

const SENTENCES = {
  accepted: (name: string) => `${name} takes the shift.`,
  declined: (name: string) => `${name} declines to take the shift.`,
  withdrawn: (name: string) => `${name} withdraws the request to take the shift.`,
};

/** Ends an open swap. */
async function answer(
  deps: ScheduleDeps,
  actor: ActingPerson,
  key: SwapKey,
  verb: keyof typeof SENTENCES,
  decide: (
    tx: Tx,
    swap: SwapRow,
    of: { plan: TeamPlanRow; schedule: PlannedSchedule },
  ) => Promise<Pick<SwapRow, 'state'> & { takenBy?: string }>,
): Promise<Swap> {
  const { workspaceId } = actor.workspace;
  return deps.db.transaction(async (tx) => {
    await lockTeam(tx, workspaceId, key.id);
    const of = await requireSchedule(tx, workspaceId, key);
    const { plan: team } = of;
    const swap = await findSwap(tx, workspaceId, key);
    actor.checkPrecondition?.(describe(swap));
    const nowMs = deps.clock.now();
    if (swap.state !== 'open') throw new Fault('swap_conflict', `This swap is not open: it is ${swap.state}.`);
    if (swap.shiftStart.getTime() <= nowMs) throw new Fault('swap_conflict', 'The shift has begun already.');
    const after: SwapRow = {
      ...swap,
      ...(await decide(tx, swap, of)),
      lastModified: laterThan(swap.lastModified, nowMs),
    };
    await swapStore.update(workspaceId, tx, after);
    await recordAudit(deps, tx, actor, {
      workspaceId,
      action: `swap.${verb}`,
      target: { id: swap.id, name: team.name },
      before: describe(swap),
      after: describe(after),
    });
    const others = [swap.userId, after.takenBy ?? swap.withUserId].filter((one) => one !== actor.caller.userId);
    await notify(deps, tx, workspaceId, team, after, others, SENTENCES[verb](nameOf(team, actor.caller.userId)));
    return describe(after);
  });
}

async function requireSchedule(tx: Tx, workspaceId: string, { id, scheduleId }: ScheduleKey) {
  const { plan } = await readSchedules(tx, workspaceId, id);
  const schedule = found(
    plan.schedules.find((one) => one.id === scheduleId),
    'schedule',
  );
  return { plan, schedule };
}

async function findSwap(tx: Tx, workspaceId: string, { id: teamId, scheduleId, swapId }: SwapKey): Promise<SwapRow> {
  const swap = await swapStore.find(workspaceId, tx, { teamId, scheduleId }, swapId);
  return found(swap, 'swap');
}

function nameOf({ people }: TeamPlanRow, userId: string): string {
  const person = people.find((one) => one.userId === userId);
  return person?.name ?? person?.email ?? 'Somebody';
}

function describe(row: SwapRow): Swap {
  return viewOf(swapSchema, row);
}
