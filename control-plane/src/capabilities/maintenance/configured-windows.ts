import type { Tx } from '../../platform/db/database.js';
import type { Configured, ConfiguredObject } from '../monitors/index.js';
import { newWindowRow } from './create-window.js';
import { describeConfiguration } from './describe-window.js';
import type { WindowCreateInput } from './maintenance-schemas.js';
import { type WindowRow, windowStore } from './window-store.js';

/**
 * What a window would be configured to after it was created with this input, whose start is a date and not `now`.
 * @param workspaceZone the time zone of windows that name none
 */
export function configuredByWindowInput(input: WindowCreateInput, workspaceZone: string): Configured {
  return configured(newWindowRow(input, input.timezone ?? workspaceZone, 0));
}

/** All maintenance windows of a workspace, oldest first. */
export async function configuredWindows(tx: Tx, workspaceId: string): Promise<ConfiguredObject[]> {
  return (await windowStore.all(workspaceId, tx)).map((row) => ({ id: row.id, ...configured(row) }));
}

function configured(row: WindowRow): Configured {
  const { id: _, created: _c, lastModified: _m, ...fields } = describeConfiguration(row);
  return { fields, secrets: {} };
}
