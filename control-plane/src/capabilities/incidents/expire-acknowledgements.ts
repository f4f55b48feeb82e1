import type { PeriodicTask } from '../../platform/jobs/periodic-task.js';
import { acknowledgements, publishEvents } from '../paging/index.js';
import { addTimelineEntries } from '../timeline/index.js';
import { incidentStore } from './incident-store.js';
import type { IncidentDeps } from './read-incidents.js';

const BATCH = 500;

/** Takes acknowledgements back that have lasted as long as an escalation policy has, without a note: paging begins again. */
export function expireAcknowledgementsTask(deps: IncidentDeps): PeriodicTask {
  return {
    name: 'expire_acknowledgements',
    everyMs: 5_000,
    isDue: acknowledgements.isExpiryDue,
    run: () => acknowledgements.takeAllExpired(deps, BATCH, (workspaceId, id) => expire(deps, workspaceId, id)),
  };
}

async function expire(deps: IncidentDeps, workspaceId: string, id: string): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const row = await incidentStore.find(workspaceId, tx, id, 'FOR UPDATE');
    const now = new Date(deps.clock.now());
    if (!(await acknowledgements.takeExpired(tx, workspaceId, id, now))) return;
    if (!row || !row.acknowledged || row.isClosed || row.ended !== null) return;
    const cleared = { acknowledged: false, acknowledgedAt: null, acknowledgedBy: null };
    await incidentStore.save(workspaceId, tx, { ...row, ...cleared, lastModified: now });
    const atMs = now.getTime();
    await addTimelineEntries(tx, [{ workspaceId, incidentId: id, event: { type: 'ack_expired', atMs, detail: {} } }]);
    const monitorKey = await incidentStore.monitorKey(workspaceId, tx, id);
    await publishEvents(deps, tx, [
      { workspaceId, monitorKey, incidentId: id, atMs, type: 'incident.updated', detail: { change: 'unacknowledged' } },
    ]);
  });
}
