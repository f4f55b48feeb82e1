import type { MonitorView } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import type { BulkResult } from '@watchpost/control-plane/capabilities/monitors/bulk-schemas';
import { request } from '../data/api.js';
import { change } from '../data/resources.js';
import { once } from '../data/once.js';
import { hasRole } from '../data/session.js';
import { toast, toastFault } from './toasts.js';
import { ask } from '../parts/dialog.js';

const BULK = '/api/v1/monitor/bulk';

/** The monitors of a request, in the words of the API. */
type Subject = { monitorIds: readonly string[] } | { filter: Record<string, unknown> | undefined };

/** Pauses a monitor, or has it checked again, and confirms it. */
export async function pauseOrResume({ id, name, monitoringStatus, lastModified }: MonitorView): Promise<void> {
  if (!hasRole('Editor')) return;
  const isRunning = monitoringStatus === 'enabled';
  const turn = (work: () => Promise<void>) => once(`pause ${id}`, lastModified, work);
  try {
    if (isRunning) return await pause({ monitorIds: [id] }, name, turn);
    await turn(async () => {
      await change('PUT', `/api/v1/monitor/${id}`, { body: { monitoringStatus: 'enabled' } });
      toast(`Resumed: ${name}`);
    });
  } catch (error) {
    toastFault(error);
  }
}

/**
 * Pauses monitors, and offers to take it back. Asks first where incidents end by it.
 * @param what their name or number
 * @param turn does the work, or leaves it out
 * @throws ApiFault as `change`
 */
export async function pause(
  subject: Subject,
  what: string,
  turn = (work: () => Promise<void>) => work(),
): Promise<void> {
  const run = () =>
    turn(async () => {
      const { body } = await change<BulkResult>('POST', BULK, { body: { ...subject, action: 'pause' } });
      const rest = body.matched - body.changed;
      const { monitorIds } = body;
      const undo = { label: 'Undo', run: () => void resume(monitorIds, what).catch(toastFault) };
      toast(
        `Paused: ${what}${rest > 0 ? `; ${rest} ${rest === 1 ? 'was' : 'were'} so already` : ''}`,
        monitorIds.length > 0 ? undo : undefined,
      );
    });
  const { body } = await request<BulkResult>('POST', BULK, { body: { ...subject, action: 'pause', dryRun: true } });
  if (body.closedIncidents === 0) return run();
  const { closedIncidents } = body;
  ask({
    title: `Pause ${what}?`,
    action: 'Pause',
    consequences: [
      `${closedIncidents === 1 ? '1 open incident is' : `${closedIncidents} open incidents are`} closed for good. The timeline names you.`,
      'People who were notified get a message, and paging stops.',
      'Nothing is checked until it is resumed. If it fails then, a new incident opens.',
    ],
    onConfirm: run,
  });
}

async function resume(monitorIds: readonly string[], what: string): Promise<void> {
  await change('POST', BULK, { body: { monitorIds, action: 'resume' } });
  toast(`Resumed: ${what}`);
}

/** Acknowledges an incident, or takes that back, and confirms it. */
export async function acknowledge(
  incident: { id: string; monitorName: string; lastModified: string },
  isOn = true,
): Promise<void> {
  const { id, monitorName: name } = incident;
  try {
    await once(`acknowledge ${isOn} ${id}`, incident.lastModified, async () => {
      await change('PATCH', `/api/v1/incident/${id}`, { body: { acknowledged: isOn } });
      if (!isOn) toast(`Unacknowledged: ${name}. People are paged again.`);
      else
        toast(`Acknowledged: ${name}. Nobody else is paged.`, {
          label: 'Unacknowledge',
          run: () => void acknowledge(incident, false),
        });
    });
  } catch (error) {
    toastFault(error);
  }
}
