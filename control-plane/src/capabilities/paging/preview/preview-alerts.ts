import { channelOf, destinationsOf } from '../../channels/index.js';
import { MINUTE_MS } from '@watchpost/shared/time';
import type { Clock } from '@watchpost/shared/clock';
import { formatDuration } from '@watchpost/shared/duration';
import { notFound, found } from '@watchpost/shared/fault';
import type { Transactions, Tx } from '../../../platform/db/database.js';
import { type Actor, roleAllows } from '../../../platform/identity/caller.js';
import { type EscalationStep, readTeamOnCall, type TeamOnCall } from '../../on-call/index.js';
import { isByPhone, showPhoneNumber } from '../../workspaces/index.js';
import { recipientStates } from '../../delivery/index.js';
import { policyFor, waitMs } from '../decide-escalation.js';
import { whyNobody, whoOf } from '../page-due-people.js';
import { readPageableGroups, whyNotPaged } from '../pageable-groups.js';
import { type ReachDeps, readReachable } from '../read-reachable.js';
import { pagingStore, type TeamOfMonitor } from '../paging-store.js';
import type { AlertPreview, NewAlertPreview, NewAlertPreviewQuery } from './preview-schemas.js';
import { type PreviewGroup, previewStore } from './preview-store.js';

export interface PreviewDeps extends ReachDeps {
  db: Transactions;
  clock: Clock;
}

type TeamPreview = AlertPreview['teams'][number];

/** The severity of which the steps are previewed. */
const PREVIEWED = 'down';
const GONE = 'A channel of this step has been deleted. Take it out of the escalation policy.';

/**
 * Previews who would be notified of an incident of a monitor that opened now, by which channel, and why nobody would.
 * @throws Fault not_found (the monitor)
 */
export async function previewAlerts(deps: PreviewDeps, actor: Actor, monitorId: string): Promise<AlertPreview> {
  const { workspaceId } = actor.workspace;
  return deps.db.read(async (tx) => {
    const monitor = found(await previewStore.monitor(workspaceId, tx, monitorId), 'monitor');
    const groups = await previewStore.groups(workspaceId, tx, monitor.key);
    const teams = await pagingStore.teamsOf(workspaceId, tx, monitor.key);
    const causes = await previewStore.causes(workspaceId, tx, monitor.key);
    const previewed = await preview(deps, tx, actor, { ...monitor, groups, teams });
    return { monitorId, ...unlessExplained(previewed, causes), causes };
  });
}

/**
 * Previews the same of a monitor that does not exist yet.
 * @throws Fault not_found (the service group, the team, an action group)
 */
export async function previewNewAlerts(
  deps: PreviewDeps,
  actor: Actor,
  { serviceGroupId, teamId, actionGroupId = [], tag = [] }: NewAlertPreviewQuery,
): Promise<NewAlertPreview> {
  const { workspaceId } = actor.workspace;
  return deps.db.read(async (tx) => {
    if (serviceGroupId !== undefined && !(await previewStore.hasServiceGroup(workspaceId, tx, serviceGroupId)))
      throw notFound('service group');
    const groups = await previewStore.groupsOfNew(workspaceId, tx, actionGroupId, tag);
    if (actionGroupId.some((id) => groups.every((group) => group.id !== id))) throw notFound('action group');
    const hasServiceGroup = serviceGroupId !== undefined;
    if (teamId !== undefined && !(await readTeamOnCall(tx, workspaceId, teamId, deps.clock.now())))
      throw notFound('team');
    const teams = hasServiceGroup
      ? await pagingStore.teamsOfGroup(workspaceId, tx, serviceGroupId)
      : teamId === undefined
        ? []
        : [{ teamId, serviceGroupName: null }];
    return preview(deps, tx, actor, { isEnabled: true, hasServiceGroup, groups, teams });
  });
}

/** A failure that an incident of a cause explains notifies nobody. */
function unlessExplained(previewed: NewAlertPreview, causes: AlertPreview['causes']): NewAlertPreview {
  const down = causes.filter(({ incidentId }) => incidentId !== null).map(({ name }) => `"${name}"`);
  if (down.length === 0) return previewed;
  const reason = `Nobody would be notified while ${down.join(' and ')} ${down.length === 1 ? 'is' : 'are'} down: a failure would be attached to that incident.`;
  return { ...previewed, willAnyoneHear: false, willAnyoneBePaged: false, reasons: [reason, ...previewed.reasons] };
}

/** What decides who hears of a monitor. */
interface PreviewSubject {
  isEnabled: boolean;
  hasServiceGroup: boolean;
  groups: readonly PreviewGroup[];
  teams: readonly TeamOfMonitor[];
}

