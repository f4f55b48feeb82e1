import type { Clock } from '@watchpost/shared/clock';
import type { Transactions, Tx } from '../../platform/db/database.js';
import { groupBy } from '@watchpost/shared/group-by';
import type { PeriodicTask } from '../../platform/jobs/periodic-task.js';
import { roleAllows } from '../../platform/identity/caller.js';
import { readTeamOnCall, type TeamOnCall } from '../on-call/index.js';
import {
  type Contact,
  type DeliveryMetrics,
  issueAcknowledgeLinks,
  noteRefused,
  notifyContacts,
  PAGE_PURPOSE,
} from '../delivery/index.js';
import { addTimelineEntries, type TimelineEntry } from '../timeline/index.js';
import { decideNextStep, ESCALATION } from './decide-escalation.js';
import { IS_PAGE_DUE, type PagingKey, type PagingRow, pagingStore } from './paging-store.js';
import { type ReachablePerson, type ReachDeps, readReachable } from './read-reachable.js';

export interface PagingDeps extends ReachDeps {
  db: Transactions;
  clock: Clock;
  /** Without a trailing slash. */
  baseUrl: string;
  metrics: Pick<DeliveryMetrics, 'refused'>;
}

/** Steps that are looked for at once. Those of one team are taken in one transaction. */
const BATCH = 500;
/** A person whom several teams page for one incident within this time is paged once. */
const TOGETHER_MS = 60_000;

/** Pages the people who are due. */
export function pagingTask(deps: PagingDeps): PeriodicTask {
  return { name: 'page_due', everyMs: 1_000, isDue: IS_PAGE_DUE, run: () => pageDuePeople(deps) };
}

/**
 * Takes all due steps of paging: the person on call, that person again, the leads. A step is stored in the transaction
 * that queues its messages, so it happens once even if this process dies.
 * @returns the number of steps taken
 * @throws the first error of a step, after all others are taken
 */
async function pageDuePeople(deps: PagingDeps): Promise<number> {
  let steps = 0;
  for (;;) {
    const now = new Date(deps.clock.now());
    const due = await deps.db.read((tx) => pagingStore.due(tx, now, BATCH));
    let taken = 0;
    const failures: unknown[] = [];
    const takeAll = async (keys: readonly PagingKey[]): Promise<void> => {
      try {
        taken += await takeSteps(deps, keys);
      } catch (error) {
        // A step that fails must not prevent the others.
        if (keys.length === 1) failures.push(error);
        else for (const key of keys) await takeAll([key]);
      }
    };
    for (const keys of groupBy(due, ({ teamId }) => teamId).values()) await takeAll(keys);
    steps += taken;
    // The rest is locked by other workers or fails: repeating now would not end.
    if (taken > 0) continue;
    if (failures.length > 0) throw failures[0];
    return steps;
  }
}

/** Takes steps of one team together. @returns how many */
async function takeSteps(deps: PagingDeps, keys: readonly PagingKey[]): Promise<number> {
  const { workspaceId, teamId } = keys[0]!;
  return deps.db.transaction(async (tx) => {
    const nowMs = deps.clock.now();
    const incidentIds = keys.map(({ incidentId }) => incidentId);
    const rows = await pagingStore.lock(workspaceId, tx, { teamId, incidentIds }, new Date(nowMs));
    if (rows.length === 0) return 0;
    const team = await readTeamOnCall(tx, workspaceId, teamId, nowMs);
    const reached = team && (await page(deps, tx, rows, team, nowMs));
    await pagingStore.advance(
      tx,
      rows.map((row) => ({
        ...row,
        next: reached ? decideNextStep(row.step, row.began.getTime(), reached.has(row), nowMs) : null,
      })),
    );
    return rows.length;
  });
}

