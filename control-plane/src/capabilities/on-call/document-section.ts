import { groupBy } from '@watchpost/shared/group-by';
import type { DocumentSection, SectionRun } from '../../platform/documents/document-section.js';
import { type Fields, isPlain, withoutNulls } from '../../platform/documents/fields.js';
import type { People } from '../../platform/documents/people.js';
import { configuredTeamStore } from './configured-team-store.js';
import type { Layers } from './decide-rotation.js';
import { decideLayers, decideSchedule, isSimple, simpleRotationOf } from './decide-schedule.js';
import { changeTeam } from './document-changes.js';
import {
  create,
  type Members,
  type Overrides,
  type Policies,
  type PolicyTarget,
  type TeamInput,
  type TeamPatch,
  update,
  withTargets,
} from './document-shape.js';
import { type EscalationPolicyRow, escalationPolicyStore } from './escalation-policy-store.js';
import type { HolidayCalendars } from './holiday-calendars.js';
import type { ScheduleDeps, TeamDeps } from './on-call-deps.js';
import type { ScheduleInput } from './schedule-schemas.js';
import { SCHEDULE_NAME } from './schedule-store.js';
import { ownHolidays } from './schedules.js';
import type { PlannedSchedule } from './team-plan-store.js';
import { ACCESS } from './team-routes.js';
import { createTeam, deleteTeam, updateTeam } from './teams.js';

interface TeamSectionDeps extends ScheduleDeps, TeamDeps {
  holidayCalendars: HolidayCalendars;
}

/** Teams in documents, with their people by email address: user ids are different in every installation. */
export function teamSection({ holidayCalendars, ...pool }: TeamSectionDeps): DocumentSection<TeamInput, TeamPatch> {
  const depsIn = ({ db }: SectionRun) => ({ ...pool, db });
  return {
    access: ACCESS,
    exportedTo: 'Admin',
    schemas: [{ create, update }],
    inputFaultsOf: (input, { people }) => [...faultsOf(input, people), ...calendarFaultsOf(input, holidayCalendars)],
    configuredBy: ({ members, schedule, schedules, overrides, escalationPolicies: policies, ...team }, { people }) => ({
      fields: {
        ...team,
        members: byAddress(members.map(({ email, teamRole }) => ({ email: people.canonical(email), teamRole }))),
        schedule: schedule && withPeople(scheduleBy(schedule), (one) => people.canonical(one)),
        schedules: schedules.map((one) => withLayers(plannedBy(one), (person) => people.canonical(person))),
        overrides: configuredOverrides(
          overrides.map(({ email, ...one }) => ({ ...one, email: people.canonical(email) })),
          pool.clock.now(),
        ),
        escalationPolicies: withTargets(policies, (target) =>
          target.type === 'user' ? { ...target, email: people.canonical(target.email) } : target,
        ),
      },
      secrets: {},
    }),
    // Most overrides are made as people need them, elsewhere.
    leftAlone: 'overrides',
    // The start of a rotation and the day of its handoffs follow from when it is set, where the document leaves them out.
    comparedInPart: 'schedule',
    least({ name, members, schedule, schedules, escalationPolicies: policies }) {
      // Members and rotations have no defaults but in their parts.
      const people = (members as Members).map(({ email, teamRole }) =>
        teamRole === 'member' ? { email } : { email, teamRole },
      );
      return {
        name,
        ...(people.length > 0 ? { members: people } : {}),
        ...(isPlain(schedule) ? { schedule: withoutNulls(schedule) } : {}),
        ...((schedules as unknown[]).length > 0 ? { schedules } : {}),
        ...((policies as unknown[]).length > 0 ? { escalationPolicies: policies } : {}),
      };
    },
    async read(tx, workspaceId, { people }) {
      const teams = await configuredTeamStore.all(workspaceId, tx);
      const ids = teams.map(({ id }) => id);
      const policies = groupBy(await escalationPolicyStore.list(workspaceId, tx, ids), ({ teamId }) => teamId);
      return teams.map(({ id, members, schedules, ...team }) => ({
        id,
        fields: {
          ...team,
          members: byAddress(members.map(({ userId, teamRole }) => ({ email: people.addressOf(userId), teamRole }))),
          ...schedulesOf(schedules, (one) => people.addressOf(one)),
          overrides: configuredOverrides(
            schedules.flatMap(({ overrides }, index) =>
              overrides
                .filter(({ swapId }) => swapId === null)
                .toReversed()
                .map(({ userId, starts, ends, reason }) => ({
                  schedule: index + 1,
                  email: people.addressOf(userId),
                  start: starts.getTime(),
                  end: ends.getTime(),
                  reason,
                })),
            ),
            pool.clock.now(),
          ),
          escalationPolicies: policiesOf(
            policies.get(id) ?? [],
            schedules.map((one) => one.id),
            (one) => people.addressOf(one),
          ),
        },
        secrets: {},
      }));
    },
    async create(run, changes) {
      await run.each(changes, ({ id, input: { name, description } }) =>
        createTeam(depsIn(run), run.actor, { name, description }, id),
      );
      for (const change of changes) await changeTeam(depsIn(run), run, change);
    },
    async update(run, changes) {
      await run.each(changes, async ({ id, input: { name, description } }) => {
        if (name !== undefined || description !== undefined)
          await updateTeam(depsIn(run), run.actor, id, { name, description });
      });
      for (const change of changes) await changeTeam(depsIn(run), run, change);
    },
    remove: (run, deletions) => run.each(deletions, ({ id }) => deleteTeam(depsIn(run), run.actor, id)),
  };
}

