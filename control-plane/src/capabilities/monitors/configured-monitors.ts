import type { SecretBox } from '../../platform/db/secret-box.js';
import type { Tx } from '../../platform/db/database.js';
import { describeConfiguration } from './describe-monitor.js';
import { monitorStore } from './monitor-store.js';
import { serviceGroupStore } from './service-groups/service-group-store.js';
import { decideNewSettings } from './settings/decide-monitor-settings.js';
import type { MonitorCreateInput } from './settings/monitor-input-schemas.js';
import { openSecrets } from './settings/monitor-secrets.js';
import type { HttpSecrets, MonitorSettings } from './settings/monitor-settings.js';

/** What people set of an object. */
export interface Configured {
  /** As REST answers it, with secrets as `***`. */
  fields: Record<string, unknown>;
  /** The secrets by their path in the fields: `http.headers.Authorization`. */
  secrets: Record<string, string>;
}

/** An object as it is configured now. */
export interface ConfiguredObject extends Configured {
  id: string;
}

/**
 * What a monitor would be configured to after it was created with this input.
 * @param workspaceZone the time zone of schedules that name none
 */
export function configuredByInput(input: MonitorCreateInput, workspaceZone: string): Configured {
  const { settings, secrets } = decideNewSettings(input, workspaceZone);
  return configured(settings, secrets);
}

/** All monitors of a workspace, oldest first. */
export async function configuredMonitors(
  { secretBox }: { secretBox: SecretBox },
  tx: Tx,
  workspaceId: string,
): Promise<ConfiguredObject[]> {
  return (await monitorStore.all(workspaceId, tx)).map((row) => ({
    id: row.id,
    ...configured(row, openSecrets(secretBox, row.id, row.httpSecrets)),
  }));
}

/** All service groups of a workspace, oldest first. */
export async function configuredServiceGroups(tx: Tx, workspaceId: string): Promise<ConfiguredObject[]> {
  return (await serviceGroupStore.all(workspaceId, tx)).map(({ id, name, hostname }) => ({
    id,
    fields: { name, hostname },
    secrets: {},
  }));
}

function configured(settings: MonitorSettings, secrets: HttpSecrets): Configured {
  const none = { id: '', workspaceId: '', created: new Date(0), lastModified: new Date(0) };
  const {
    id: _,
    workspaceId: _w,
    created: _c,
    lastModified: _m,
    ...fields
  } = describeConfiguration({ ...settings, ...none });
  const named = Object.keys(settings.http.headers).flatMap((name): [string, string][] => {
    const value = Object.hasOwn(secrets, name.toLowerCase()) ? secrets[name.toLowerCase()] : undefined;
    return value === undefined ? [] : [[`http.headers.${name}`, value]];
  });
  return { fields, secrets: Object.fromEntries(named) };
}
