import type { Database, Tx } from '../../platform/db/database.js';
import type { SecretBox } from '../../platform/db/secret-box.js';
import type { Actor } from '../../platform/identity/caller.js';
import { attachedGroups, configuredGroups } from '../recipients/index.js';
import { configuredWindows } from '../maintenance/index.js';
import { type ConfiguredObject, configuredMonitors, configuredServiceGroups } from '../monitors/index.js';
import { viewsOfPages } from '../status-pages/index.js';
import { withAddresses } from './team-kind.js';
import { managedObjectStore, type ManagedObject } from './managed-object-store.js';
import { configuredTeams } from '../on-call/index.js';
import { type People, readPeople } from './people.js';
import { SECTIONS, type Section } from './sections.js';

export interface ConfiguredDeps {
  db: Database;
  secretBox: SecretBox;
}

/** Everything of a workspace that documents can describe, as it is now. */
export interface ConfiguredWorkspace {
  /** Oldest first, by id. */
  objects: Readonly<Record<Section, ReadonlyMap<string, ConfiguredObject>>>;
  people: People;
  /** Those whose object still exists. */
  managed: readonly ManagedObject[];
}

/** More than an account can have. */
const MAX_PAGES = 200;

export async function readConfigured(deps: ConfiguredDeps, tx: Tx, actor: Actor): Promise<ConfiguredWorkspace> {
  const { workspaceId } = actor.workspace;
  const attached = await attachedGroups(tx, workspaceId);
  const people = await readPeople(tx, workspaceId);
  const lists: Record<Section, ConfiguredObject[]> = {
    serviceGroups: await configuredServiceGroups(tx, workspaceId),
    actionGroups: await configuredGroups(deps, tx, workspaceId),
    monitors: (await configuredMonitors(deps, tx, workspaceId)).map(({ fields, ...monitor }) => ({
      ...monitor,
      fields: { ...fields, actionGroupIds: attached.get(monitor.id) ?? [] },
    })),
    statusPages: await configuredPages(tx, workspaceId),
    maintenanceWindows: await configuredWindows(tx, workspaceId),
    teams: (await configuredTeams(tx, workspaceId)).map((team) => withAddresses(team, people)),
  };
  const objects = Object.fromEntries(
    SECTIONS.map((section) => [section, new Map(lists[section].map((object) => [object.id, object]))]),
  ) as Record<Section, Map<string, ConfiguredObject>>;
  const managed = await managedObjectStore.all(workspaceId, tx);
  return {
    objects,
    people,
    managed: managed.filter(({ kind, objectId }) => objects[kind].has(objectId)),
  };
}

async function configuredPages(tx: Tx, workspaceId: string): Promise<ConfiguredObject[]> {
  const { items } = await viewsOfPages(tx, workspaceId, { limit: MAX_PAGES, offset: 0 });
  return items.toReversed().map(({ id, created: _, lastModified: _m, managedBy: _b, ...page }) => ({
    id,
    fields: {
      ...page,
      groups: page.groups.map(({ name, systems }) => ({
        name,
        systems: systems.map(({ id: _id, ...system }) => system),
      })),
    },
    secrets: {},
  }));
}
