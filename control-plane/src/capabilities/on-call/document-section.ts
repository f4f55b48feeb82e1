import { z } from 'zod';
import type { DocumentSection, SectionChange, SectionRun } from '../../platform/documents/document-section.js';
import { type Fields, isPlain, withoutNulls } from '../../platform/documents/fields.js';
import type { People } from '../../platform/documents/people.js';
import { uuid } from '../../platform/http/schemas.js';
import { configuredTeamStore } from './configured-team-store.js';
import type { Layers } from './decide-rotation.js';
import { decideLayers, decideSchedule, isSimple, simpleRotationOf } from './decide-schedule.js';
import type { ScheduleDeps } from './on-call-deps.js';
import { routeServiceGroup, unrouteServiceGroup } from './routing.js';
import { removeSchedule, setSchedule } from './schedule.js';
import {
  MAX_LAYERS,
  MAX_PARTICIPANTS,
  MAX_SCHEDULES,
  type ScheduleInput,
  scheduleInputSchema,
  teamScheduleInputSchema,
} from './schedule-schemas.js';
import { SCHEDULE_NAME } from './schedule-store.js';
import { createSchedule, deleteSchedule, listSchedules, updateSchedule } from './schedules.js';
import { addTeamMember, changeTeamMember, removeTeamMember } from './team-members.js';
import type { PlannedSchedule } from './team-plan-store.js';
import { ACCESS } from './team-routes.js';
import { MAX_TEAM_MEMBERS, teamCreateSchema, teamMemberCreateSchema, teamPatchSchema } from './team-schemas.js';
import { createTeam, deleteTeam, updateTeam } from './teams.js';

const MAX_GROUPS = 500;

const address = z.string().trim().toLowerCase().min(1).max(320).meta({
  description: 'The email address of a member of the workspace, or the user id where the address is not theirs alone.',
  example: 'ada@example.com',
});

const { rotation, participants: _ids, ...times } = scheduleInputSchema.shape;

const members = z
  .array(z.strictObject({ email: address, teamRole: teamMemberCreateSchema.shape.teamRole }))
  .max(MAX_TEAM_MEMBERS);
const schedule = z
  .strictObject({
    rotation: rotation.unwrap(),
    ...times,
    participants: z
      .array(address)
      .min(1)
      .max(MAX_PARTICIPANTS)
      .describe('Members of the team in the order of their turns.'),
  })
  .nullable();
const layer = teamScheduleInputSchema.shape.layers.element;
const schedules = z
  .array(
    teamScheduleInputSchema.extend({
      layers: z
        .array(
          layer.extend({
            // Its default depends on the moment, so that a document would have another meaning every day.
            startDate: layer.shape.startDate.unwrap(),
            participants: schedule.unwrap().shape.participants,
          }),
        )
        .min(1)
        .max(MAX_LAYERS),
    }),
  )
  .max(MAX_SCHEDULES);
const serviceGroupIds = z
  .array(uuid)
  .max(MAX_GROUPS)
  .transform((ids) => [...new Set(ids)]);

const create = teamCreateSchema.extend({
  members: members.default([]),
  schedule: schedule.default(null).describe('The only schedule of the team, where it has one layer without more.'),
  schedules: schedules
    .default([])
    .describe('Schedules with layers, in place of `schedule`. Their order identifies them.'),
  serviceGroupIds: serviceGroupIds.default([]).describe('The service groups whose incidents page the team.'),
});
const update = teamPatchSchema.extend({
  members: members.optional(),
  schedule: schedule.optional(),
  schedules: schedules.optional(),
  serviceGroupIds: serviceGroupIds.optional(),
});
type TeamInput = z.output<typeof create>;
type TeamPatch = z.output<typeof update>;
type Members = TeamInput['members'];

