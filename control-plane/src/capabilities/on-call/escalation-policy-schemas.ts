import { z } from 'zod';
import { formatDuration } from '@watchpost/shared/duration';
import { SEVERITIES } from '@watchpost/shared/incident-types';
import { DAY_MS, MINUTE_MS } from '@watchpost/shared/time';
import { durationSchema, isoDuration, isoTimestamp, nameText, uuid } from '../../platform/http/schemas.js';

/** Policies of a team at most. */
export const MAX_POLICIES = 10;
export const MAX_STEPS = 10;
export const MAX_TARGETS = 10;
const MAX_REPEAT = 9;

const duration = (minMs: number, maxMs: number) => durationSchema({ minMs, maxMs }).transform(formatDuration);

const target = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('onCall'), scheduleId: uuid.optional().describe('Default the first schedule') }),
    z.strictObject({ type: z.literal('user'), id: uuid.describe('An active member of the workspace') }),
    z.strictObject({ type: z.literal('leads') }),
    z.strictObject({ type: z.literal('team') }),
    z.strictObject({ type: z.literal('actionGroup'), id: uuid.describe('An action group of the workspace') }),
  ])
  .describe('`onCall`, `leads` and `team` are those of the team at that moment');
const ackRequired = z
  .enum(['one', 'each'])
  .describe('`each`: the next step comes until everybody who was paged by this one has acknowledged');
const severities = z
  .array(z.enum(SEVERITIES))
  .min(1)
  .overwrite((given) => SEVERITIES.filter((one) => given.includes(one)))
  .describe('The first policy of the team that has the severity of the incident counts');
const repeat = z.int().min(0).max(MAX_REPEAT).describe('How many rounds come after the first one');
const AFTER = 'After the step before; of the first step, after the incident opens';
const ACK_TIMEOUT =
  'Where an incident was acknowledged for so long, is open and has no note since, it is no longer acknowledged and paging begins again';

export const policyStepSchema = z.strictObject({
  after: duration(0, DAY_MS).describe(AFTER),
  targets: z.array(target).min(1).max(MAX_TARGETS),
  ackRequired: ackRequired.default('one'),
});

export const escalationPolicyInputSchema = z
  .strictObject({
    name: nameText,
    severities: severities.default([...SEVERITIES]),
    steps: z.array(policyStepSchema).min(1).max(MAX_STEPS),
    repeat: repeat.default(0),
    ackTimeout: duration(15 * MINUTE_MS, DAY_MS)
      .nullable()
      .default(null)
      .describe(ACK_TIMEOUT),
  })
  .meta({ id: 'EscalationPolicyInput' });

const { name, steps } = escalationPolicyInputSchema.shape;

export const escalationPolicyPatchSchema = z
  .strictObject({
    name: name.optional(),
    severities: severities.optional(),
    steps: steps.optional(),
    repeat: repeat.optional(),
    ackTimeout: escalationPolicyInputSchema.shape.ackTimeout.unwrap().optional(),
  })
  .meta({ id: 'EscalationPolicyPatch' });

export const escalationPolicySchema = z
  .strictObject({
    id: uuid.describe('Of the built-in one, that of the team'),
    teamId: uuid,
    name: z.string(),
    builtIn: z.boolean().describe('It counts where no other does, and cannot be changed'),
    severities: z.array(z.enum(SEVERITIES)),
    steps: z.array(z.strictObject({ after: isoDuration.describe(AFTER), targets: z.array(target), ackRequired })),
    repeat,
    ackTimeout: isoDuration.nullable().describe(ACK_TIMEOUT),
    problems: z
      .array(z.strictObject({ path: z.string().meta({ example: 'steps.0.targets.1' }), message: z.string() }))
      .describe('Targets that are gone since, or by which nobody can be reached now'),
    planRestricted: z
      .boolean()
      .describe('Whether the plan has no rotations, or not this team: it is kept and does not count'),
    created: isoTimestamp,
    lastModified: isoTimestamp,
  })
  .meta({ id: 'EscalationPolicy' });

export type EscalationPolicyInput = z.output<typeof escalationPolicyInputSchema>;
export type EscalationPolicyPatch = z.output<typeof escalationPolicyPatchSchema>;
export type EscalationPolicyView = z.output<typeof escalationPolicySchema>;
