import { formatDuration } from '@watchpost/shared/duration';
import { LONGEST_PAGING_MS } from '@watchpost/shared/escalation-rounds';
import { DAY_MS, MINUTE_MS } from '@watchpost/shared/time';
import type { Tx } from '../../platform/db/database.js';
import type { PeriodicTask } from '../../platform/jobs/periodic-task.js';
import {
  type EscalationStep,
  type EscalationTarget,
  readTeamOnCall,
  type TeamOnCall,
  type TeamPolicy,
} from '../on-call/index.js';
import { notifyContacts, PAGE_PURPOSE, queueEvents } from '../delivery/index.js';
import { addTimelineEntries, type TimelineEntry } from '../timeline/index.js';
import {
  decideAwaited,
  decideNextStep,
  decideStep,
  type EscalationPosition,
  isTooLate,
  policyFor,
  waitMs,
} from './decide-escalation.js';
import { type PageableGroup, readPageableGroups, whyNotPaged } from './pageable-groups.js';
import { IS_PAGE_DUE, type PagingKey, type PagingProgress, type PagingRow, pagingStore } from './paging-store.js';
import { contactsOf, noteRefusedPages, type PagingDeps } from './page-messages.js';
import { IS_REMINDER_DUE, pageReminderStore } from './page-reminder-store.js';
import { addReminders, sendDueReminders, type StoredPage, TOGETHER_MS } from './page-reminders.js';
import { takeDue } from './take-due.js';
import { type ReachablePerson, readReachable } from './read-reachable.js';

/** Steps that are looked for at once. Those of one team are taken in one transaction. */
const BATCH = 500;
const LASTED_TOO_LONG = `This was the last step: paging ends ${LONGEST_PAGING_MS / DAY_MS} days after it began. Nobody is paged for this incident any more, unless it fails again or an acknowledgement is taken back.`;

/** Pages the people who are due, and sends the later messages of pages that they want. */
export function pagingTask(deps: PagingDeps): PeriodicTask {
  return {
    name: 'page_due',
    everyMs: 1_000,
    isDue: `${IS_PAGE_DUE} OR ${IS_REMINDER_DUE}`,
    run: async () => {
      // A step first: it may stop later messages. One that fails prevents none of them.
      const [steps, later] = [await settled(pageDuePeople(deps)), await settled(sendDueReminders(deps))];
      if ('failure' in steps) throw steps.failure;
      if ('failure' in later) throw later.failure;
      return steps.count + later.count;
    },
  };
}

async function settled(work: Promise<number>): Promise<{ count: number } | { failure: unknown }> {
  return work.then(
    (count) => ({ count }),
    (failure: unknown) => ({ failure }),
  );
}

/**
 * Takes all due steps of paging. A step is stored in the transaction
 * that queues its messages, so it happens once even if this process dies.
 * @returns the number of steps taken
 * @throws the first error of a step, after all others are taken
 */
async function pageDuePeople(deps: PagingDeps): Promise<number> {
  return takeDue<PagingKey>(
    (failed) => deps.db.read((tx) => pagingStore.due(tx, new Date(deps.clock.now()), BATCH, failed)),
    ({ teamId }) => teamId,
    (keys) => takeSteps(deps, keys),
  );
}

/** A step that is due. */
interface ChosenStep {
  row: PagingRow;
  policy: TeamPolicy;
  position: EscalationPosition;
  step: EscalationStep;
}

/** A step that is taken, and whom it pages. */
interface TakenStep extends ChosenStep {
  /** Who can be reached, without those who have acknowledged. */
  people: readonly ReachablePerson[];
  /** Who cannot. */
  mute: readonly ReachablePerson[];
  /** The action groups that are notified now. */
  groups: readonly PageableGroup[];
  /** Those that are notified when their own rules permit it. */
  later: readonly PageableGroup[];
  /** Why targets reach nobody, in sentences. */
  unreached: readonly string[];
}

