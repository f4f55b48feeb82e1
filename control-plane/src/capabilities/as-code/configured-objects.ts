import type { Database, Tx } from '../../platform/db/database.js';
import type { SecretBox } from '../../platform/db/secret-box.js';
import type { Actor } from '../../platform/identity/caller.js';
import { attachedGroups, configuredGroups } from '../alerts/index.js';
import { configuredWindows } from '../maintenance/index.js';
import { type ConfiguredObject, configuredMonitors, configuredServiceGroups } from '../monitors/index.js';
import { listStatusPages } from '../status-pages/index.js';
import { managedObjectStore, type ManagedObject } from './managed-object-store.js';
import { SECTIONS, type Section } from './sections.js';

export interface ConfiguredDeps {
  db: Database;
  secretBox: SecretBox;
}

/** Everything of a workspace that documents can describe, as it is now. */
export interface ConfiguredWorkspace {
  /** Oldest first, by id. */
  objects: Readonly<Record<Section, ReadonlyMap<string, ConfiguredObject>>>;
  /** The action groups of each monitor that has any. */
  attached: ReadonlyMap<string, readonly string[]>;
  /** Those whose object still exists. */
  managed: readonly ManagedObject[];
}

/** More than an account can have. */
const MAX_PAGES = 200;

export async function readConfigured(deps: ConfiguredDeps, tx: Tx, actor: Actor): Promise<ConfiguredWorkspace> {
  const { workspaceId } = actor.workspace;
  const lists: Record<Section, ConfiguredObject[]> = {
    serviceGroups: await configuredServiceGroups(tx, workspaceId),
    actionGroups: await configuredGroups(deps, tx, workspaceId),
    monitors: await configuredMonitors(deps, tx, workspaceId),
    statusPages: await configuredPages(deps, actor),
    maintenanceWindows: await configuredWindows(tx, workspaceId),
  };
  const objects = Object.fromEntries(
    SECTIONS.map((section) => [section, new Map(lists[section].map((object) => [object.id, object]))]),
  ) as Record<Section, Map<string, ConfiguredObject>>;
  const managed = await managedObjectStore.all(workspaceId, tx);
  return {
    objects,
    attached: await attachedGroups(tx, workspaceId),
    managed: managed.filter(({ kind, objectId }) => objects[kind].has(objectId)),
  };
}

async function configuredPages({ db }: ConfiguredDeps, actor: Actor): Promise<ConfiguredObject[]> {
  const { items } = await listStatusPages({ db }, actor, { limit: MAX_PAGES, offset: 0 });
  return items.toReversed().map(({ id, created: _, lastModified: _m, ...page }) => ({
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