async function preview(deps: PreviewDeps, tx: Tx, actor: Actor, subject: PreviewSubject): Promise<NewAlertPreview> {
  const { workspaceId } = actor.workspace;
  const { isEnabled, hasServiceGroup } = subject;
  const groups: AlertPreview['groups'] = [];
  for (const group of subject.groups)
    groups.push(previewGroup(group, deps, await allowedOf(deps, tx, workspaceId, group)));
  const teams: TeamPreview[] = [];
  for (const { teamId, serviceGroupName } of subject.teams) {
    const team = await readTeamOnCall(tx, workspaceId, teamId, deps.clock.now());
    if (team) teams.push(await previewTeam(deps, tx, actor, { teamId, serviceGroupName, team }));
  }
  const isPaged = teams.some(({ steps }) =>
    steps.some(({ people, groups: reached }) => people.some(isReachable) || reached.some(({ hears }) => hears)),
  );
  const reasons = [
    ...(isEnabled ? [] : ['The monitor is paused or disabled, so no incident opens. Enable it.']),
    ...(groups.length === 0 ? ['No channel is attached to the monitor. Attach one.'] : []),
    ...(hasServiceGroup || teams.length > 0
      ? []
      : ['The monitor is in no service group and has no team, so no team is paged for it.']),
    ...(hasServiceGroup && teams.length === 0
      ? ['The service group of the monitor is routed to no team. Route it to one.']
      : []),
    ...groups.flatMap(({ why }) => why ?? []),
    ...teams.flatMap(({ steps }) => steps.flatMap(({ why }) => why ?? [])),
  ];
  return {
    willAnyoneHear: isEnabled && (isPaged || groups.some(({ hears }) => hears)),
    willAnyoneBePaged: isEnabled && isPaged,
    groups,
    teams,
    reasons: [...new Set(reasons)],
  };
}

function previewGroup(
  { id, name, type, isEnabled, settings }: PreviewGroup,
  { hasSms }: PreviewDeps,
  allowed: number,
): AlertPreview['groups'][number] {
  const destinations = destinationsOf(channelOf(type), settings);
  const why = !isEnabled
    ? `The channel "${name}" is disabled. Enable it.`
    : destinations.length === 0
      ? `The channel "${name}" has no destination. Add one.`
      : channelOf(type).outlet === 'sms' && !hasSms
        ? `The channel "${name}" sends SMS, and this installation has no SMS provider. Its operator must set TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM.`
        : allowed === 0
          ? `No recipient of the channel "${name}" has confirmed yet. Have the request sent again, or add the verified address of a member.`
          : null;
  return { id, name, type, destinations, hears: why === null, why };
}

/** Returns how many destinations of a group may be sent alerts. */
async function allowedOf(
  deps: PreviewDeps,
  tx: Tx,
  workspaceId: string,
  { type, settings }: PreviewGroup,
): Promise<number> {
  const channel = channelOf(type);
  if (!channel.consent) return 1;
  const states = await recipientStates(deps, tx, workspaceId, channel.consent, destinationsOf(channel, settings));
  return states.filter(({ state }) => state === 'allowed').length;
}

async function previewTeam(
  deps: PreviewDeps,
  tx: Tx,
  actor: Actor,
  { teamId, serviceGroupName, team }: TeamOfMonitor & { team: TeamOnCall },
): Promise<TeamPreview> {
  const policy = policyFor(team.policies, PREVIEWED);
  const steps: TeamPreview['steps'] = [];
  let afterMs = 0;
  for (const step of policy.steps) {
    afterMs += waitMs(step);
    steps.push(await previewStep(deps, tx, actor, team, { step, afterMs }));
  }
  return {
    ...{ teamId, serviceGroupName, steps },
    teamName: team.teamName,
    planRestricted: team.planRestricted,
    policyName: policy.name,
    repeat: policy.repeat,
  };
}

async function previewStep(
  deps: PreviewDeps,
  tx: Tx,
  actor: Actor,
  team: TeamOnCall,
  { step, afterMs }: { step: EscalationStep; afterMs: number },
): Promise<TeamPreview['steps'][number]> {
  const { workspaceId } = actor.workspace;
  const ids = [...new Set(step.targets.flatMap(team.peopleOf))];
  const groupIds = step.targets.flatMap((one) => (one.type === 'actionGroup' ? [one.id] : []));
  const known = await readPageableGroups(deps, tx, workspaceId, groupIds);
  const groups = [...known.values()].map((group) => {
    const whyNot = whyNotPaged(group, PREVIEWED, deps.clock.now());
    return { id: group.id, name: group.name, hears: whyNot === null, why: whyNot };
  });
  const { hasSms } = deps;
  const members = await readReachable(deps, tx, workspaceId, ids);
  const people = members.map(({ person: { userId, name, email, role }, points }) => ({
    userId,
    name: name ?? email,
    channels: points.map(({ channel, address, afterMs: laterMs }) => ({
      channel,
      after: formatDuration(laterMs),
      address: isByPhone(channel) ? showPhoneNumber(address, userId, actor) : address,
    })),
    mayAcknowledge: roleAllows(role, 'Responder'),
  }));
  const byRules = members.some(({ person, points }) => points.length === 0 && person.preferences.rules);
  const unreached = people.filter((person) => !isReachable(person));
  const why =
    people.length === 0
      ? (step.targets
          .filter(({ type }) => type !== 'actionGroup')
          .map(
            (target) =>
              whyNobody(target, team) +
              (target.type === 'leads' && !team.planRestricted ? ' Make a member its lead.' : ''),
          )[0] ??
        groups.find((group) => group.why)?.why ??
        (groups.length < groupIds.length ? GONE : null))
      : unreached.length > 0
        ? `${unreached.map(({ name, userId }) => name ?? userId).join(', ')} cannot be reached. ${byRules ? 'A rule of theirs must name a channel by which messages arrive' : hasSms ? 'Email must be switched on, or SMS with a phone number' + (members.some(({ isBlocked }) => isBlocked) ? ' that is confirmed by its code' : '') : 'Email must be switched on, because this installation sends no SMS'}.`
        : null;
  return { afterMinutes: afterMs / MINUTE_MS, who: whoOf(step), people, groups, why };
}

function isReachable({ channels }: { channels: readonly unknown[] }): boolean {
  return channels.length > 0;
}