/**
 * What the rotation of a team would be after it was set to this. The start date follows from the moment at which it is set,
 * and the day of a weekly handoff from the start date: where they are not given they are not in the answer.
 */
function scheduleBy(input: ScheduleInput): Fields {
  const { layers } = decideSchedule(null, input, 0);
  // A fault, which setting it reports.
  if (!layers) return { ...input };
  const { turns, startDate, handoffDay, ...rest } = simpleRotationOf(layers)!;
  const isDayKnown = rest.rotation === 'daily' || (input.handoffDay ?? input.startDate) !== undefined;
  return {
    ...rest,
    ...(isDayKnown ? { handoffDay } : {}),
    ...(input.startDate === undefined ? {} : { startDate }),
    participants: turns,
  };
}

function plannedBy({ layers, holidayCalendarUrl: url, ...one }: TeamInput['schedules'][number]): NamedLayers {
  const holidayCalendar = url === null ? null : { url, fetchedAt: null, fault: null };
  return { ...one, holidayCalendar, layers: decideLayers(layers, one.timezone, 0).layers };
}

/** The two fields of a team for its schedules: the shorter one where that is all. */
function schedulesOf(stored: readonly PlannedSchedule[], addressOf: (one: string) => string): Fields {
  // Nobody takes the turns of a layer of which everybody has left: it is as if there were none.
  const all = stored
    .map((one) => ({ ...one, layers: one.layers.filter(({ turns }) => turns.some((userId) => userId !== null)) }))
    .filter(({ layers }) => layers.length > 0);
  const [first] = all;
  if (first && isShort(all)) {
    const { turns, ...simple } = simpleRotationOf(first)!;
    const participants = turns.filter((userId) => userId !== null);
    return { schedule: withPeople({ ...simple, participants }, addressOf), schedules: [] };
  }
  return { schedule: null, schedules: all.map((one) => withLayers(one, addressOf)) };
}

type NamedLayers = Layers & Pick<PlannedSchedule, 'name' | 'holidayCalendar'>;

/** Whether `schedule` can describe all schedules of a team. */
function isShort(schedules: readonly NamedLayers[]): boolean {
  const [first] = schedules;
  return (
    schedules.length === 1 &&
    first!.name === SCHEDULE_NAME &&
    first!.holidays.length === 0 &&
    !first!.holidayCalendar &&
    isSimple(first!)
  );
}

function withLayers(
  { name, timezone, layers, holidays, holidayCalendar }: NamedLayers,
  addressOf: (one: string) => string,
): Fields {
  return {
    name,
    timezone,
    layers: layers.map(({ turns, ...layer }) => ({
      ...layer,
      participants: turns.filter((userId) => userId !== null).map(addressOf),
    })),
    holidays: ownHolidays({ holidays, holidayCalendar }),
    holidayCalendarUrl: holidayCalendar?.url ?? null,
  };
}

/** Those that are not over, by their schedule, then in the given order: of two that overlap the later one counts. */
function configuredOverrides(overrides: Overrides, nowMs: number): Fields[] {
  return overrides
    .filter(({ end }) => end > nowMs)
    .toSorted((a, b) => a.schedule - b.schedule)
    .map(({ schedule, email, start, end, reason }) => ({
      schedule,
      email,
      start: new Date(start).toISOString(),
      end: new Date(end).toISOString(),
      reason,
    }));
}

