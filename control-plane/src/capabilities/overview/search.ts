import { scopesAllow } from '../../platform/http/scopes.js';
import type { Actor } from '../../platform/identity/caller.js';
import { READ_ALERTS } from '../delivery/index.js';
import type { OverviewDeps } from './overview-deps.js';
import type { Found } from './search-schemas.js';
import { searchStore } from './search-store.js';

/** More words would only make the search slower. */
const MOST_WORDS = 8;

/** Finds monitors, incidents, people, status pages and action groups of the workspace by words. */
export async function search(
  deps: OverviewDeps,
  { workspace: { workspaceId }, caller }: Actor,
  text: string,
): Promise<Found> {
  const query = { text, words: text.split(/\s+/).slice(0, MOST_WORDS) };
  const lacks = (accepted: readonly string[]) => !scopesAllow(caller.scopes, accepted);
  const omitted: Found['omitted'] = [];
  if (lacks(['monitor.admin', 'incident.read'])) omitted.push('incident.read');
  if (lacks(['account.read'])) omitted.push('account.read');
  if (lacks(['monitor.admin', 'statuspage.read'])) omitted.push('statuspage.read');
  if (lacks(READ_ALERTS)) omitted.push('alert.read');
  const may = (scope: Found['omitted'][number]) => !omitted.includes(scope);
  return deps.db.read(async (tx) => {
    const incidents = may('incident.read') ? await searchStore.incidents(workspaceId, tx, query) : [];
    return {
      monitors: await searchStore.monitors(workspaceId, tx, query),
      incidents: incidents.map((one) => ({
        ...one,
        started: one.started.toISOString(),
        lastModified: one.lastModified.toISOString(),
      })),
      people: may('account.read') ? await searchStore.people(workspaceId, tx, query) : [],
      statusPages: may('statuspage.read') ? await searchStore.statusPages(workspaceId, tx, query) : [],
      actionGroups: may('alert.read') ? await searchStore.actionGroups(workspaceId, tx, query) : [],
      omitted,
    };
  });
}
