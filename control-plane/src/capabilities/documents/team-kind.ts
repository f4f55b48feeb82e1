import { z } from 'zod';
import { uuid } from '../../platform/http/schemas.js';
import type { ConfiguredObject } from '../monitors/index.js';
import {
  configuredBySchedule,
  MAX_TEAM_MEMBERS,
  scheduleInputSchema,
  teamMemberCreateSchema,
} from '../on-call/index.js';
import type { Fields } from './fields.js';
import type { Kind } from './kind.js';
import type { People } from './people.js';

const MAX_GROUPS = 500;

const address = z.string().trim().toLowerCase().min(1).max(320).meta({
  description: 'The email address of a member of the workspace, or the user id where the address is not theirs alone.',
  example: 'ada@example.com',
});

const { rotation, participants: _ids, ...schedule } = scheduleInputSchema.shape;

/** What a team has beyond the body that creates it: it is set by operations of its own. */
const outside = z.strictObject({
  members: z
    .array(z.strictObject({ email: address, teamRole: teamMemberCreateSchema.shape.teamRole }))
    .max(MAX_TEAM_MEMBERS)
    .default([]),
  schedule: z
    .strictObject({
      rotation: rotation.unwrap(),
      ...schedule,
      participants: z.array(address).min(1).max(50).describe('Members of the team in the order of their turns.'),
    })
    .nullable()
    .default(null),
  serviceGroupIds: z
    .array(uuid)
    .max(MAX_GROUPS)
    .transform((ids) => [...new Set(ids)])
    .default([])
    .describe('The service groups whose incidents page the team.'),
});
export type TeamOutside = z.output<typeof outside>;

export const teamKind: Kind = {
  createWith: () => 'createTeam',
  updateWith: () => 'updateTeam',
  deleteWith: 'deleteTeam',
  listWith: 'listTeams',
  outsideBody: ['members', 'schedule', 'serviceGroups'],
  outside: { schema: outside, faultsOf: (value, people) => faultsOf(value as TeamOutside, people) },
  configuredBy({ body, outside: value, people }) {
    const { members, schedule, serviceGroupIds } = value as TeamOutside;
    const fields = {
      ...(body as object),
      members: members.map(({ email, teamRole }) => ({ email: people.canonical(email), teamRole })).toSorted(byEmail),
      schedule: schedule && withPeople(configuredBySchedule(schedule), (one) => people.canonical(one)),
      serviceGroupIds,
    };
    return { fields, secrets: {} };
  },
  // The start of a rotation and the day of its handoffs follow from when it is set, where the document leaves them out.
  comparedInPart: 'schedule',
  withUrl: [],
};

/** A team as it is now, its people by their addresses. */
export function withAddresses({ fields, ...team }: ConfiguredObject, people: People): ConfiguredObject {
  const members = fields['members'] as { userId: string; teamRole: string }[];
  return {
    ...team,
    fields: {
      ...fields,
      members: members.map(({ userId, teamRole }) => ({ email: people.addressOf(userId), teamRole })).toSorted(byEmail),
      schedule: fields['schedule'] && withPeople(fields['schedule'] as Fields, (one) => people.addressOf(one)),
    },
  };
}

function withPeople(schedule: Fields, addressOf: (one: string) => string): Fields {
  return { ...schedule, participants: (schedule['participants'] as string[]).map(addressOf) };
}

function byEmail(a: { email: string }, b: { email: string }): number {
  return a.email < b.email ? -1 : a.email > b.email ? 1 : 0;
}

function faultsOf({ members, schedule }: TeamOutside, people: People): { path: string; message: string }[] {
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
