import { isDeepStrictEqual } from 'node:util';
import { laterThan } from '@watchpost/shared/clock';
import { Fault, found } from '@watchpost/shared/fault';
import { newId } from '@watchpost/shared/id';
import { type ListPage, mapPage, type Rows, type Tx } from '../../platform/db/tx.js';
import { viewOf } from '../../platform/http/view-of.js';
import type { Actor } from '../../platform/identity/caller.js';
import { recordAudit } from '../audit/index.js';
import { lockWorkspaceEntitlements, requireWithinLimit } from '../plans/index.js';
import type { LocationDeps, LocationReadDeps } from './location-deps.js';
import {
  type LocationCreateInput,
  locationSchema,
  locationSettings,
  type LocationUpdateInput,
  type LocationView,
} from './location-schemas.js';
import { type LocationRow, locationStore, type ManagedLocation } from './location-store.js';

/** Private locations of the workspace, newest first. */
export async function listLocations(
  { db }: LocationReadDeps,
  { workspace: { workspaceId } }: Actor,
  page: Rows,
): Promise<ListPage<LocationView>> {
  return mapPage(await db.read((tx) => locationStore.page(workspaceId, tx, page)), describeLocation);
}

/** @throws Fault not_found */
export async function getLocation({ db }: LocationReadDeps, actor: Actor, id: string): Promise<LocationView> {
  return db.read(async (tx) => describeLocation(await requireLocation(tx, actor.workspace.workspaceId, id)));
}

/** @throws Fault not_found */
export async function requireLocation(tx: Tx, workspaceId: string, id: string): Promise<ManagedLocation> {
  return found(await locationStore.find(workspaceId, tx, id), 'private location');
}

/** Locks a location until the transaction ends. @throws Fault not_found */
export async function lockLocation(tx: Tx, workspaceId: string, id: string): Promise<ManagedLocation> {
  return found(await locationStore.lock(workspaceId, tx, id), 'private location');
}

/** @throws Fault plan_limit_exceeded, not_found (an action group), slug_taken */
export async function createLocation(
  deps: LocationDeps,
  actor: Actor,
  input: LocationCreateInput,
  id?: string,
): Promise<LocationView> {
  const { workspaceId } = actor.workspace;
  return deps.db.transaction(async (tx) => {
    const entitlements = await lockWorkspaceEntitlements(tx, workspaceId);
    const others = await locationStore.countOfOwner(entitlements.ownerId, tx);
    requireWithinLimit(entitlements, 'privateLocations', others + 1);
    await locationStore.lockWorkspace(workspaceId, tx);
    const row = newLocation(input, deps.clock.now(), id);
    await deps.requireActionGroups(tx, workspaceId, row.notifyActionGroupIds);
    await locationStore.insert(workspaceId, tx, row);
    const after = locationSettings.describe(row);
    await recordAudit(deps, tx, actor, { action: 'private_location.created', target: row, after });
    return describeLocation({ ...row, managedBy: null });
  });
}

/** A location as it is first stored. */
export function newLocation(input: LocationCreateInput, nowMs: number, id = newId(nowMs)): LocationRow {
  const now = new Date(nowMs);
  const settings = { ...locationSettings.defaults, ...locationSettings.named(input) };
  return { ...settings, id, created: now, lastModified: now };
}

/** @throws Fault not_found, slug_taken, precondition_failed */
export async function updateLocation(
  deps: LocationDeps,
  actor: Actor,
  id: string,
  input: LocationUpdateInput,
): Promise<LocationView> {
  const { workspaceId } = actor.workspace;
  const view = await deps.db.transaction(async (tx) => {
    await locationStore.lockWorkspace(workspaceId, tx);
    const row = await lockForChange(tx, actor, id);
    const changed = { ...row, ...locationSettings.named(input) };
    if (isDeepStrictEqual(changed, row)) return describeLocation(row);
    const { managedBy: _, ...stored } = { ...changed, lastModified: laterThan(row.lastModified, deps.clock.now()) };
    await deps.requireActionGroups(tx, workspaceId, stored.notifyActionGroupIds);
    await locationStore.update(workspaceId, tx, stored);
    if (stored.reachability !== row.reachability) await deps.reconsider(tx, workspaceId);
    await recordAudit(deps, tx, actor, {
      action: 'private_location.updated',
      target: stored,
      before: locationSettings.describe(row),
      after: locationSettings.describe(stored),
    });
    return describeLocation({ ...stored, managedBy: row.managedBy });
  });
  deps.onChanged();
  return view;
}

/**
 * Deletes a location. Its agents are revoked; results go on naming it.
 * @param detach whether it is taken out of the monitors that it checks
 * @throws Fault not_found, precondition_failed, location_in_use
 */
export async function deleteLocation(deps: LocationDeps, actor: Actor, id: string, detach = false): Promise<void> {
  const { workspaceId } = actor.workspace;
  await deps.db.transaction(async (tx) => {
    const row = await lockForChange(tx, actor, id);
    const monitors = await deps.monitorsAt(tx, workspaceId, row.slug);
    if (monitors.length > 0 && !detach) throw inUse(monitors);
    const ids = monitors.map((monitor) => monitor.id);
    await deps.takeOut(tx, actor, row.slug, ids);
    await deps.revokeAgents(tx, id);
    await locationStore.bury(workspaceId, tx, id, new Date(deps.clock.now()));
    const before = locationSettings.describe(row);
    await recordAudit(deps, tx, actor, { action: 'private_location.deleted', target: row, before });
  });
  deps.onChanged();
}

function inUse(monitors: readonly { id: string; name: string }[]): Fault {
  const details = monitors.map(({ id, name }) => ({ path: `monitors.${id}`, message: `${name} is checked from it` }));
  return new Fault(
    'location_in_use',
    'Monitors are checked from it: send `detach=true` to take it out of them.',
    details,
  );
}

async function lockForChange(tx: Tx, actor: Actor, id: string): Promise<ManagedLocation> {
  const row = await lockLocation(tx, actor.workspace.workspaceId, id);
  actor.checkPrecondition?.(describeLocation(row));
  return row;
}

function describeLocation(row: ManagedLocation): LocationView {
  return viewOf(locationSchema, row);
}