/** The policies of a team as documents have them. A target that is gone is its id. */
function policiesOf(
  stored: readonly EscalationPolicyRow[],
  scheduleIds: readonly string[],
  addressOf: (one: string) => string,
): Policies {
  const policies = stored.map(({ name, severities, steps, repeat, ackTimeout }) => ({
    name,
    severities,
    steps,
    repeat,
    ackTimeout,
  }));
  return withTargets(policies, (target): PolicyTarget => {
    if (target.type === 'user') return { type: 'user', email: addressOf(target.id) };
    if (target.type === 'actionGroup') return { type: 'actionGroup', actionGroupId: target.id };
    if (target.type !== 'onCall') return target;
    if (target.scheduleId === undefined) return { type: 'onCall', schedule: 1 };
    return { type: 'onCall', schedule: scheduleIds.indexOf(target.scheduleId) + 1 || target.scheduleId };
  });
}

function withPeople(schedule: Fields, addressOf: (one: string) => string): Fields {
  return { ...schedule, participants: (schedule['participants'] as string[]).map(addressOf) };
}

function byAddress(members: Members): Members {
  return members.toSorted((a, b) => (a.email < b.email ? -1 : a.email > b.email ? 1 : 0));
}

function calendarFaultsOf({ schedules }: TeamInput, calendars: HolidayCalendars): { path: string; message: string }[] {
  return schedules.flatMap(({ holidays, holidayCalendarUrl: url }, index) => {
    if (url === null) return [];
    const beside = holidays.length > 0 ? ['must not be there beside `holidays`'] : [];
    const path = `schedules.${index}.holidayCalendarUrl`;
    return [...beside, ...calendars.urlFaults(url)].map((message) => ({ path, message }));
  });
}

function faultsOf(
  { members, schedule, schedules, overrides, escalationPolicies: policies }: TeamInput,
  people: People,
): { path: string; message: string }[] {
  const named = new Set<string>();
  const ofMembers = members.flatMap(({ email }, index) => {
    const message = people.faultOf(email) ?? (named.has(people.canonical(email)) ? 'is there already' : undefined);
    named.add(people.canonical(email));
    return message === undefined ? [] : [{ path: `members.${index}.email`, message }];
  });
  const strangersIn = (participants: readonly string[], path: string) =>
    participants.flatMap((participant, index) =>
      named.has(people.canonical(participant))
        ? []
        : [{ path: `${path}.participants.${index}`, message: 'is not one of the `members` of the team' }],
    );
  const wanted = schedules.map(plannedBy);
  const ofForm =
    schedule && schedules.length > 0
      ? [{ path: 'schedules', message: 'must not be there beside `schedule`' }]
      : schedules.length > 0 && isShort(wanted)
        ? [{ path: 'schedules', message: 'has one layer without more: write it as `schedule`' }]
        : [];
  const ofOverrides = overrides.flatMap(({ schedule: place, email, start, end }, index) => {
    const path = `overrides.${index}`;
    return [
      ...(place <= Math.max(1, schedules.length)
        ? []
        : [{ path: `${path}.schedule`, message: 'is no schedule of the team' }]),
      ...(named.has(people.canonical(email))
        ? []
        : [{ path: `${path}.email`, message: 'is not one of the `members` of the team' }]),
      ...(start < end ? [] : [{ path: `${path}.end`, message: 'must be later than `start`' }]),
    ];
  });
  return [
    ...ofMembers,
    ...ofOverrides,
    ...strangersIn(schedule?.participants ?? [], 'schedule'),
    ...schedules.flatMap(({ layers }, at) =>
      layers.flatMap(({ participants }, index) => strangersIn(participants, `schedules.${at}.layers.${index}`)),
    ),
    ...ofForm,
    ...policies.flatMap(({ steps }, at) =>
      steps.flatMap(({ targets }, step) =>
        targets.flatMap((target, index) => {
          const message = target.type === 'user' ? people.faultOf(target.email) : undefined;
          const path = `escalationPolicies.${at}.steps.${step}.targets.${index}.email`;
          return message === undefined ? [] : [{ path, message }];
        }),
      ),
    ),
  ];
}
