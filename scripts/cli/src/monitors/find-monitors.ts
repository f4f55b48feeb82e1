import { isUuid } from '@watchpost/shared/id';
import type { MonitorView } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import { CommandError } from '../command/command-error.js';
import type { ApiClient } from '../http/api-client.js';

/** Monitors whose name contains the one that is looked for. */
const MOST = 1_000;

/**
 * The ids of monitors that are named by id or by name.
 * @throws CommandError where a name is that of none or of several
 */
export async function findMonitorIds(api: ApiClient, named: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const each of named) ids.push(await findMonitorId(api, each));
  return [...new Set(ids)];
}

async function findMonitorId(api: ApiClient, named: string): Promise<string> {
  if (isUuid(named.toLowerCase())) return named.toLowerCase();
  const { items } = await api.list<MonitorView>('/api/v1/monitor', { name: named }, MOST);
  const found = items.filter(({ name }) => name.toLowerCase() === named.trim().toLowerCase());
  if (found.length === 1) return found[0]!.id;
  if (found.length > 1) {
    throw new CommandError(`${found.length} monitors are named ${JSON.stringify(named)}.`, {
      code: 'ambiguous',
      details: found.slice(0, 20).map(({ id, url }) => ({ path: id, message: url ?? '' })),
      nextStep: 'Name one by its id.',
    });
  }
  const similar = items.slice(0, 3).map(({ name }) => JSON.stringify(name));
  throw new CommandError(`There is no monitor ${JSON.stringify(named)} in this workspace.`, {
    code: 'not_found',
    nextStep: similar.length > 0 ? `Similar: ${similar.join(', ')}.` : '`watchpost monitors list` lists them.',
  });
}
