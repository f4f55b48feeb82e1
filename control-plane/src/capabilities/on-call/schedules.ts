import { Fault, found, invalidFields } from '@watchpost/shared/fault';
import { recordAudit } from '../audit/index.js';
import type { ListPage, Rows, Tx } from '../../platform/db/database.js';
import { viewOf } from '../../platform/http/view-of.js';
import type { Actor } from '../../platform/identity/caller.js';
import { requireFeature, workspaceEntitlements } from '../plans/index.js';
import type { Layers } from './decide-rotation.js';
import { decideLayers } from './decide-schedule.js';
import { followSwaps } from './follow-swaps.js';
import type { OnCallDeps, ScheduleDeps } from './on-call-deps.js';
import { readSchedules, type StoredSchedules } from './read-on-call.js';
import { requireReachable } from './readiness.js';
import { describeCommon, previewLayers, saveLayers, strangersAmong } from './schedule.js';
import {
  MAX_SCHEDULES,
  type OnCallShiftView,
  type TeamSchedule,
  type TeamScheduleInput,
  type TeamSchedulePatch,
  teamScheduleSchema,
} from './schedule-schemas.js';
import { scheduleStore } from './schedule-store.js';
import type { PlannedSchedule } from './team-plan-store.js';
import { lockTeam } from './teams.js';

interface Key {
  id: string;
  scheduleId: string;
}

/** The schedules of a team; the first one first. @throws Fault `not_found` */
export async function listSchedules(
  deps: OnCallDeps,
  { workspace: { workspaceId } }: Actor,
  teamId: string,
  { limit, offset }: Rows,
): Promise<ListPage<TeamSchedule>> {
  const stored = await deps.db.read((tx) => readSchedules(tx, workspaceId, teamId));
  const all = stored.plan.schedules;
  return { items: all.slice(offset, offset + limit).map((one) => describe(stored, one)), total: all.length };
}

/** @throws Fault `not_found` */
export async function getTeamSchedule(
  deps: OnCallDeps,
  { workspace: { workspaceId } }: Actor,
  { id, scheduleId }: Key,
): Promise<TeamSchedule> {
  const stored = await deps.db.read((tx) => readSchedules(tx, workspaceId, id));
  return describe(stored, ofTeam(stored, scheduleId));
}

/** @throws Fault `feature_not_in_plan`, `not_found`, `validation_failed`, `would_be_unreachable` */
export async function createSchedule(
  deps: ScheduleDeps,
  actor: Actor,
  teamId: string,
  input: TeamScheduleInput,
  force = false,
): Promise<TeamSchedule> {
  const { workspaceId } = actor.workspace;
  return deps.db.transaction(async (tx) => {
    requireFeature(await workspaceEntitlements(tx, workspaceId), 'rotations');
    await lockTeam(tx, workspaceId, teamId);
    const stored = await readSchedules(tx, workspaceId, teamId);
    if (stored.plan.schedules.length >= MAX_SCHEDULES) {
      const message = `A team has at most ${MAX_SCHEDULES} schedules: delete one first.`;
      throw new Fault('validation_failed', message, [{ path: '', message }]);
    }
    const nowMs = deps.clock.now();
    const layers = await nextLayers(tx, { workspaceId, teamId }, undefined, input, nowMs);
    const { id } = (await saveLayers(tx, workspaceId, stored, undefined, { ...layers, name: input.name }, nowMs))!;
    await requireReachable(deps, tx, workspaceId, { id: teamId, scheduleId: id }, force);
    const made = await readOne(tx, workspaceId, { id: teamId, scheduleId: id });
    await recordAudit(deps, tx, actor, { action: 'schedule.created', target: made, after: contentOf(made) });
    return made;
  });
}

/** @throws Fault `feature_not_in_plan`, `not_found`, `validation_failed`, `precondition_failed` */
export async function updateSchedule(
  deps: ScheduleDeps,
  actor: Actor,
  key: Key,
  patch: TeamSchedulePatch,
  force = false,
): Promise<TeamSchedule> {
  const { workspaceId } = actor.workspace;
  return deps.db.transaction(async (tx) => {
    requireFeature(await workspaceEntitlements(tx, workspaceId), 'rotations');
    await lockTeam(tx, workspaceId, key.id);
    const stored = await readSchedules(tx, workspaceId, key.id);
    const row = ofTeam(stored, key.scheduleId);
    const before = describe(stored, row);
    actor.checkPrecondition?.(before);
    const nowMs = deps.clock.now();
    const layers = await nextLayers(tx, { workspaceId, teamId: key.id }, row, patch, nowMs);
    const { name = row.name } = patch;
    if (!(await saveLayers(tx, workspaceId, stored, row, { ...layers, name }, nowMs))) return before;
    await followSwaps(deps, tx, workspaceId, key.id);
    await requireReachable(deps, tx, workspaceId, key, force);
    const after = await readOne(tx, workspaceId, key);
    await recordAudit(deps, tx, actor, {
      action: 'schedule.updated',
      target: after,
      before: contentOf(before),
      after: contentOf(after),
    });
    return after;
  });
}

