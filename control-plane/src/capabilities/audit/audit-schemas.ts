import { z } from 'zod';
import { isoTimestamp, pageQuery, timeRangeQuery, uuid } from '../../platform/http/schemas.js';
import { AUDIT_ACTIONS, AUDIT_ACTOR_TYPES, AUDIT_CHANNELS, AUDIT_TARGET_TYPES } from './audit-actions.js';

export const auditQuery = z.strictObject({
  ...pageQuery.shape,
  ...timeRangeQuery.shape,
  action: z.enum(AUDIT_ACTIONS).optional().meta({ description: 'Only this action.' }),
  actorId: uuid.optional().meta({ description: 'Only what this user or API key did.' }),
  targetId: uuid.optional().meta({ description: 'Only what happened to this object.' }),
  targetType: z
    .enum(AUDIT_TARGET_TYPES)
    .optional()
    .meta({ description: 'Only what happened to objects of this type.' }),
});

export const auditEntrySchema = z
  .strictObject({
    id: z.uuid(),
    at: isoTimestamp,
    action: z.enum(AUDIT_ACTIONS),
    actor: z.strictObject({
      type: z.enum(AUDIT_ACTOR_TYPES).meta({
        description:
          '`link`: the person that a link was sent to. `operator`: the operator of the service. `system`: the service itself.',
      }),
      id: z.uuid().nullable().meta({ description: 'The user or API key; null for `operator` and `system`.' }),
      name: z.string().nullable().meta({
        description:
          'The name, else the email, at the time of the change, null once the account is deleted; of an API key its name. `Role mapping` for roles from a claim, and `Ann (PagerDuty)` for what Ann did there.',
      }),
    }),
    via: z.enum(AUDIT_CHANNELS).nullable().meta({
      description:
        'What the request came by; null for `system` itself. `chat`: a button in a message. `service`: something that a person did in PagerDuty or Jira Service Management. `cli` is what the client calls itself: information, no proof.',
    }),
    assistant: z
      .strictObject({
        client: z.string().nullable().meta({
          description:
            'What the program of the assistant calls itself: information, no proof. Null where it gave no name.',
        }),
        tool: z.string().meta({ description: 'The tool that it called.', example: 'close_incident' }),
      })
      .nullable()
      .meta({ description: 'What acted for the person where `via` is `mcp`, else null.' }),
    target: z.strictObject({
      type: z.enum(AUDIT_TARGET_TYPES).meta({ description: 'The part of `action` before the dot.' }),
      id: z.uuid(),
      name: z.string().nullable().meta({ description: 'As it was at the time of the change.' }),
    }),
    changes: z.record(z.string(), z.strictObject({ from: z.unknown(), to: z.unknown() })).meta({
      description:
        'By field, named as in the API, such as `checkInterval` or `settings.timezone`. What did not exist is null. A secret is `"***"`, on both sides where only the secret changed. A value of more than 4,096 characters of JSON is the beginning of its JSON.',
      example: { checkInterval: { from: 'PT5M', to: 'PT1M' } },
    }),
    requestId: z.string().nullable().meta({ description: 'The `X-Request-Id` of the request.' }),
    remoteAddress: z.string().nullable().meta({ description: 'The address that the request came from.' }),
  })
  .meta({ id: 'AuditEntry' });

export type AuditEntry = z.output<typeof auditEntrySchema>;