/** Pages the people of steps of one team. @returns the steps for which anybody can be reached */
async function page(
  deps: PagingDeps,
  tx: Tx,
  rows: readonly PagingRow[],
  team: TeamOnCall,
  nowMs: number,
): Promise<Set<PagingRow>> {
  const { workspaceId, teamId } = rows[0]!;
  const idsOf = ({ step }: PagingRow): string[] =>
    ESCALATION[step]!.who === 'leads' ? team.leads : team.userId === null ? [] : [team.userId];
  const members = await readReachable(deps, tx, workspaceId, [...new Set(rows.flatMap(idsOf))]);
  const reachable = members.filter(({ points }) => points.length > 0);
  const peopleOf = (row: PagingRow): ReachablePerson[] =>
    reachable.filter(({ person }) => idsOf(row).includes(person.userId));
  const since = (row: PagingRow): Date => new Date(Math.max(row.began.getTime(), nowMs - TOGETHER_MS));
  const earlier = await pagingStore.pagedSince(
    workspaceId,
    tx,
    rows.map((row) => ({ incidentId: row.incidentId, since: since(row) })),
  );
  const isPaged = new Set(earlier.map(({ incidentId, userId }) => `${incidentId} ${userId}`));
  const pages = rows.flatMap((row) =>
    peopleOf(row)
      .filter(({ person }) => !isPaged.has(`${row.incidentId} ${person.userId}`))
      .map((one) => ({ row, ...one })),
  );
  const contacts = await contactsOf(deps, tx, pages, team);
  await notifyContacts(
    deps,
    tx,
    pages.map(({ row: { incidentId, monitorKey, step }, person }, index) => ({
      event: { workspaceId, incidentId, monitorKey, type: 'incident.opened', atMs: nowMs, detail: { teamId } },
      contacts: contacts[index]!,
      purpose: `${PAGE_PURPOSE}:${step}:${person.userId}`,
    })),
    async (refused) => {
      await noteRefused(deps, tx, refused);
      deps.metrics.refused(refused.length);
    },
  );
  await addTimelineEntries(
    tx,
    rows.map((row) => entryOf(row, team, peopleOf(row), idsOf(row).length > 0, nowMs)),
  );
  return new Set(rows.filter((row) => peopleOf(row).length > 0));
}

/** @returns the contacts of each page */
async function contactsOf(
  deps: PagingDeps,
  tx: Tx,
  pages: readonly (ReachablePerson & { row: PagingRow })[],
  team: TeamOnCall,
): Promise<Contact[][]> {
  const mayAcknowledge = ({ person }: ReachablePerson): boolean => roleAllows(person.role, 'Responder');
  // Each message has a link of its own, so that a lost or forwarded one can be used at most once.
  const links = await issueAcknowledgeLinks(
    deps,
    tx,
    pages
      .filter(mayAcknowledge)
      .flatMap(({ row: { workspaceId, incidentId }, person: { userId }, points }) =>
        points.map(() => ({ workspaceId, incidentId, userId })),
      ),
  );
  return pages.map((one) =>
    one.points.map(({ channel, address }): Contact => {
      const why = WHY[one.row.step]!(team.teamName);
      return { channel, address, extra: mayAcknowledge(one) ? { why, acknowledgeUrl: links.shift()! } : { why } };
    }),
  );
}

const WHY: readonly ((teamName: string) => string)[] = [
  (team) => `You are on call for ${team}.`,
  (team) => `You are on call for ${team}, and nobody has acknowledged this for 10 minutes.`,
  (team) => `You lead ${team}, and nobody has acknowledged this.`,
];

function entryOf(
  { workspaceId, incidentId, teamId, step }: PagingRow,
  team: TeamOnCall,
  people: readonly ReachablePerson[],
  hasPeople: boolean,
  atMs: number,
): TimelineEntry {
  const { who } = ESCALATION[step]!;
  const about = { teamId, team: team.teamName, step, who };
  if (people.length > 0) {
    const detail = {
      ...about,
      people: people.map(({ person, points }) => ({
        userId: person.userId,
        name: person.name ?? person.email,
        channels: points.map(({ channel }) => channel),
      })),
    };
    return { workspaceId, incidentId, event: { type: 'paged', atMs, detail } };
  }
  const reason = hasPeople
    ? 'The people to page have neither email nor SMS by which they can be reached.'
    : who === 'leads' && !team.planRestricted
      ? `${team.teamName} has no lead who could be paged.`
      : (team.why ?? `Nobody of ${team.teamName} could be paged.`);
  return { workspaceId, incidentId, event: { type: 'notification_failed', atMs, detail: { ...about, reason } } };
}