/** Takes steps of one team together. @returns how many were taken, stopped or moved on */
async function takeSteps(deps: PagingDeps, keys: readonly PagingKey[]): Promise<number> {
  const { workspaceId, teamId } = keys[0]!;
  return deps.db.transaction(async (tx) => {
    const nowMs = deps.clock.now();
    const incidentIds = keys.map(({ incidentId }) => incidentId);
    const { rows: all, count } = await pagingStore.lock(workspaceId, tx, { teamId, incidentIds }, new Date(nowMs));
    if (all.length === 0) return count;
    const team = await readTeamOnCall(tx, workspaceId, teamId, nowMs);
    if (team) await noteWaiting(tx, all, team, nowMs);
    const rows = all.filter(({ isCovered }) => !isCovered);
    const left = rows.filter(({ isRouted }) => !isRouted);
    if (left.length > 0) await leaveToOthers(tx, left, nowMs);
    const chosen = team ? await chooseSteps(tx, rows, team, nowMs) : [];
    const waiting = chosen.filter(mustWait);
    const due = chosen.filter((one) => !mustWait(one));
    const taken = team && due.length > 0 ? await findPeople(deps, tx, due, team, nowMs) : [];
    if (team && taken.length > 0) await page(deps, tx, taken, team, nowMs);
    const progress = new Map<PagingRow, Progress>([
      ...left.map((row) => [row, STOPPED] as const),
      ...waiting.map((one) => [one.row, waitOf(one, nowMs)] as const),
      ...taken.map((one) => [one.row, progressOf(one, nowMs)] as const),
    ]);
    const over = taken.filter(({ row }) => progress.get(row)!.next === 'over');
    await addTimelineEntries(
      tx,
      over.map((one) => endOf(one, team!, LASTED_TOO_LONG, nowMs)),
    );
    await pagingStore.advance(
      tx,
      rows.map((row) => {
        const { next, ...others } = { ...row, next: undefined, ...progress.get(row) };
        return { ...others, next: next === 'over' ? undefined : next };
      }),
    );
    return count;
  });
}

/** States on the timelines which steps wait for the end of maintenance. */
async function noteWaiting(tx: Tx, rows: readonly PagingRow[], { teamName }: TeamOnCall, atMs: number): Promise<void> {
  const reason = `The monitor is in maintenance: ${teamName} is paged when that is over, unless the incident is too.`;
  await addTimelineEntries(
    tx,
    rows
      .filter(({ isCovered }) => isCovered)
      .map(({ workspaceId, incidentId, teamId }) => ({
        workspaceId,
        incidentId,
        event: { type: 'notification_failed', atMs, detail: { teamId, team: teamName, reason } },
      })),
  );
}

/** Nothing goes on of a row with this progress. */
const STOPPED: Progress = { policyId: null, next: undefined, awaited: null, awaitedCount: 0 };

/** Ends the paging of a team for monitors that do not page it any more, and begins that of those which they do. */
async function leaveToOthers(tx: Tx, left: readonly PagingRow[], nowMs: number): Promise<void> {
  await pageReminderStore.stopOthers(
    left[0]!.workspaceId,
    tx,
    left.map((row) => ({ ...row, userIds: [] })),
  );
  const open = left.filter(({ isAcknowledged }) => !isAcknowledged);
  if (open.length > 0) await pagingStore.begin(tx, open, new Date(nowMs), 'idle');
}

type Progress = Pick<PagingProgress, 'policyId' | 'awaited' | 'awaitedCount'> & {
  next: PagingProgress['next'] | 'over';
};

/** True if a policy begins with a step that is not for the beginning. */
function mustWait({ row, policy, step }: ChosenStep): boolean {
  return row.policyId !== policy.id && waitMs(step) > 0;
}

