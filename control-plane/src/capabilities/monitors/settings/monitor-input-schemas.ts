import { z, ZodNullable, ZodObject, ZodOptional, type ZodType } from 'zod';
import type { EgressPolicy } from '@watchpost/shared/egress';
import { checkedText } from '../../../platform/http/schemas.js';
import { heartbeatCreateInput, heartbeatSettings } from '../heartbeat/heartbeat-settings-schemas.js';
import { contradictable, decideMissing, decideSettingsFaults } from './decide-settings-faults.js';
import { overlay } from '../../../platform/http/define-settings.js';
import { generalSettings } from './general-settings-schemas.js';
import { DEFAULT_SETTINGS, GROUPED_SETTINGS } from './monitor-settings.js';
import { urlFaults } from './monitor-url.js';
import { namedHosts, regionalFaults } from './named-hosts.js';
import { typeSettingsInputs } from './type-settings-schemas.js';

export interface MonitorRules {
  egress: EgressPolicy;
}

const HEARTBEAT = { description: 'When a job has to report; null for other types.' };

/** The fields that callers may send. Those that depend on the installation, or may be null for their default, are stated here again. */
function inputFields() {
  const { fields } = generalSettings;
  return {
    ...fields,
    // Where the places that check it may connect, the verb knows.
    url: checkedText(2_048, urlFaults).meta(fields.url.meta()!),
    checkTimeout: fields.checkTimeout.nullable().meta(fields.checkTimeout.meta()!),
    reporting: GROUPED_SETTINGS.reporting.input,
    ...typeSettingsInputs(),
    heartbeat: heartbeatSettings.input.nullable().meta(HEARTBEAT),
  };
}

/**
 * The bodies that create and change a monitor. The verb reports contradictions with stored settings.
 */
export function monitorInputSchemas(rules: MonitorRules) {
  const fields = z.strictObject(inputFields());
  return {
    create: fields
      .safeExtend({ heartbeat: heartbeatCreateInput.nullable().meta(HEARTBEAT) })
      .partial()
      .superRefine(reportContradictions(rules, { isNew: true }), { when: () => true })
      .meta({ id: 'MonitorCreate' }),
    update: withoutDefaults(fields)
      .partial()
      .superRefine(reportContradictions(rules, { isNew: false }), { when: () => true })
      .meta({
        id: 'MonitorUpdate',
        description:
          'Fields that are left out keep their value. The settings by type (`http`, `ssl`, …) do so field by field.',
      }),
  };
}

/** The validated input of a caller. Durations are in ms. */
export type MonitorUpdateInput = z.output<ReturnType<typeof monitorInputSchemas>['update']>;
export type MonitorCreateInput = z.output<ReturnType<typeof monitorInputSchemas>['create']>;

/**
 * Contradictions within a body, which are reported together with the faults of its fields.
 * @param isNew whether what is left out has its default
 */
function reportContradictions({ egress }: MonitorRules, { isNew }: { isNew: boolean }) {
  return (body: unknown, context: z.RefinementCtx): void => {
    const { data: given } = contradictable.safeParse(body);
    if (given === undefined) return;
    const { monitorTypes, checkTimeoutMs: checkTimeout, http } = DEFAULT_SETTINGS;
    const faults = isNew
      ? [
          ...decideSettingsFaults({
            monitorTypes,
            ...given,
            checkTimeout: given.checkTimeout ?? checkTimeout,
            http: overlay<typeof given.http & object>(http, given.http),
          }),
          ...decideMissing(given),
          ...(given.privateLocations?.length ? [] : regionalFaults(namedHosts(given), egress)),
        ]
      : decideSettingsFaults(given);
    for (const { path, message } of faults) context.addIssue({ code: 'custom', path: path.split('.'), message });
  };
}

/**
 * The schema without defaults in its description, for changes: a field that is not named stays, but a client that fills in
 * described defaults would set it. Nested objects get ids of their own.
 */
function withoutDefaults<Schema extends ZodObject>(object: Schema): Schema {
  const shape = Object.fromEntries(
    Object.entries(object.shape).map(([name, field]) => [name, undefaulted(field as ZodType)]),
  );
  const { id, ...meta } = object.meta() ?? {};
  const bare = object.safeExtend(shape);
  return (id === undefined ? bare : bare.meta({ ...meta, id: id.replace(/Input$/, 'Change') })) as Schema;
}

function undefaulted(field: ZodType): ZodType {
  if (field instanceof ZodOptional) return undefaulted(field.unwrap() as ZodType).optional();
  if (field instanceof ZodObject) return withoutDefaults(field);
  if (field instanceof ZodNullable && field.unwrap() instanceof ZodObject)
    return undefaulted(field.unwrap() as ZodType)
      .nullable()
      .meta({ ...field.meta() });
  // undefined instead of absent, because a copy inherits absent fields.
  return field.meta({ ...field.meta(), default: undefined });
}
