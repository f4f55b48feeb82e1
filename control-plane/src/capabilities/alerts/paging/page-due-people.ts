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
  /** Without a slash at the end. */
  baseUrl: string;
  /** Whether this installation can send SMS at all: who has nothing else is reached by nothing. */
  hasSms: boolean;
  /** Incidents are above alerts: what their timelines are told goes through this. */
  addTimelineEntries(tx: Tx, notes: readonly TimelineNote[]): Promise<void>;
}

const BATCH = 100;
/** Whoever is paged by several teams for one incident at once is paged once. */
const TOGETHER_MS = 60_000;

/**
 * Pages everybody whose turn it is: who is on call at this moment, that person again, the leads. Each step is written
 * with its messages, so that it happens once, whatever ends this process.
 * @returns how many steps were taken
 * @throws what kept a step from being taken, once all others are
 */
export async function pageDuePeople(deps: PagingDeps): Promise<number> {
  let steps = 0;
  for (;;) {
    const now = new Date(deps.clock.now());
    const due = await deps.db.read((tx) => pagingStore.due(tx, now, BATCH));
    let taken = 0;
    const failures: unknown[] = [];
    for (const key of due) {
      // One page that cannot be made must not keep the others from going out.
      const isTaken = await takeStep(deps, key).catch((error: unknown) => {
        failures.push(error);
        return false;
      });
      if (isTaken) taken++;
    }
    steps += taken;
    // What another worker is at is that one's; without this the same would be looked at for ever.
    if (taken > 0) continue;
    if (failures.length > 0) throw failures[0];
    return steps;
  }
}

async function takeStep(deps: PagingDeps, key: PagingKey): Promise<boolean> {
  return deps.db.transaction(async (tx) => {
    const nowMs = deps.clock.now();
    const row = await pagingStore.hold(key, tx, new Date(nowMs));
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

/** @returns whether there is anybody who can hear of it */
async function page(deps: PagingDeps, tx: Tx, row: PagingRow, team: TeamOnCall, nowMs: number): Promise<boolean> {
  const { workspaceId, incidentId, monitorKey } = row;
  const { who } = ESCALATION[row.step]!;
  const userIds = who === 'leads' ? team.leads : team.userId === null ? [] : [team.userId];
  const members = await pagingStore.members(workspaceId, tx, userIds);
  const blocked = await blockedNumbers(deps, tx, workspaceId, phoneNumbersOf(members));
  const people = members
    .map((person) => ({ person, reaches: reachesHere(deps, person, blocked) }))
    .filter(({ reaches }) => reaches.length > 0);
  const since = new Date(Math.max(row.began.getTime(), nowMs - TOGETHER_MS));
  const pagedNow = new Set(await pagingStore.pagedSince(workspaceId, tx, incidentId, since));
  const event = { workspaceId, incidentId, monitorKey, type: 'incident.opened', atMs: nowMs } as const;
  for (const { person, reaches } of people) {
    if (pagedNow.has(person.userId)) continue;
    const contacts = await contactsOf(deps, tx, row, team, person, reaches);
    const purpose = `page:${row.step}:${person.userId}`;
    await notifyContacts(deps, tx, [{ event: { ...event, detail: { teamId: row.teamId } }, contacts }], purpose);
  }
  await deps.addTimelineEntries(tx, [noteOf(row, team, people, userIds.length > 0, nowMs)]);
  return people.length > 0;
}

function reachesHere({ hasSms }: PagingDeps, person: ReachableMember, blocked: ReadonlySet<string>): ContactPoint[] {
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
  reaches: readonly ContactPoint[],
): Promise<Contact[]> {
  const why = WHY[step]!(team.teamName);
  // Each reach has a link of its own, so that one that is lost or forwarded can be used once at most.
  const contacts: Contact[] = [];
  for (const { channel, address } of reaches) {
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

function noteOf(
  { workspaceId, incidentId, teamId, step }: PagingRow,
  team: TeamOnCall,
  people: readonly { person: ReachableMember; reaches: readonly ContactPoint[] }[],
  hasAnybody: boolean,
  atMs: number,
): TimelineNote {
  const { who } = ESCALATION[step]!;
  const about = { teamId, team: team.teamName, step, who };
  if (people.length > 0) {
    const detail = {
      ...about,
      people: people.map(({ person, reaches }) => ({
        userId: person.userId,
        name: person.name ?? person.email,
        channels: reaches.map(({ channel }) => channel),
      })),
    };
    return { workspaceId, incidentId, event: { type: 'paged', atMs, detail } };
  }
  const reason = hasAnybody
    ? 'Whoever was to be paged has neither email nor SMS that would reach them.'
    : who === 'leads' && !team.planRestricted
      ? `${team.teamName} has no lead who could be paged.`
      : (team.why ?? `Nobody of ${team.teamName} could be paged.`);
  return { workspaceId, incidentId, event: { type: 'notification_failed', atMs, detail: { ...about, reason } } };
}
