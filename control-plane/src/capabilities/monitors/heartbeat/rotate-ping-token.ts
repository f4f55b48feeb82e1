import { notFound } from '@watchpost/shared/fault';
import type { Actor } from '../../../platform/identity/caller.js';
import { recordAudit } from '../../audit/index.js';
import { type TaggedMonitor, tagged } from '../get-monitor.js';
import type { MonitorDeps } from '../monitor-deps.js';
import { monitorStore } from '../monitor-store.js';
import { monitorViewStore } from '../monitor-view-store.js';
import { newPingToken } from './ping-token.js';
import { pingTokenStore } from './ping-token-store.js';
import { pingUrlsFor } from './ping-url.js';

/**
 * Gives a heartbeat another ping URL. The former one leads nowhere from the commit on, nor does an imported push address.
 * @throws Fault not_found, also where the monitor is no heartbeat
 */
export async function rotatePingToken(deps: MonitorDeps, actor: Actor, id: string): Promise<TaggedMonitor> {
  const { workspaceId } = actor.workspace;
  return deps.db.transaction(async (tx) => {
    const row = await monitorStore.lock(workspaceId, tx, id);
    if (!row?.heartbeat) throw notFound('heartbeat monitor');
    await pingTokenStore.replace(workspaceId, tx, id, newPingToken(deps.secretBox, id));
    await recordAudit(deps, tx, actor, {
      action: 'monitor.secret_rotated',
      target: { id, name: row.name },
      before: {},
      after: {},
      secrets: ['heartbeat.pingUrl'],
    });
    return tagged(
      await monitorViewStore.find(workspaceId, tx, id, new Date(deps.clock.now())),
      deps.clock.now(),
      pingUrlsFor(deps, actor),
    );
  });
}
