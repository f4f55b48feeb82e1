import type { Clock } from '@watchpost/shared/clock';
import { Fault, found } from '@watchpost/shared/fault';
import { newId } from '@watchpost/shared/id';
import { DAY_MS, HOUR_MS } from '@watchpost/shared/time';
import type { Database } from '../../platform/db/database.js';
import { type ListPage, mapPage, type Rows } from '../../platform/db/tx.js';
import { viewOf } from '../../platform/http/view-of.js';
import type { Actor } from '../../platform/identity/caller.js';
import { recordAudit } from '../audit/index.js';
import { KEPT_DAYS, type Mark, type MarkInput, markSchema } from './mark-schemas.js';
import { type MarkRow, markStore } from './mark-store.js';

export interface MarkDeps {
  db: Database;
  clock: Clock;
}

/** A hundred a day for as long as they are kept. */
const MAX_MARKS = 100 * KEPT_DAYS;
/** What clocks of build machines may be ahead. */
const AHEAD_MS = HOUR_MS;

/** Records what happened outside. @throws Fault validation_failed */
export async function createMark(deps: MarkDeps, actor: Actor, { at, ...input }: MarkInput): Promise<Mark> {
  const { workspaceId } = actor.workspace;
  const nowMs = deps.clock.now();
  const atMs = at ?? nowMs;
  if (atMs < nowMs - KEPT_DAYS * DAY_MS || atMs > nowMs + AHEAD_MS)
    throw refusal('at', `must lie in the past ${KEPT_DAYS} days`);
  const row = { ...input, id: newId(nowMs), at: new Date(atMs), created: new Date(nowMs) };
  return deps.db.transaction(async (tx) => {
    if ((await markStore.count(workspaceId, tx)) >= MAX_MARKS)
      throw refusal('', `This workspace has ${MAX_MARKS} marks, the most there may be: delete some first.`);
    await markStore.insert(workspaceId, tx, row);
    const view = describe(row);
    await recordAudit(deps, tx, actor, { action: 'mark.created', target: targetOf(row), after: view });
    return view;
  });
}

/** Newest first. */
export async function listMarks(
  { db, clock }: MarkDeps,
  { workspace: { workspaceId } }: Pick<Actor, 'workspace'>,
  { startDate, endDate }: { startDate?: number | undefined; endDate?: number | undefined },
  page: Rows,
): Promise<ListPage<Mark>> {
  const from = new Date(startDate ?? 0);
  const until = new Date(endDate ?? clock.now() + 2 * AHEAD_MS);
  return db.read(async (tx) => mapPage(await markStore.page(workspaceId, tx, from, until, page), describe));
}

/** @throws Fault not_found, precondition_failed */
export async function deleteMark(deps: MarkDeps, actor: Actor, id: string): Promise<void> {
  const { workspaceId } = actor.workspace;
  await deps.db.transaction(async (tx) => {
    const row = found((await markStore.find(workspaceId, tx, id)) ?? undefined, 'mark');
    actor.checkPrecondition?.(describe(row));
    await markStore.remove(workspaceId, tx, id);
    await recordAudit(deps, tx, actor, { action: 'mark.deleted', target: targetOf(row), before: describe(row) });
  });
}

/** To be run now and then. */
export async function purgeMarks({ db, clock }: MarkDeps): Promise<void> {
  await db.transaction((tx) => markStore.purge(tx, new Date(clock.now() - KEPT_DAYS * DAY_MS)));
}

function describe(row: MarkRow): Mark {
  return viewOf(markSchema, row);
}

function targetOf({ id, text }: MarkRow) {
  return { id, name: text };
}

function refusal(path: string, message: string): Fault {
  return new Fault('validation_failed', path === '' ? message : `${path} ${message}.`, [{ path, message }]);
}
