import { groupBy } from '@watchpost/shared/group-by';
import { cutText, storableText } from '@watchpost/shared/storable-text';
import { isMailAddress } from '../webhook-group.js';
import { quoted } from '../import-report.js';
import { readTimeZone } from '../local-times.js';
import { countOf } from '../../output/format-time.js';
import { Keys, nameFor, unique } from '../names.js';
import type { Fields } from '../rows.js';
import { convertPolicy, orderPolicies, type TargetPlaces } from './convert-policies.js';
import { convertSchedule, type DocumentLayer } from './convert-schedule.js';
import type { OnCallSource, SourcePolicy, SourceReading, SourceSchedule, SourceTeam } from './source.js';

/** Characters of a name, so that a number may follow. */
const MOST_BASE = 190;
const MOST_DESCRIPTION = 1_000;
const MOST_SCHEDULES = 10;
const MOST_MEMBERS = 100;
const MOST_OVERRIDES = 500;
/** The name of a schedule that documents write in a shorter form where it has one plain layer. */
const USUAL_NAME = 'On call';

interface DocumentSchedule {
  name: string;
  timezone: string;
  layers: DocumentLayer[];
}

interface DocumentOverride {
  /** The place of the schedule in its team, from 1. */
  schedule: number;
  email: string;
  start: string;
  end: string;
}

/** The schedules that one of the product became. */
export interface TakenSchedule {
  source: SourceSchedule;
  teamKey: string;
  schedules: { schedule: DocumentSchedule; overrides: DocumentOverride[] }[];
}

export interface ConvertedOnCall {
  sections: Record<'teams' | 'actionGroups', Record<string, Fields>>;
  taken: readonly TakenSchedule[];
}

interface Team {
  key: string;
  source: SourceTeam;
  /** True if somebody leads the team, by address. */
  members: Map<string, boolean>;
  schedules: DocumentSchedule[];
  overrides: DocumentOverride[];
  policies: Fields[];
}