/** Deletes a schedule with its overrides. After the first one the next is the first. @throws Fault `not_found`, `precondition_failed` */
export async function deleteSchedule(deps: ScheduleDeps, actor: Actor, key: Key): Promise<void> {
  const { workspaceId } = actor.workspace;
  await deps.db.transaction(async (tx) => {
    await lockTeam(tx, workspaceId, key.id);
    const before = await readOne(tx, workspaceId, key);
    actor.checkPrecondition?.(before);
    await followSwaps(deps, tx, workspaceId, key.id, key.scheduleId);
    await scheduleStore.remove(workspaceId, tx, key.id, key.scheduleId);
    await recordAudit(deps, tx, actor, { action: 'schedule.deleted', target: before, before: contentOf(before) });
  });
}

/**
 * The final shifts of the next 28 days as if a schedule had been created or updated with this input. Nothing changes.
 * @throws Fault `feature_not_in_plan`, `not_found`, `validation_failed`
 */
export async function previewSchedule(
  deps: OnCallDeps,
  { workspace: { workspaceId } }: Actor,
  { id: teamId, scheduleId }: { id: string; scheduleId?: string },
  input: TeamSchedulePatch,
): Promise<OnCallShiftView[]> {
  const nowMs = deps.clock.now();
  return deps.db.transaction(async (tx) => {
    requireFeature(await workspaceEntitlements(tx, workspaceId), 'rotations');
    const stored = await readSchedules(tx, workspaceId, teamId);
    const before = scheduleId === undefined ? undefined : ofTeam(stored, scheduleId);
    return previewLayers(stored, before, await nextLayers(tx, { workspaceId, teamId }, before, input, nowMs), nowMs);
  });
}

/** @throws Fault `validation_failed` with all faults */
async function nextLayers(
  tx: Tx,
  key: { workspaceId: string; teamId: string },
  before: PlannedSchedule | undefined,
  input: TeamSchedulePatch,
  nowMs: number,
): Promise<Layers> {
  const { timezone = before?.timezone ?? 'UTC', holidays = before?.holidays ?? [] } = input;
  if (!input.layers) return { timezone, holidays, layers: before?.layers ?? [] };
  const { layers, faults } = decideLayers(input.layers, timezone, nowMs);
  const lists = input.layers.map(({ participants }, index) => ({
    path: `layers.${index}.participants`,
    userIds: participants,
  }));
  const details = [...faults, ...(await strangersAmong(tx, key, lists))];
  if (details.length > 0) throw invalidFields(details);
  return { timezone, holidays, layers };
}

function ofTeam({ plan }: StoredSchedules, scheduleId: string): PlannedSchedule {
  return found(
    plan.schedules.find(({ id }) => id === scheduleId),
    'schedule',
  );
}

async function readOne(tx: Tx, workspaceId: string, { id, scheduleId }: Key): Promise<TeamSchedule> {
  const stored = await readSchedules(tx, workspaceId, id);
  return describe(stored, ofTeam(stored, scheduleId));
}

function describe({ plan, hasRotations }: StoredSchedules, schedule: PlannedSchedule): TeamSchedule {
  return viewOf(teamScheduleSchema, {
    ...schedule,
    teamId: plan.id,
    holidays: [...schedule.holidays],
    layers: schedule.layers.map(({ turns, restrictions, ...layer }) => ({
      ...layer,
      restrictions: restrictions.map(({ days, ...time }) => ({ days: [...days], ...time })),
      participants: turns.filter((userId) => userId !== null),
    })),
    ...describeCommon(plan, schedule, hasRotations),
  });
}

/** For the audit log: without the overrides, which have entries of their own. */
function contentOf({ teamId, name, timezone, layers, holidays }: TeamSchedule): object {
  return { teamId, name, timezone, layers, holidays };
}
