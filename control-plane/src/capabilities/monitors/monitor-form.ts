import { z } from 'zod';
import { heartbeatSettings } from './heartbeat/heartbeat-settings-schemas.js';
import type { MonitorForm } from './monitor-schemas.js';
import { shownInForms } from '../../platform/http/define-settings.js';
import { describeSettings } from './settings/describe-settings.js';
import { DEFAULT_SETTINGS, GROUPED_SETTINGS } from './settings/monitor-settings.js';

const { monitoringStatus: _, ...initial } = describeSettings({ ...DEFAULT_SETTINGS, name: '', url: null });
const rhythm = { everyMs: null, cron: null, timezone: null };

/** What the console's form of a monitor takes from the settings: a field of them is stated once. */
export const MONITOR_FORM: MonitorForm = {
  initial: { ...initial, url: '', checkTimeout: null },
  newHeartbeat: heartbeatSettings.describe({ ...heartbeatSettings.defaults, ...rhythm }),
  fields: Object.entries(GROUPED_SETTINGS).flatMap(([group, { fields }]) =>
    Object.entries<z.ZodType>(fields).flatMap(([name, field]) => {
      const shown = shownInForms.get(field);
      if (shown === undefined) return [];
      const { choices = {}, ...named } = shown;
      const values = field instanceof z.ZodEnum ? field.options.map(String) : [];
      const options = values.map((value) => ({ value, label: choices[value] ?? value }));
      return [{ settings: group, name: `${group}.${name}`, control: controlOf(field), options, ...named }];
    }),
  ),
};

function controlOf(field: z.ZodType): MonitorForm['fields'][number]['control'] {
  if (field instanceof z.ZodRecord) return 'headers';
  return field instanceof z.ZodBoolean ? 'toggle' : field instanceof z.ZodEnum ? 'choice' : 'text';
}