/** Makes the sections of a document of the on-call settings of another product. */
export function convertOnCall(source: OnCallSource, { report, nowMs }: SourceReading): ConvertedOnCall {
  const emailOf = peopleOf(source, report);
  const keys = new Keys();
  const teams = new Map<string, Team>();
  const addTeam = (one: SourceTeam): Team => {
    const name = nameFor(one.name, `Team ${one.id}`);
    const key = keys.next(name, 'team');
    const team: Team = {
      key,
      source: { ...one, name, description: one.description && storableText(one.description, MOST_DESCRIPTION) },
      members: new Map(),
      schedules: [],
      overrides: [],
      policies: [],
    };
    teams.set(one.id, team);
    for (const { personId, isLead } of one.members) addMember(team, emailOf(personId), isLead);
    const lost = one.members.filter(({ personId }) => emailOf(personId) === undefined).length;
    report.partly('team', name, [
      ...((one.description?.length ?? 0) > MOST_DESCRIPTION
        ? [`has the first ${MOST_DESCRIPTION} characters of its description`]
        : []),
      ...(lost > 0 ? [`is without ${countOf(lost, 'member')} not taken over`] : []),
    ]);
    return team;
  };
  for (const team of source.teams) addTeam(team);
  const taken: TakenSchedule[] = [];
  for (const schedule of source.schedules) {
    const name = nameFor(schedule.name, `Schedule ${schedule.id}`);
    const timezone = readTimeZone(schedule.timezone);
    if (timezone === null) {
      report.untaken('schedule', name, `its time zone ${quoted(schedule.timezone)} is not known`);
      continue;
    }
    const { groups, differences } = convertSchedule({ ...schedule, timezone }, emailOf, nowMs);
    if (groups.length === 0) {
      report.untaken('schedule', name, ['it has no rotation that can be taken over', ...differences].join('; '));
      continue;
    }
    const known = schedule.teamId === null ? undefined : teams.get(schedule.teamId);
    if (!known) differences.push(`belongs to no team there, and has one of its own with its name here`);
    const team = known ?? addTeam({ id: `schedule ${schedule.id}`, name, description: null, members: [] });
    if (team.schedules.length + groups.length > MOST_SCHEDULES) {
      report.untaken('schedule', name, [`a team has at most ${MOST_SCHEDULES} schedules`, ...differences].join('; '));
      continue;
    }
    const one: TakenSchedule = { source: { ...schedule, timezone }, teamKey: team.key, schedules: [] };
    for (const { layers, rotationIds } of groups) {
      const names = new Map(team.schedules.map((other) => [other.name, 2]));
      const part = { name: unique(cutText(name, MOST_BASE), ' ', names), timezone, layers };
      const overrides = schedule.overrides
        .filter(({ rotationIds: ids }) => ids === null || ids.some((id) => rotationIds.has(id)))
        .flatMap(({ personId, startMs, endMs }): DocumentOverride[] => {
          const email = emailOf(personId);
          return email === undefined || endMs <= nowMs || startMs >= endMs
            ? []
            : [{ schedule: team.schedules.length + 1, email, start: timeOf(startMs), end: timeOf(endMs) }];
        });
      team.schedules.push(part);
      team.overrides = team.overrides.concat(overrides);
      one.schedules.push({ schedule: part, overrides });
      for (const user of [
        ...layers.flatMap(({ participants }) => participants),
        ...overrides.map(({ email }) => email),
      ])
        if (!team.members.has(user)) {
          addMember(team, user, false);
          if (known) differences.push(`makes ${user} a member of the team ${team.source.name}`);
        }
    }
    const lost = schedule.overrides.filter(({ personId, endMs }) => endMs > nowMs && emailOf(personId) === undefined);
    if (lost.length > 0) differences.push(`loses ${lost.length} coming overrides of people who are not taken over`);
    if (schedule.overrides.some(({ rotationIds, endMs }) => rotationIds !== null && endMs > nowMs))
      differences.push('has overrides of single rotations, which replace whole schedules here');
    report.partly('schedule', name, differences);
    taken.push(one);
  }
  const sections: ConvertedOnCall['sections'] = { teams: {}, actionGroups: {} };
  const groupKeys = new Keys();
  const keyOfGroup = new Map<string, string>();
  for (const [id, { name, fields }] of source.actionGroups) {
    const key = groupKeys.next(name, 'group');
    keyOfGroup.set(id, key);
    sections.actionGroups[key] = { type: fields['type'], name, ...fields };
  }
  addPolicies(source, { teams, taken, emailOf, report, groupKeyOf: (id) => keyOfGroup.get(id) });
  for (const team of teams.values()) {
    const name = team.source.name;
    if (team.members.size > MOST_MEMBERS) {
      report.untaken(
        'team',
        name,
        `a team has at most ${MOST_MEMBERS} members, and its schedules and policies go with it`,
      );
      continue;
    }
    if (team.overrides.length > MOST_OVERRIDES)
      report.partly('team', name, [`has only its first ${MOST_OVERRIDES} coming overrides`]);
    sections.teams[team.key] = teamFields(team);
  }
  return { sections, taken: taken.filter(({ teamKey }) => Object.hasOwn(sections.teams, teamKey)) };
}