function waitOf({ row: { awaited, awaitedCount }, policy, position, step }: ChosenStep, nowMs: number): Progress {
  return { policyId: policy.id, next: { ...position, dueMs: nowMs + waitMs(step) }, awaited, awaitedCount };
}

function progressOf({ row, policy, position, step, people, groups }: TakenStep, nowMs: number): Progress {
  const reached = people.length > 0 || groups.length > 0;
  const paged = people.map(({ person }) => person.userId);
  const next = decideNextStep(policy, position, { reached, beganMs: row.began.getTime(), nowMs });
  return { policyId: policy.id, next, ...decideAwaited(step, paged, row) };
}

/** The entry of a timeline about paging that ends although nobody has acknowledged. */
function endOf(
  { row: { workspaceId, incidentId, teamId }, policy }: Pick<ChosenStep, 'row' | 'policy'>,
  { teamName }: TeamOnCall,
  reason: string,
  atMs: number,
): TimelineEntry {
  const detail = { teamId, team: teamName, policy: policy.name, reason };
  return { workspaceId, incidentId, event: { type: 'notification_failed', atMs, detail } };
}

/** Chooses the steps of the policies that count now. Those that come to nothing are noted on the timelines, and left out. */
async function chooseSteps(tx: Tx, rows: readonly PagingRow[], team: TeamOnCall, nowMs: number): Promise<ChosenStep[]> {
  const past: TimelineEntry[] = [];
  const chosen = rows.flatMap((row) => {
    const policy = policyFor(team.policies, row.severity);
    const isLate = isTooLate(row.dueAt.getTime(), nowMs);
    const position = isLate || !row.isRouted ? undefined : decideStep(policy, row);
    if (position) return [{ row, policy, position, step: policy.steps[position.step]! }];
    const reason = !row.isRouted
      ? `The monitor does not page ${team.teamName} any more.`
      : isLate
        ? `A step of the escalation policy "${policy.name}" of ${team.teamName} was due more than a day ago, and is not taken any more.`
        : `The escalation policy "${policy.name}" of ${team.teamName} has become shorter: nobody is left to page.`;
    past.push(endOf({ row, policy }, team, reason, nowMs));
    return [];
  });
  if (past.length > 0) await addTimelineEntries(tx, past);
  return chosen;
}

/** Finds whom steps of one team page. */
async function findPeople(
  deps: PagingDeps,
  tx: Tx,
  chosen: readonly ChosenStep[],
  team: TeamOnCall,
  nowMs: number,
): Promise<TakenStep[]> {
  const { workspaceId } = chosen[0]!.row;
  const acknowledged = await pagingStore.acknowledgers(
    workspaceId,
    tx,
    chosen.flatMap(({ row }) => (row.isAcknowledged ? [row] : [])),
  );
  const hasAcknowledged = new Set(acknowledged.map(({ incidentId, userId }) => `${incidentId} ${userId}`));
  const targets = chosen.flatMap(({ step }) => step.targets);
  const members = new Map(
    (await readReachable(deps, tx, workspaceId, [...new Set(targets.flatMap(team.peopleOf))])).map((one) => [
      one.person.userId,
      one,
    ]),
  );
  const groupIds = targets.flatMap((one) => (one.type === 'actionGroup' ? [one.id] : []));
  const groups = await readPageableGroups(deps, tx, workspaceId, groupIds);
  return chosen.map((one) => {
    const { row, step } = one;
    const userIds = [...new Set(step.targets.flatMap(team.peopleOf))].filter(
      (userId) => !hasAcknowledged.has(`${row.incidentId} ${userId}`),
    );
    const named = userIds.flatMap((userId) => members.get(userId) ?? []);
    const namedGroups = step.targets.flatMap((one) => (one.type === 'actionGroup' ? (groups.get(one.id) ?? []) : []));
    const heard = namedGroups.filter((group) => whyNotPaged(group, row.severity, nowMs) === null);
    return {
      ...one,
      people: named.filter(({ points }) => points.length > 0),
      mute: named.filter(({ points }) => points.length === 0),
      groups: heard,
      later: namedGroups.filter((group) => group.hears && !heard.includes(group)),
      unreached: team.planRestricted
        ? [team.why!]
        : [...new Set(step.targets.flatMap((target) => unreachedBy(target, row, team, { members, groups, nowMs })))],
    };
  });
}

