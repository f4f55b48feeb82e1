import { z } from 'zod';
import { uuid } from '../../platform/http/schemas.js';
import {
  escalationPolicyInputSchema,
  MAX_POLICIES,
  MAX_STEPS,
  MAX_TARGETS,
  policyStepSchema,
} from './escalation-policy-schemas.js';
import {
  MAX_LAYERS,
  MAX_OVERRIDES,
  MAX_PARTICIPANTS,
  MAX_SCHEDULES,
  overrideInputSchema,
  scheduleInputSchema,
  teamScheduleInputSchema,
} from './schedule-schemas.js';
import { MAX_TEAM_MEMBERS, teamCreateSchema, teamMemberCreateSchema, teamPatchSchema } from './team-schemas.js';

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
const schedulePlace = z
  .int()
  .min(1)
  .max(MAX_SCHEDULES)
  .default(1)
  .describe('The place of the schedule among those of the team, from 1.');
const { userId: _user, ...overrideTimes } = overrideInputSchema.shape;
const overrides = z
  .array(z.strictObject({ schedule: schedulePlace, email: address, ...overrideTimes }))
  .max(MAX_OVERRIDES)
  .describe(
    'All overrides of the team that are not over, but those of swaps: of two that overlap the later one counts. Where the document has none of this field, they are left alone.',
  );
const escalationPolicies = z
  .array(
    escalationPolicyInputSchema.extend({
      steps: z
        .array(
          policyStepSchema.extend({
            targets: z
              .array(
                z.discriminatedUnion('type', [
                  z.strictObject({
                    type: z.literal('onCall'),
                    schedule: z
                      .union([schedulePlace, uuid])
                      .default(1)
                      .describe(
                        'The place of the schedule among those of the team, from 1. One that is gone has its id.',
                      ),
                  }),
                  z.strictObject({ type: z.literal('user'), email: address }),
                  z.strictObject({ type: z.literal('leads') }),
                  z.strictObject({ type: z.literal('team') }),
                  z.strictObject({ type: z.literal('actionGroup'), actionGroupId: uuid }),
                ]),
              )
              .min(1)
              .max(MAX_TARGETS),
          }),
        )
        .min(1)
        .max(MAX_STEPS),
    }),
  )
  .max(MAX_POLICIES);
const serviceGroupIds = z
  .array(uuid)
  .max(MAX_GROUPS)
  .transform((ids) => [...new Set(ids)]);

/** A team of a document that is made. */
export const create = teamCreateSchema.extend({
  members: members.default([]),
  schedule: schedule.default(null).describe('The only schedule of the team, where it has one layer without more.'),
  schedules: schedules
    .default([])
    .describe('Schedules with layers, in place of `schedule`. Their order identifies them.'),
  overrides: overrides.default([]),
  escalationPolicies: escalationPolicies
    .default([])
    .describe('In the order in which they count. Without one the built-in policy does.'),
  serviceGroupIds: serviceGroupIds.default([]).describe('The service groups whose incidents page the team.'),
});
/** These parts of it are changed. */
export const update = teamPatchSchema.extend({
  members: members.optional(),
  schedule: schedule.optional(),
  schedules: schedules.optional(),
  overrides: overrides.optional(),
  escalationPolicies: escalationPolicies.optional(),
  serviceGroupIds: serviceGroupIds.optional(),
});
export type TeamInput = z.output<typeof create>;
export type TeamPatch = z.output<typeof update>;
export type Members = TeamInput['members'];
export type Overrides = TeamInput['overrides'];
export type Policies = TeamInput['escalationPolicies'];
export type PolicyTarget = Policies[number]['steps'][number]['targets'][number];

type Step = Policies[number]['steps'][number];
type PolicyOf<Target> = Omit<Policies[number], 'steps'> & {
  steps: (Omit<Step, 'targets'> & { targets: readonly Target[] })[];
};

/** The policies with each target changed. */
export function withTargets<From, To>(
  policies: readonly PolicyOf<From>[],
  change: (target: From) => To,
): (Omit<Policies[number], 'steps'> & { steps: (Omit<Step, 'targets'> & { targets: To[] })[] })[] {
  return policies.map((policy) => ({
    ...policy,
    steps: policy.steps.map((step) => ({ ...step, targets: step.targets.map(change) })),
  }));
}