/** Teams in documents, with their people by email address: user ids are different in every installation. */
export function teamSection(pool: ScheduleDeps): DocumentSection<TeamInput, TeamPatch> {
  const depsIn = ({ db }: SectionRun) => ({ ...pool, db });
  return {
    access: ACCESS,
    exportedTo: 'Admin',
    schemas: [{ create, update }],
    inputFaultsOf: (input, { people }) => faultsOf(input, people),
    configuredBy: ({ members, schedule, schedules, ...team }, { people }) => ({
      fields: {
        ...team,
        members: byAddress(members.map(({ email, teamRole }) => ({ email: people.canonical(email), teamRole }))),
        schedule: schedule && withPeople(scheduleBy(schedule), (one) => people.canonical(one)),
        schedules: schedules.map(({ layers, ...one }) =>
          withLayers({ ...one, layers: decideLayers(layers, one.timezone, 0).layers }, (person) =>
            people.canonical(person),
          ),
        ),
      },
      secrets: {},
    }),
    // The start of a rotation and the day of its handoffs follow from when it is set, where the document leaves them out.
    comparedInPart: 'schedule',
    least({ name, members, schedule, schedules }) {
      // Members and rotations have no defaults but in their parts.
      const people = (members as Members).map(({ email, teamRole }) =>
        teamRole === 'member' ? { email } : { email, teamRole },
      );
      return {
        name,
        ...(people.length > 0 ? { members: people } : {}),
        ...(isPlain(schedule) ? { schedule: withoutNulls(schedule) } : {}),
        ...((schedules as unknown[]).length > 0 ? { schedules } : {}),
      };
    },
    read: async (tx, workspaceId, { people }) =>
      (await configuredTeamStore.all(workspaceId, tx)).map(({ id, members, schedules, ...team }) => ({
        id,
        fields: {
          ...team,
          members: byAddress(members.map(({ userId, teamRole }) => ({ email: people.addressOf(userId), teamRole }))),
          ...schedulesOf(schedules, (one) => people.addressOf(one)),
        },
        secrets: {},
      })),
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

/** Gives a team the members, the rotation and the service groups that the document names, by the verb for each. */
async function changeTeam(deps: ScheduleDeps, run: SectionRun, change: SectionChange<TeamPatch>): Promise<void> {
  const { actor, before } = run;
  const { id, input } = change;
  const current = before.get(id)?.fields ?? { members: [], schedule: null, schedules: [], serviceGroupIds: [] };
  if (input.members) await changeMembers(deps, run, change, input.members, current['members'] as Members);

  await changeSchedules(deps, run, change, current);
  if (!input.serviceGroupIds) return;
  const routed = new Set(current['serviceGroupIds'] as string[]);
  const groups = new Set(input.serviceGroupIds);
  await run.each(
    [change],
    async () => {
      for (const serviceGroupId of routed)
        if (!groups.has(serviceGroupId)) await unrouteServiceGroup(deps, actor, { id, serviceGroupId });
      for (const serviceGroupId of groups)
        if (!routed.has(serviceGroupId)) await routeServiceGroup(deps, actor, { id, serviceGroupId });
    },
    'serviceGroups',
  );
}

async function changeSchedules(
  deps: ScheduleDeps,
  run: SectionRun,
  change: SectionChange<TeamPatch>,
  current: Fields,
): Promise<void> {
  const { actor } = run;
  const { schedule, schedules } = change.input;
  const teamId = change.id;
  const userOf = (one: string) => run.context.people.userOf(one)!;
  const hasLayers = (current['schedules'] as unknown[]).length > 0;
  const isWithin = (place: string) => (path: string) => `${place}${path === '' ? '' : `.${path}`}`;
  const idsBy = async (): Promise<string[]> => {
    const { items } = await listSchedules(deps, actor, teamId, { limit: MAX_SCHEDULES, offset: 0 });
    return items.map(({ id }) => id);
  };
  const removeFrom = async (count: number): Promise<void> => {
    for (const scheduleId of (await idsBy()).slice(count))
      await deleteSchedule(deps, actor, { id: teamId, scheduleId });
  };
  if (schedules && schedules.length > 0) {
    const ids = await idsBy();
    for (const [index, { layers, ...one }] of schedules.entries()) {
      const input = {
        ...one,
        layers: layers.map((each) => ({ ...each, participants: each.participants.map(userOf) })),
      };
      const scheduleId = ids[index];
      await run.each(
        [change],
        () =>
          scheduleId === undefined
            ? createSchedule(deps, actor, teamId, input, true)
            : updateSchedule(deps, actor, { id: teamId, scheduleId }, input, true),
        isWithin(`schedules.${index}`),
      );
    }
    await run.each([change], () => removeFrom(schedules.length), 'schedules');
    return;
  }
  if (schedules && hasLayers) await run.each([change], () => removeFrom(0), 'schedules');
  if (schedule) {
    const participants = schedule.participants.map(userOf);
    await run.each(
      [change],
      () => setSchedule(deps, actor, teamId, { ...schedule, participants }),
      isWithin('schedule'),
    );
  } else if (schedule === null && current['schedule'] !== null)
    await run.each([change], () => removeSchedule(deps, actor, teamId), 'schedule');
}

async function changeMembers(
  deps: ScheduleDeps,
  run: SectionRun,
  change: SectionChange<TeamPatch>,
  wanted: Members,
  current: Members,
): Promise<void> {
  const { actor } = run;
  const { people } = run.context;
  const { id, given } = change;
  const named = ((given['members'] ?? []) as Members).map(({ email }) => people.canonical(email.trim().toLowerCase()));
  const userOf = (email: string) => people.userOf(email)!;
  const roles = new Map(current.map(({ email, teamRole }) => [email, teamRole]));
  const stay = new Map(wanted.map(({ email, teamRole }) => [people.canonical(email), teamRole]));
  for (const email of roles.keys())
    if (!stay.has(email))
      await run.each([change], () => removeTeamMember(deps, actor, { id, userId: userOf(email) }), 'members');
  for (const [email, teamRole] of stay) {
    const [role, userId] = [roles.get(email), userOf(email)];
    if (role !== teamRole)
      await run.each(
        [change],
        () =>
          role === undefined
            ? addTeamMember(deps, actor, id, { userId, teamRole })
            : changeTeamMember(deps, actor, { id, userId }, { teamRole }),
        (path) => `members.${named.indexOf(email)}${path === 'userId' ? '.email' : ''}`,
      );
  }
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

/** Whether `schedule` can describe all schedules of a team. */
function isShort(schedules: readonly (Layers & { name: string })[]): boolean {
  const [first] = schedules;
  return schedules.length === 1 && first!.name === SCHEDULE_NAME && first!.holidays.length === 0 && isSimple(first!);
}

function withLayers(
  { name, timezone, layers, holidays }: Layers & { name: string },
  addressOf: (one: string) => string,
): Fields {
  return {
    name,
    timezone,
    layers: layers.map(({ turns, ...layer }) => ({
      ...layer,
      participants: turns.filter((userId) => userId !== null).map(addressOf),
    })),
    holidays,
  };
}

function withPeople(schedule: Fields, addressOf: (one: string) => string): Fields {
  return { ...schedule, participants: (schedule['participants'] as string[]).map(addressOf) };
}

function byAddress(members: Members): Members {
  return members.toSorted((a, b) => (a.email < b.email ? -1 : a.email > b.email ? 1 : 0));
}

function faultsOf({ members, schedule, schedules }: TeamInput, people: People): { path: string; message: string }[] {
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
  const wanted = schedules.map(({ layers, ...one }) => ({
    ...one,
    layers: decideLayers(layers, one.timezone, 0).layers,
  }));
  const ofForm =
    schedule && schedules.length > 0
      ? [{ path: 'schedules', message: 'must not be there beside `schedule`' }]
      : schedules.length > 0 && isShort(wanted)
        ? [{ path: 'schedules', message: 'has one layer without more: write it as `schedule`' }]
        : [];
  return [
    ...ofMembers,
    ...strangersIn(schedule?.participants ?? [], 'schedule'),
    ...schedules.flatMap(({ layers }, at) =>
      layers.flatMap(({ participants }, index) => strangersIn(participants, `schedules.${at}.layers.${index}`)),
    ),
    ...ofForm,
  ];
}