const NO_CHANNEL = 'The people to page have no channel by which they can be reached.';

/** Why a target reaches nobody, or not all that it means. */
function unreachedBy(
  target: EscalationTarget,
  { severity }: PagingRow,
  team: TeamOnCall,
  {
    members,
    groups,
    nowMs,
  }: {
    members: ReadonlyMap<string, ReachablePerson>;
    groups: ReadonlyMap<string, PageableGroup>;
    nowMs: number;
  },
): string[] {
  if (target.type === 'actionGroup') {
    const group = groups.get(target.id);
    const why = group ? whyNotPaged(group, severity, nowMs) : 'A channel of this step has been deleted.';
    return why === null ? [] : [why];
  }
  const ids = team.peopleOf(target);
  if (ids.length === 0) return [whyNobody(target, team)];
  const people = ids.map((id) => members.get(id));
  const mute = people.filter((one) => one?.points.length === 0);
  return [
    ...(people.includes(undefined) ? ['A person of this step is no active member of the workspace any more.'] : []),
    ...(mute.length === 0 ? [] : [NO_CHANNEL]),
  ];
}

/** Why a target means nobody, as a sentence. */
export function whyNobody({ type }: EscalationTarget, { teamName, why, planRestricted }: TeamOnCall): string {
  if (type === 'leads' && !planRestricted) return `${teamName} has no lead who could be paged.`;
  if (type === 'team' && !planRestricted) return `${teamName} has no active member.`;
  return why ?? `Nobody of ${teamName} is on call by the schedule of this step.`;
}

/** Pages the people and action groups of steps of one team. */
async function page(
  deps: PagingDeps,
  tx: Tx,
  taken: readonly TakenStep[],
  team: TeamOnCall,
  nowMs: number,
): Promise<void> {
  const { workspaceId, teamId } = taken[0]!.row;
  const since = ({ row }: TakenStep): Date => new Date(Math.max(row.began.getTime(), nowMs - TOGETHER_MS));
  const earlier = await pagingStore.pagedSince(
    workspaceId,
    tx,
    // A step that waits, however short, is meant to page again whom the step before has paged.
    taken.map((one) => ({
      incidentId: one.row.incidentId,
      since: since(one),
      exceptBy: waitMs(one.step) > 0 ? teamId : null,
    })),
  );
  const isPaged = new Set(earlier.map(({ incidentId, userId }) => `${incidentId} ${userId}`));
  const pages = taken.flatMap((one) =>
    one.people.map((reached): StoredPage & { step: number } => {
      const { incidentId, monitorKey } = one.row;
      const why = whyPaged(one, team, reached.person.userId, nowMs);
      return {
        workspaceId,
        teamId,
        incidentId,
        monitorKey,
        step: one.position.step,
        reached,
        why,
        about: aboutOf(one, team),
      };
    }),
  );
  const sent = pages.filter(({ incidentId, reached: { person } }) => !isPaged.has(`${incidentId} ${person.userId}`));
  const contacts = await contactsOf(deps, tx, sent);
  await notifyContacts(
    deps,
    tx,
    sent.map(({ incidentId, monitorKey, step, reached: { person } }, index) => ({
      event: { workspaceId, incidentId, monitorKey, type: 'incident.opened', atMs: nowMs, detail: { teamId } },
      contacts: contacts[index]!,
      purpose: `${PAGE_PURPOSE}:${step}:${person.userId}`,
    })),
    noteRefusedPages(deps, tx),
  );
  await queueEvents(
    deps,
    tx,
    taken.flatMap(({ row: { incidentId, monitorKey }, groups, later }) =>
      [...groups, ...later].map(({ id: groupId }) => ({
        ...{ workspaceId, incidentId, monitorKey, atMs: nowMs },
        type: 'incident.updated' as const,
        detail: { groupId, groupIds: [groupId], change: 'reminded' },
      })),
    ),
  );
  const steps = taken.map(({ row, people }) => ({ ...row, userIds: people.map(({ person }) => person.userId) }));
  await pageReminderStore.stopOthers(
    workspaceId,
    tx,
    steps.filter(({ userIds }) => userIds.length > 0),
  );
  await addReminders(tx, pages, nowMs);
  await addTimelineEntries(
    tx,
    taken.map((one) => entryOf(one, team, nowMs)),
  );
}

