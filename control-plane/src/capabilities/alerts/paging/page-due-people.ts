import type { Clock } from '@watchpost/shared/clock';
import type { Database, Tx } from '../../../platform/db/database.js';
import { readTeamOnCall, type TeamOnCall } from '../../on-call/index.js';
import type { TimelineNote } from '../delivery/delivery-deps.js';
import { type Contact, deliverTo } from '../delivery/notify-contacts.js';
import { roleAllows } from '../../../platform/identity/caller.js';
import { decideNextStep, ESCALATION } from './decide-escalation.js';
import { makePageLink } from './acknowledge-link.js';
import { type PageKey, type PageRow, pageStore } from './paging-store.js';
import { type PageableMember, type Reach, numbersOf, reachesOf } from './reachable-member.js';
import { blockedNumbers } from '../recipients/own-number.js';
import type { RecipientRules } from '../recipients/recipient-rules.js';

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
export async function pageDue(deps: PagingDeps): Promise<number> {
  let steps = 0;
  for (;;) {
    const now = new Date(deps.clock.now());
    const due = await deps.db.read((tx) => pageStore.due(tx, now, BATCH));
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

async function takeStep(deps: PagingDeps, key: PageKey): Promise<boolean> {
  return deps.db.transaction(async (tx) => {
    const nowMs = deps.clock.now();
    const row = await pageStore.hold(key, tx, new Date(nowMs));
    if (!row) return false;
    const team = await readTeamOnCall(tx, row.workspaceId, row.teamId, nowMs);
    if (!team) {
      await pageStore.advance(row, tx, null);
      return true;
    }
    const reached = await page(deps, tx, row, team, nowMs);
    const next = decideNextStep(row.step, row.began.getTime(), reached, nowMs);
    await pageStore.advance(row, tx, next && { step: next.step, due: new Date(next.dueMs) });
    return true;
  });
}

/** @returns whether there is anybody who can hear of it */
async function page(deps: PagingDeps, tx: Tx, row: PageRow, team: TeamOnCall, nowMs: number): Promise<boolean> {
  const { workspaceId, incidentId, monitorKey } = row;
  const { who } = ESCALATION[row.step]!;
  const userIds = who === 'leads' ? team.leads : team.userId === null ? [] : [team.userId];
  const members = await pageStore.members(workspaceId, tx, userIds);
  const blocked = await blockedNumbers(deps, tx, workspaceId, numbersOf(members));
  const people = members
    .map((person) => ({ person, reaches: reachesHere(deps, person, blocked) }))
    .filter(({ reaches }) => reaches.length > 0);
  const since = new Date(Math.max(row.began.getTime(), nowMs - TOGETHER_MS));
  const pagedNow = new Set(await pageStore.pagedSince(workspaceId, tx, incidentId, since));
  const event = { workspaceId, incidentId, monitorKey, type: 'incident.opened', atMs: nowMs } as const;
  for (const { person, reaches } of people) {
    if (pagedNow.has(person.userId)) continue;
    const contacts = await contactsOf(deps, tx, row, team, person, reaches);
    const purpose = `page:${row.step}:${person.userId}`;
    await deliverTo(deps, tx, [{ event: { ...event, detail: { teamId: row.teamId } }, contacts }], purpose);
  }
  await deps.addTimelineEntries(tx, [noteOf(row, team, people, userIds.length > 0, nowMs)]);
  return people.length > 0;
}

function reachesHere({ hasSms }: PagingDeps, person: PageableMember, blocked: ReadonlySet<string>): Reach[] {
  return reachesOf(person).filter(({ channel, address }) => channel !== 'sms' || (hasSms && !blocked.has(address)));
}

async function contactsOf(
  deps: PagingDeps,
  tx: Tx,
  { workspaceId, incidentId, step }: PageRow,
  team: TeamOnCall,
  { userId, role }: PageableMember,
  reaches: readonly Reach[],
): Promise<Contact[]> {
  const why = WHY[step]!(team.teamName);
  // Each reach has a link of its own, so that one that is lost or forwarded can be used once at most.
  const contacts: Contact[] = [];
  for (const { channel, address } of reaches) {
    const mayAcknowledge = roleAllows(role, 'Responder');
    const acknowledgeUrl = mayAcknowledge ? await makePageLink(deps, tx, { workspaceId, incidentId, userId }) : null;
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
  { workspaceId, incidentId, teamId, step }: PageRow,
  team: TeamOnCall,
  people: readonly { person: PageableMember; reaches: readonly Reach[] }[],
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
