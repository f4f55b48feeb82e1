import { newId } from '@watchpost/shared/id';
import type { Tx } from '../../platform/db/database.js';
import { notifyContacts, PAGE_PURPOSE } from '../delivery/index.js';
import { addTimelineEntries, type TimelineEntry } from '../timeline/index.js';
import type { PageReminderEntity } from './page-reminder.entity.js';
import { pageReminderStore } from './page-reminder-store.js';
import { contactsOf, noteRefusedPages, type Page, type PagingDeps } from './page-messages.js';
import { pagingStore } from './paging-store.js';
import { takeDue } from './take-due.js';
import { type ReachablePerson, readReachable } from './read-reachable.js';

/** A person whom several teams page for one incident within this time is paged once. */
export const TOGETHER_MS = 60_000;
/** Later messages that are looked for at once. Those of one workspace are sent in one transaction. */
const BATCH = 500;

/** A page of a person, and what the timeline has about it beside the person. */
export type StoredPage = Page & { teamId: string; monitorKey: number; about: PageReminderEntity['about'] };

/** Stores the messages that the rules of people want later, in the transaction that pages them. */
export async function addReminders(tx: Tx, pages: readonly StoredPage[], nowMs: number): Promise<void> {
  await pageReminderStore.insert(
    tx,
    pages.flatMap(({ workspaceId, incidentId, teamId, monitorKey, about, reached: { person, points } }) => {
      const times = new Map(
        points
          .filter(({ afterMs }) => afterMs > 0)
          .map(({ channel, afterMs }) => [`${channel} ${afterMs}`, { channel, afterMs }]),
      );
      return [...times.values()].map(({ channel, afterMs }) => ({
        id: newId(nowMs),
        ...{ workspaceId, incidentId, teamId, monitorKey, channel, about, userId: person.userId },
        paged: new Date(nowMs),
        dueAt: new Date(nowMs + afterMs),
      }));
    }),
  );
}

/**
 * Sends the later messages that are due, unless nobody has to be paged any more. A message is removed in the transaction
 * that queues it, so it is sent once even if this process dies.
 * @returns how many were taken
 * @throws the first error, after all others are sent
 */
export async function sendDueReminders(deps: PagingDeps): Promise<number> {
  return takeDue<Pick<PageReminderEntity, 'id' | 'workspaceId' | 'incidentId'>>(
    (failed) => deps.db.read((tx) => pageReminderStore.due(tx, new Date(deps.clock.now()), BATCH, failed)),
    ({ workspaceId }) => workspaceId,
    (due) => deps.db.transaction((tx) => takeReminders(deps, tx, due[0]!.workspaceId, due)),
  );
}

async function takeReminders(
  deps: PagingDeps,
  tx: Tx,
  workspaceId: string,
  due: readonly Pick<PageReminderEntity, 'id' | 'incidentId'>[],
): Promise<number> {
  const wanted = await pagingStore.lockWanted(workspaceId, tx, [...new Set(due.map(({ incidentId }) => incidentId))]);
  const ids = due.map(({ id }) => id);
  const rows = await pageReminderStore.take(workspaceId, tx, ids, TOGETHER_MS);
  await send(
    deps,
    tx,
    workspaceId,
    rows.filter(({ incidentId }) => wanted.has(incidentId)),
  );
  return rows.length;
}

async function send(deps: PagingDeps, tx: Tx, workspaceId: string, rows: readonly PageReminderEntity[]): Promise<void> {
  if (rows.length === 0) return;
  const nowMs = deps.clock.now();
  const people = await readReachable(deps, tx, workspaceId, [...new Set(rows.map(({ userId }) => userId))]);
  const byUser = new Map(people.map((one) => [one.person.userId, one]));
  const gone = rows.filter(({ userId }) => !byUser.has(userId));
  const pages = rows.flatMap((row): (StoredPage & { row: PageReminderEntity })[] => {
    const reached = byUser.get(row.userId);
    if (!reached) return [];
    const points = reached.addresses
      .filter(({ channel }) => channel === row.channel)
      .map((one) => ({ ...one, afterMs: 0 }));
    const { incidentId, teamId, monitorKey, about } = row;
    const why = 'You were paged for this, and nobody has acknowledged it.';
    return [{ row, workspaceId, incidentId, teamId, monitorKey, about, why, reached: { ...reached, points } }];
  });
  const contacts = await contactsOf(deps, tx, pages);
  await notifyContacts(
    deps,
    tx,
    pages.map(({ incidentId, monitorKey, teamId, about, reached: { person } }, place) => ({
      event: { workspaceId, incidentId, monitorKey, type: 'incident.opened', atMs: nowMs, detail: { teamId } },
      contacts: contacts[place]!,
      purpose: `${PAGE_PURPOSE}:${about.step}:${person.userId}`,
    })),
    noteRefusedPages(deps, tx),
  );
  await addTimelineEntries(tx, [
    ...pages.map(({ row, reached }) => entryOf(row, reached, nowMs)),
    ...gone.map((row) =>
      failureOf(row, 'A person to page by a rule is no active member of the workspace any more.', nowMs),
    ),
  ]);
}

function entryOf(row: PageReminderEntity, { person, points }: ReachablePerson, atMs: number): TimelineEntry {
  const { workspaceId, incidentId, channel, about } = row;
  const name = person.name ?? person.email;
  if (points.length > 0) {
    const detail = { ...about, people: [{ userId: person.userId, name, channels: [channel] }] };
    return { workspaceId, incidentId, event: { type: 'paged', atMs, detail } };
  }
  const who = name ?? 'A member of the team';
  return failureOf(row, `${who} could not be paged by a rule: nothing can be sent by ${channel} any more.`, atMs);
}

function failureOf(
  { workspaceId, incidentId, about }: PageReminderEntity,
  reason: string,
  atMs: number,
): TimelineEntry {
  return { workspaceId, incidentId, event: { type: 'notification_failed', atMs, detail: { ...about, reason } } };
}
