import { z } from 'zod';
import type { DocumentSection, SectionChange, SectionRun } from '../../platform/documents/document-section.js';
import { type Fields, isPlain, withoutNulls } from '../../platform/documents/fields.js';
import type { People } from '../../platform/documents/people.js';
import { uuid } from '../../platform/http/schemas.js';
import { configuredTeamStore } from './configured-team-store.js';
import { decideSchedule } from './decide-schedule.js';
import type { OnCallDeps } from './on-call-deps.js';
import { routeServiceGroup, unrouteServiceGroup } from './routing.js';
import { removeSchedule, setSchedule } from './schedule.js';
import { MAX_PARTICIPANTS, type ScheduleInput, scheduleInputSchema } from './schedule-schemas.js';
import { addTeamMember, changeTeamMember, removeTeamMember } from './team-members.js';
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
const serviceGroupIds = z
  .array(uuid)
  .max(MAX_GROUPS)
  .transform((ids) => [...new Set(ids)]);

const create = teamCreateSchema.extend({
  members: members.default([]),
  schedule: schedule.default(null),
  serviceGroupIds: serviceGroupIds.default([]).describe('The service groups whose incidents page the team.'),
});
const update = teamPatchSchema.extend({
  members: members.optional(),
  schedule: schedule.optional(),
  serviceGroupIds: serviceGroupIds.optional(),
});
type TeamInput = z.output<typeof create>;
type TeamPatch = z.output<typeof update>;
type Members = TeamInput['members'];

/** Teams in documents, with their people by email address: user ids are different in every installation. */
export function teamSection(pool: OnCallDeps): DocumentSection<TeamInput, TeamPatch> {
  const depsIn = ({ db }: SectionRun) => ({ ...pool, db });
  return {
    access: ACCESS,
    exportedTo: 'Admin',
    schemas: [{ create, update }],
    inputFaultsOf: (input, { people }) => faultsOf(input, people),
    configuredBy: ({ members, schedule, ...team }, { people }) => ({
      fields: {
        ...team,
        members: byAddress(members.map(({ email, teamRole }) => ({ email: people.canonical(email), teamRole }))),
        schedule: schedule && withPeople(scheduleBy(schedule), (one) => people.canonical(one)),
      },
      secrets: {},
    }),
    // The start of a rotation and the day of its handoffs follow from when it is set, where the document leaves them out.
    comparedInPart: 'schedule',
    least({ name, members, schedule }) {
      // Members and rotations have no defaults but in their parts.
      const people = (members as Members).map(({ email, teamRole }) =>
        teamRole === 'member' ? { email } : { email, teamRole },
      );
      return {
        name,
        ...(people.length > 0 ? { members: people } : {}),
        ...(isPlain(schedule) ? { schedule: withoutNulls(schedule) } : {}),
      };
    },
    read: async (tx, workspaceId, { people }) =>
      (await configuredTeamStore.all(workspaceId, tx)).map(({ id, members, schedule, ...team }) => ({
        id,
        fields: {
          ...team,
          members: byAddress(members.map(({ userId, teamRole }) => ({ email: people.addressOf(userId), teamRole }))),
          // Nobody takes the turns of a rotation of which everybody has left: it is as if there were none.
          schedule:
            schedule && schedule.participants.length > 0
              ? withPeople({ ...schedule }, (one) => people.addressOf(one))
              : null,
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
async function changeTeam(deps: OnCallDeps, run: SectionRun, change: SectionChange<TeamPatch>): Promise<void> {
  const { actor, before } = run;
  const { people } = run.context;
  const { id, input } = change;
  const current = before.get(id)?.fields ?? { members: [], schedule: null, serviceGroupIds: [] };
  if (input.members) await changeMembers(deps, run, change, input.members, current['members'] as Members);

  if (input.schedule) {
    const participants = input.schedule.participants.map((one) => people.userOf(one)!);
    await run.each(
      [change],
      () => setSchedule(deps, actor, id, { ...input.schedule, participants }),
      (path) => `schedule${path === '' ? '' : `.${path}`}`,
    );
  } else if (input.schedule === null && current['schedule'] !== null)
    await run.each([change], () => removeSchedule(deps, actor, id), 'schedule');

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

async function changeMembers(
  deps: OnCallDeps,
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
  const { settings } = decideSchedule(null, input, 0);
  // A fault, which setting it reports.
  if (!settings) return { ...input };
  const { turns, startDate, handoffDay, ...rest } = settings;
  const isDayKnown = rest.rotation === 'daily' || (input.handoffDay ?? input.startDate) !== undefined;
  return {
    ...rest,
    ...(isDayKnown ? { handoffDay } : {}),
    ...(input.startDate === undefined ? {} : { startDate }),
    participants: turns,
  };
}

function withPeople(schedule: Fields, addressOf: (one: string) => string): Fields {
  return { ...schedule, participants: (schedule['participants'] as string[]).map(addressOf) };
}

function byAddress(members: Members): Members {
  return members.toSorted((a, b) => (a.email < b.email ? -1 : a.email > b.email ? 1 : 0));
}

function faultsOf({ members, schedule }: TeamInput, people: People): { path: string; message: string }[] {
  const named = new Set<string>();
  const ofMembers = members.flatMap(({ email }, index) => {
    const message = people.faultOf(email) ?? (named.has(people.canonical(email)) ? 'is there already' : undefined);
    named.add(people.canonical(email));
    return message === undefined ? [] : [{ path: `members.${index}.email`, message }];
  });
  const ofParticipants = (schedule?.participants ?? []).flatMap((participant, index) =>
    named.has(people.canonical(participant))
      ? []
      : [{ path: `schedule.participants.${index}`, message: 'is not one of the `members` of the team' }],
  );
  return [...ofMembers, ...ofParticipants];
}
