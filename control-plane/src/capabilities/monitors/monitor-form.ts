import { z } from 'zod';
import { describeSettings } from './settings/describe-settings.js';
import { DEFAULT_GRACE_MS } from './heartbeat/heartbeat-settings-schemas.js';
import type { MonitorForm } from './monitor-schemas.js';
import { shownInForms } from './settings/define-settings.js';
import { httpSettings } from './settings/http-settings-schemas.js';
import { DEFAULT_SETTINGS } from './settings/monitor-settings.js';

const heartbeat = { everyMs: null, cron: null, timezone: null, graceMs: DEFAULT_GRACE_MS, maxRuntimeMs: null };
const { heartbeat: newHeartbeat, ...initial } = describeSettings({
  ...DEFAULT_SETTINGS,
  name: '',
  url: null,
  heartbeat,
});

/** What the console's form of a monitor takes from the settings: a field of them is stated once. */
export const MONITOR_FORM: MonitorForm = {
  initial,
  newHeartbeat: newHeartbeat!,
  fields: Object.entries(httpSettings.schema.shape).flatMap(([name, field]) => {
    const shown = shownInForms.get(field);
    return shown ? [{ name: `http.${name}`, isToggle: field instanceof z.ZodBoolean, ...shown }] : [];
  }),
};
