import type { Clock } from '@watchpost/shared/clock';
import type { Database, Tx } from '../../../platform/db/database.js';
import { roleAllows } from '../../../platform/identity/caller.js';
import { readTeamOnCall, type TeamOnCall } from '../../on-call/index.js';
import type { TimelineNote } from '../delivery/delivery-deps.js';
import { type Contact, notifyContacts } from '../delivery/notify-contacts.js';
import { blockedNumbers } from '../recipients/own-number.js';
import type { RecipientRules } from '../recipients/decide-recipient-state.js';
import { decideNextStep, ESCALATION } from './decide-escalation.js';
import { issueAcknowledgeLink } from './acknowledge-link.js';
import { type PagingKey, type PagingRow, pagingStore } from './paging-store.js';
import { type ReachableMember, type ContactPoint, phoneNumbersOf, contactPointsOf } from './reachable-member.js';

export interface PagingDeps extends RecipientRules {
  db: Database;
  clock: Clock;
  /** Without a trailing slash. */
  baseUrl: string;
  /** Whether this installation can send SMS. If not, people are reached by email only. */
  hasSms: boolean;
  /** Adds to the timelines of incidents, which are a slice above this one. */
  addTimelineEntries(tx: Tx, notes: readonly TimelineNote[]): Promise<void>;
}

const BATCH = 100;
/** A person whom several teams page for one incident within this time is paged once. */
const TOGETHER_MS = 60_000;

/**
 * Takes all due steps of paging: the person on call, that person again, the leads. A step is stored in the transaction
 * that queues its messages, so it happens once even if this process dies.
 * @returns the number of steps taken
 * @throws the first error of a step, after all others are taken
 */
export async function pageDuePeople(deps: PagingDeps): Promise<number> {
  let steps = 0;
  for (;;) {
    const now = new Date(deps.clock.now());
    const due = await deps.db.read((tx) => pagingStore.due(tx, now, BATCH));
    let taken = 0;
    const failures: unknown[] = [];
    for (const key of due) {
      // A step that fails must not prevent the others.
      const isTaken = await takeStep(deps, key).catch((error: unknown) => {
        failures.push(error);
        return false;
      });
      if (isTaken) taken++;
    }
    steps += taken;
    // The rest is locked by other workers or fails: repeating now would not end.
    if (taken > 0) continue;
    if (failures.length > 0) throw failures[0];
    return steps;
  }
}

async function takeStep(deps: PagingDeps, key: PagingKey): Promise<boolean> {
  return deps.db.transaction(async (tx) => {
    const nowMs = deps.clock.now();
    const row = await pagingStore.lock(key, tx, new Date(nowMs));
    if (!row) return false;
    const team = await readTeamOnCall(tx, row.workspaceId, row.teamId, nowMs);
    if (!team) {
      await pagingStore.advance(row, tx, null);
      return true;
    }
    const reached = await page(deps, tx, row, team, nowMs);
    const next = decideNextStep(row.step, row.began.getTime(), reached, nowMs);
    await pagingStore.advance(row, tx, next && { step: next.step, due: new Date(next.dueMs) });
    return true;
  });
}

/** Pages the people of a step. @returns whether anybody can be reached */
async function page(deps: PagingDeps, tx: Tx, row: PagingRow, team: TeamOnCall, nowMs: number): Promise<boolean> {
  const { workspaceId, incidentId, monitorKey } = row;
  const { who } = ESCALATION[row.step]!;
  const userIds = who === 'leads' ? team.leads : team.userId === null ? [] : [team.userId];
  const members = await pagingStore.members(workspaceId, tx, userIds);
  const blocked = await blockedNumbers(deps, tx, workspaceId, phoneNumbersOf(members));
  const people = members
    .map((person) => ({ person, points: reachablePoints(deps, person, blocked) }))
    .filter(({ points }) => points.length > 0);
  const since = new Date(Math.max(row.began.getTime(), nowMs - TOGETHER_MS));
  const pagedNow = new Set(await pagingStore.pagedSince(workspaceId, tx, incidentId, since));
  const event = { workspaceId, incidentId, monitorKey, type: 'incident.opened', atMs: nowMs } as const;
  for (const { person, points } of people) {
    if (pagedNow.has(person.userId)) continue;
    const contacts = await contactsOf(deps, tx, row, team, person, points);
    const purpose = `page:${row.step}:${person.userId}`;
    await notifyContacts(deps, tx, [{ event: { ...event, detail: { teamId: row.teamId } }, contacts }], purpose);
  }
  await deps.addTimelineEntries(tx, [entryOf(row, team, people, userIds.length > 0, nowMs)]);
  return people.length > 0;
}

function reachablePoints(
  { hasSms }: PagingDeps,
  person: ReachableMember,
  blocked: ReadonlySet<string>,
): ContactPoint[] {
  return contactPointsOf(person).filter(
    ({ channel, address }) => channel !== 'sms' || (hasSms && !blocked.has(address)),
  );
}

async function contactsOf(
  deps: PagingDeps,
  tx: Tx,
  { workspaceId, incidentId, step }: PagingRow,
  team: TeamOnCall,
  { userId, role }: ReachableMember,
  points: readonly ContactPoint[],
): Promise<Contact[]> {
  const why = WHY[step]!(team.teamName);
  // Each message has a link of its own, so that a lost or forwarded one can be used at most once.
  const contacts: Contact[] = [];
  for (const { channel, address } of points) {
    const mayAcknowledge = roleAllows(role, 'Responder');
    const acknowledgeUrl = mayAcknowledge
      ? await issueAcknowledgeLink(deps, tx, { workspaceId, incidentId, userId })
      : null;
    contacts.push({ channel, address, extra: { why, ...(acknowledgeUrl === null ? {} : { acknowledgeUrl }) } });
  }
  return contacts;
}

const WHY: readonly ((teamName: string) => string)[] = [
  (team) => `You are on call for ${team}.`,
  (team) => `You are on call for ${team}, and nobody has acknowledged this for 10 minutes.`,
  (team) => `You lead ${team}, and nobody has acknowledged this.`,
];

function entryOf(
  { workspaceId, incidentId, teamId, step }: PagingRow,
  team: TeamOnCall,
  people: readonly { person: ReachableMember; points: readonly ContactPoint[] }[],
  hasPeople: boolean,
  atMs: number,
): TimelineNote {
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