function addPolicies(
  { policies }: OnCallSource,
  {
    teams,
    taken,
    report,
    ...places
  }: Pick<TargetPlaces, 'emailOf' | 'groupKeyOf'> & {
    teams: ReadonlyMap<string, Team>;
    taken: readonly TakenSchedule[];
    report: SourceReading['report'];
  },
): void {
  const schedules = new Map(taken.map((one) => [one.source.id, one]));
  const teamByKey = new Map([...teams].map(([id, { key }]) => [key, id]));
  const ofSchedule = (id: string) => teamByKey.get(schedules.get(id)?.teamKey ?? '');
  const teamIdOf = ({ teamId, steps }: SourcePolicy): string | undefined =>
    teamId ??
    steps
      .flatMap(({ targets }) => targets)
      .map((target) =>
        target.type === 'onCall' ? ofSchedule(target.scheduleId) : 'teamId' in target ? target.teamId : undefined,
      )
      .find((id) => id !== undefined);
  for (const [teamId, own] of groupBy(policies, teamIdOf)) {
    const team = teamId === undefined ? undefined : teams.get(teamId);
    const { kept, left } = orderPolicies(own);
    for (const { name } of team ? left : own)
      report.untaken('escalation policy', name, team ? 'a team has at most 10' : 'it belongs to no team');
    if (!team || teamId === undefined) continue;
    for (const policy of kept) {
      const { policy: converted, differences } = convertPolicy(policy, {
        ...places,
        teamId,
        membersOf: (id) => [...(teams.get(id)?.members.keys() ?? [])],
        placesOf(scheduleId) {
          const found = schedules.get(scheduleId);
          return found?.teamKey === team.key
            ? found.schedules.map(({ schedule }) => team.schedules.indexOf(schedule) + 1)
            : undefined;
        },
      });
      if (!converted) {
        report.untaken(
          'escalation policy',
          policy.name,
          ['it has no step that can be taken over', ...differences].join('; '),
        );
        continue;
      }
      if (team.policies.length > 0)
        differences.push('counts for no incident until the policies before it have fewer `severities`');
      team.policies.push(converted);
      report.partly('escalation policy', policy.name, differences);
    }
  }
}

function teamFields({ source: { name, description }, members, schedules, overrides, policies }: Team): Fields {
  const [only] = schedules;
  const plain = schedules.length === 1 ? plainSchedule(only!) : undefined;
  return {
    name,
    ...(description === null ? {} : { description }),
    ...(members.size === 0
      ? {}
      : { members: [...members].map(([email, isLead]) => ({ email, ...(isLead ? { teamRole: 'lead' } : {}) })) }),
    ...(plain ? { schedule: plain } : schedules.length > 0 ? { schedules } : {}),
    ...(overrides.length === 0 ? {} : { overrides: overrides.slice(0, MOST_OVERRIDES) }),
    ...(policies.length === 0 ? {} : { escalationPolicies: policies }),
  };
}

/** The shorter form, which a schedule has to have where it can. */
function plainSchedule({ name, timezone, layers: [layer, ...others] }: DocumentSchedule): Fields | undefined {
  const { rotation, startDate, participants, endDate, restrictions } = layer!;
  if (name !== USUAL_NAME || others.length > 0 || endDate !== undefined || restrictions || rotation.every !== 1)
    return undefined;
  if (rotation.unit === 'hour') return undefined;
  const kind = rotation.unit === 'day' ? 'daily' : 'weekly';
  const { handoffTime, handoffDay } = rotation;
  return { rotation: kind, timezone, handoffTime, ...(handoffDay ? { handoffDay } : {}), startDate, participants };
}

function addMember({ members }: Team, email: string | undefined, isLead: boolean): void {
  if (email !== undefined) members.set(email, isLead || (members.get(email) ?? false));
}

/** The address by which each person is known, in lower case as the service keeps it. */
function peopleOf(
  { people, product }: OnCallSource,
  report: SourceReading['report'],
): (personId: string) => string | undefined {
  const emails = new Map<string, string>();
  for (const [id, { name, email }] of people) {
    const address = email?.trim().toLowerCase() ?? '';
    if (isMailAddress(address)) emails.set(id, address);
    else report.untaken('user', name, 'without an email address nobody can be found');
  }
  if (emails.size > 0)
    report.add(
      `people of ${product} have to be members of the workspace before the document is applied: ${[...new Set(emails.values())].toSorted().join(', ')}`,
    );
  return (personId) => emails.get(personId);
}

const timeOf = (ms: number) => new Date(ms).toISOString();
