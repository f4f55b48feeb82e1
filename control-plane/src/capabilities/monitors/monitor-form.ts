import { z } from 'zod';
import { heartbeatSettings } from './heartbeat/heartbeat-settings-schemas.js';
import type { FormVariant, MonitorForm } from './monitor-schemas.js';
import { shownInForms } from '../../platform/http/define-settings.js';
import { describeSettings } from './settings/describe-settings.js';
import { secretSettings } from './settings/secret-settings.js';
import { DEFAULT_SETTINGS, GROUPED_SETTINGS } from './settings/monitor-settings.js';

const { monitoringStatus: _, ...initial } = describeSettings({ ...DEFAULT_SETTINGS, name: '', url: null });
const rhythm = { everyMs: null, cron: null, timezone: null };

/** Longer texts have several lines, as certificates do. */
const LONGEST_LINE = 4_096;
/** The first values of the fields of a variant, by their control. */
const BEGINNINGS = { text: '', lines: '', nullable: null, list: [] };
type Labels = Readonly<Record<string, string>>;

/** What the console's form of a monitor takes from the settings: a field of them is stated once. */
export const MONITOR_FORM: MonitorForm = {
  initial: { ...initial, url: '', checkTimeout: null },
  newHeartbeat: heartbeatSettings.describe({ ...heartbeatSettings.defaults, ...rhythm }),
  fields: Object.entries(GROUPED_SETTINGS).flatMap(([group, { fields }]) =>
    Object.entries<z.ZodType>(fields).flatMap(([name, field]) => {
      const shown = shownInForms.get(field);
      if (shown === undefined) return [];
      const { choices = {}, fields: labels = {}, ...named } = shown;
      const inner = field instanceof z.ZodNullable ? field.unwrap() : field;
      const values = inner instanceof z.ZodEnum ? inner.options.map(String) : [];
      const options = values.map((value) => ({ value, label: choices[value] ?? value }));
      if (inner !== field && values.length > 0) options.unshift({ value: '', label: 'None' });
      const variants = variantsOf(field, choices, labels);
      return [{ settings: group, name: `${group}.${name}`, control: controlOf(field), options, variants, ...named }];
    }),
  ),
};

function variantsOf(field: z.ZodType, choices: Labels, labels: Labels): FormVariant[] {
  const union = field instanceof z.ZodNullable ? field.unwrap() : field;
  if (!(union instanceof z.ZodDiscriminatedUnion)) return [];
  const secrets = secretSettings.get(field);
  return (union.options as z.ZodObject<{ type: z.ZodLiteral<string> }>[]).map(({ shape: { type, ...shape } }) => {
    const fields = Object.entries<z.ZodType>(shape).map(([name, own]) => {
      const control = variantControlOf(own);
      return { name, label: labels[name] ?? name, control, isSecret: secrets?.isSecret(name, '') === true };
    });
    const values = fields.map(({ name, control }) => [name, BEGINNINGS[control]]);
    return {
      type: type.value,
      label: choices[type.value] ?? type.value,
      fields,
      initial: { type: type.value, ...(Object.fromEntries(values) as FormVariant['initial']) },
    };
  });
}

function variantControlOf(field: z.ZodType): FormVariant['fields'][number]['control'] {
  if (field instanceof z.ZodDefault) return variantControlOf(field.unwrap() as z.ZodType);
  if (field instanceof z.ZodNullable) return 'nullable';
  if (field instanceof z.ZodArray) return 'list';
  return field instanceof z.ZodString && (field.maxLength ?? 0) > LONGEST_LINE ? 'lines' : 'text';
}

function controlOf(field: z.ZodType): MonitorForm['fields'][number]['control'] {
  const inner = field instanceof z.ZodNullable ? field.unwrap() : field;
  if (inner instanceof z.ZodDiscriminatedUnion) return 'variants';
  if (inner instanceof z.ZodRecord) return 'headers';
  if (inner instanceof z.ZodNumber) return 'number';
  if (inner instanceof z.ZodArray) return 'script';
  return inner instanceof z.ZodBoolean ? 'toggle' : inner instanceof z.ZodEnum ? 'choice' : 'text';
}
