import { notFound } from '@watchpost/shared/fault';
import type { Tx } from '../../platform/db/database.js';
import type { Actor } from '../../platform/identity/caller.js';
import { inSlices } from '../../platform/jobs/in-slices.js';
import { describeConfiguration, describeMonitor } from './describe-monitor.js';
import { type PingUrlOf, pingUrlsFor } from './heartbeat/ping-url.js';
import type { MonitorViewDeps, MonitorReadDeps } from './monitor-deps.js';
import type { MonitorView } from './monitor-schemas.js';
import { type MonitorViewRow, monitorViewStore } from './monitor-view-store.js';
import { monitorNameStore } from './tag-store.js';

/** A monitor, and the part that its ETag covers: `describeConfiguration`. */
export interface TaggedMonitor {
  monitor: MonitorView;
  configuration: ReturnType<typeof describeConfiguration>;
}

/** One monitor with its latest results. @throws Fault not_found */
export async function getMonitor(deps: MonitorViewDeps, actor: Actor, id: string): Promise<TaggedMonitor> {
  const nowMs = deps.clock.now();
  const row = await deps.db.read((tx) => monitorViewStore.find(actor.workspace.workspaceId, tx, id, new Date(nowMs)));
  return tagged(row, nowMs, pingUrlsFor(deps, actor));
}

/** @throws Fault not_found where there is no row */
export function tagged(row: MonitorViewRow | undefined, nowMs: number, pingUrlOf: PingUrlOf): TaggedMonitor {
  if (!row) throw notFound('monitor');
  return { monitor: describeMonitor(row, nowMs, pingUrlOf), configuration: describeConfiguration(row) };
}

/** Monitors by their ids. Others are served meanwhile. @throws Fault not_found where one is not there */
export async function findTagged(
  deps: MonitorViewDeps,
  tx: Tx,
  actor: Actor,
  ids: readonly string[],
  nowMs: number,
): Promise<ReadonlyMap<string, TaggedMonitor>> {
  const found = await monitorViewStore.findAll(actor.workspace.workspaceId, tx, ids, new Date(nowMs));
  const pingUrlOf = pingUrlsFor(deps, actor);
  const views = new Map<string, TaggedMonitor>();
  const pause = inSlices();
  for (const id of ids) {
    await pause();
    views.set(id, tagged(found.get(id), nowMs, pingUrlOf));
  }
  return views;
}

/** Reads the name of a monitor and what it watches: for answers about it that need no more. @throws Fault not_found */
export async function readMonitorName(
  deps: Pick<MonitorReadDeps, 'db'>,
  actor: Actor,
  id: string,
): Promise<{ name: string; url: string | null }> {
  const monitor = await deps.db.read((tx) => monitorNameStore.find(actor.workspace.workspaceId, tx, id));
  if (!monitor) throw notFound('monitor');
  return monitor;
}
