import { viewOf } from '../../platform/http/view-of.js';
import { Fault, found } from '@watchpost/shared/fault';
import { newId } from '@watchpost/shared/id';
import { MASK } from '@watchpost/shared/secrets/secret-header';
import { hashToken, makeToken } from '../../platform/identity/secret-token.js';
import { type ListPage, mapPage, type Rows } from '../../platform/db/tx.js';
import { recordAudit } from '../audit/index.js';
import { type Actor, roleAllows } from '../../platform/identity/caller.js';
import {
  type CalendarLink,
  type CalendarLinkInput,
  calendarLinkSchema,
  type NewCalendarLink,
} from './calendar-link-schemas.js';
import { type CalendarLinkRow, calendarLinkStore } from './calendar-link-store.js';
import type { OnCallDeps } from './on-call-deps.js';
import { readCalendar } from './read-on-call.js';
import { lockTeam, requireTeam } from './teams.js';

export interface CalendarLinkDeps extends OnCallDeps {
  /** Without a slash at the end. */
  baseUrl: string;
}

/** Path under which calendar programs read a calendar. */
export const CALENDAR_PATH = '/calendar';
/** Links per person and team: enough for all devices of a person. */
export const MAX_LINKS = 5;
/** `lastRead` has a resolution of an hour, so that not every read of a link causes a write. */
const NOTED_EVERY_MS = 3_600_000;

/**
 * Creates a link through which a calendar program reads the calendar of a team for the caller. Only this answer contains it.
 * @throws Fault `not_found`, `validation_failed`
 */
export async function addCalendarLink(
  deps: CalendarLinkDeps,
  actor: Actor,
  teamId: string,
  { name }: CalendarLinkInput,
): Promise<NewCalendarLink> {
  const { workspaceId } = actor.workspace;
  const { userId } = actor.caller;
  const token = makeToken();
  const row = await deps.db.transaction(async (tx) => {
    await lockTeam(tx, workspaceId, teamId);
    if ((await calendarLinkStore.count(workspaceId, tx, teamId, userId)) >= MAX_LINKS) {
      const message = `You have ${MAX_LINKS} links to this calendar, the most there may be: delete one first.`;
      throw new Fault('validation_failed', message, [{ path: '', message }]);
    }
    const nowMs = deps.clock.now();
    const made = { id: newId(nowMs), userId, name, created: new Date(nowMs), lastRead: null };
    await calendarLinkStore.insert(workspaceId, tx, teamId, { ...made, hash: hashToken(token) });
    await recordAudit(deps, tx, actor, {
      action: 'calendar_link.created',
      target: made,
      after: { teamId, userId, name, url: MASK },
    });
    return made;
  });
  return { ...describe(row), url: `${deps.baseUrl}${CALENDAR_PATH}/${token}/on-call.ics` };
}

/** The caller's own links; for administrators of the workspace, all links. @throws Fault `not_found` */
export async function listCalendarLinks(
  deps: OnCallDeps,
  actor: Actor,
  teamId: string,
  page: Rows,
): Promise<ListPage<CalendarLink>> {
  const { workspaceId } = actor.workspace;
  return deps.db.read(async (tx) => {
    await requireTeam(tx, workspaceId, teamId);
    return mapPage(await calendarLinkStore.page(workspaceId, tx, teamId, whose(actor), page), describe);
  });
}

/**
 * Revokes a link at once: the caller's own, or any link for administrators of the workspace.
 * @throws Fault `not_found`, `precondition_failed`
 */
export async function removeCalendarLink(
  deps: OnCallDeps,
  actor: Actor,
  { id: teamId, linkId }: { id: string; linkId: string },
): Promise<void> {
  const { workspaceId } = actor.workspace;
  await deps.db.transaction(async (tx) => {
    await lockTeam(tx, workspaceId, teamId);
    const row = found(await calendarLinkStore.ofTeam(workspaceId, tx, teamId, whose(actor), linkId), 'calendar link');
    actor.checkPrecondition?.(steadyPart(describe(row)));
    await calendarLinkStore.remove(workspaceId, tx, teamId, linkId);
    await recordAudit(deps, tx, actor, {
      action: 'calendar_link.deleted',
      target: row,
      before: { teamId, userId: row.userId, name: row.name, url: MASK },
    });
  });
}

export type SteadyLink = Omit<CalendarLink, 'lastRead'>;

/** The part of a link that its ETag covers: all but `lastRead`. */
export function steadyPart({ id, userId, name, created }: CalendarLink): SteadyLink {
  return { id, userId, name, created };
}

/**
 * The calendar of a link.
 * @param admit rejects when the link is read too often
 * @throws Fault `not_found`, the same for unknown and revoked links
 */
export async function readLinkedCalendar(
  deps: OnCallDeps,
  token: string,
  admit: (linkId: string) => Promise<void>,
): Promise<{ text: string; content: object }> {
  const link = await deps.db.read((tx) => calendarLinkStore.find(tx, hashToken(token)));
  if (!link)
    throw new Fault('not_found', 'This calendar link leads nowhere, or no longer: make a new one for the team.');
  await admit(link.id);
  const { workspaceId, teamId, id } = link;
  const calendar = await readCalendar(deps, { workspace: { workspaceId } }, teamId);
  const nowMs = deps.clock.now();
  if (link.lastRead === null || nowMs - link.lastRead.getTime() >= NOTED_EVERY_MS)
    await deps.db.transaction((tx) => calendarLinkStore.markRead(workspaceId, tx, id, new Date(nowMs)));
  return calendar;
}

/** The user whose links the caller may see; null means all. */
function whose({ workspace: { role }, caller: { userId } }: Actor): string | null {
  return roleAllows(role, 'Admin') ? null : userId;
}

function describe(row: CalendarLinkRow): CalendarLink {
  return viewOf(calendarLinkSchema, row);
}
