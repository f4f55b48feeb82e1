import { heartbeatSettings } from '../heartbeat/heartbeat-settings-schemas.js';
import { generalSettings } from './general-settings-schemas.js';
import { withMaskedSecrets } from './decide-secrets.js';
import { groupsOf, type MonitorSettings } from './monitor-settings.js';

export function describeSettings(row: MonitorSettings) {
  const { dependsOn, ...general } = generalSettings.describe(row);
  return {
    ...general,
    ...withMaskedSecrets(groupsOf(row)),
    heartbeat: row.heartbeat && heartbeatSettings.describe(row.heartbeat),
    dependsOn,
  };
}
export type MonitorSettingsView = ReturnType<typeof describeSettings>;