/** Why a person is paged, as a sentence of the message. */
function whyPaged({ row, policy, position, step }: TakenStep, team: TeamOnCall, userId: string, nowMs: number): string {
  const target = step.targets.find((one) => team.peopleOf(one).includes(userId))!;
  const role = {
    onCall: `You are on call for ${team.teamName}`,
    leads: `You lead ${team.teamName}`,
    team: `You are in ${team.teamName}`,
    user: `The escalation policy "${policy.name}" of ${team.teamName} names you`,
    actionGroup: '',
  }[target.type];
  if (position.round === 0 && position.step === 0) return `${role}.`;
  const minutes = Math.floor((nowMs - row.began.getTime()) / MINUTE_MS);
  const who = row.isAcknowledged ? 'not everybody has' : 'nobody has';
  return `${role}, and ${who} acknowledged this${minutes > 0 ? ` for ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}` : ''}.`;
}

function aboutOf({ row: { teamId }, policy, position, step }: TakenStep, { teamName }: TeamOnCall) {
  const { round } = position;
  const about = { teamId, team: teamName, policy: policy.name, step: position.step, who: whoOf(step) };
  return round === 0 ? about : { ...about, round };
}

/** The types of targets of a step, as timelines and previews have them. */
export function whoOf({ targets }: EscalationStep): string {
  return [...new Set(targets.map(({ type }) => type))].join(', ');
}

function entryOf(one: TakenStep, team: TeamOnCall, atMs: number): TimelineEntry {
  const { row, people, mute, groups, unreached } = one;
  const { workspaceId, incidentId } = row;
  const missed = mute.map(({ person: { userId, name, email } }) => ({ userId, name: name ?? email }));
  const about = { ...aboutOf(one, team), ...(missed.length > 0 && { missed }) };
  if (people.length === 0 && groups.length === 0) {
    const reason = unreached.length > 0 ? unreached.join(' ') : 'Everybody whom this step would page has acknowledged.';
    return { workspaceId, incidentId, event: { type: 'notification_failed', atMs, detail: { ...about, reason } } };
  }
  const detail = {
    ...about,
    people: people.map(({ person, points }) => ({
      userId: person.userId,
      name: person.name ?? person.email,
      channels: points.flatMap(({ channel, afterMs }) => (afterMs === 0 ? [channel] : [])),
      ...laterOf(points),
    })),
    ...(groups.length > 0 && {
      groups: groups.map(({ id, name, type }) => ({ actionGroupId: id, name, channel: type })),
    }),
    ...(unreached.length > 0 && { unreached }),
  };
  return { workspaceId, incidentId, event: { type: 'paged', atMs, detail } };
}

/** The channels that the person is paged by later, unless somebody acknowledges before. */
function laterOf(points: ReachablePerson['points']): { later?: { channel: string; after: string }[] } {
  const later = points.filter(({ afterMs }) => afterMs > 0);
  return later.length === 0
    ? {}
    : { later: later.map(({ channel, afterMs }) => ({ channel, after: formatDuration(afterMs) })) };
}
