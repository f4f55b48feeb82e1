import type { MonitorView } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import type { BulkBody, BulkResult } from '@watchpost/control-plane/capabilities/monitors/bulk-schemas';
import { ApiFault } from '../data/api-fault.js';
import { request } from '../data/api.js';
import { change } from '../data/resources.js';
import { once } from '../data/once.js';
import { hasRole } from '../data/session.js';
import { toast, toastFault } from './toasts.js';
import { ask } from '../parts/dialog.js';
import { countText } from '../parts/format.js';

const BULK = '/api/v1/monitor/bulk';

/** The most that one request changes. */
const MOST = 500;

/** The monitors of a request, in the words of the API. */
export type Subject = { monitorIds: readonly string[] } | { filter: Record<string, unknown> | undefined };

/** The change that each of them gets. */
export type BulkChange = Omit<BulkBody, 'monitorIds' | 'filter' | 'dryRun'>;
export type BulkSettings = NonNullable<BulkChange['settings']>;

/** Reads what a change would do. @throws ApiFault as `request` */
export async function previewChange(subject: Subject, what: BulkChange): Promise<BulkResult> {
  return (await request<BulkResult>('POST', BULK, { body: { ...subject, ...what, dryRun: true } })).body;
}

/**
 * Changes monitors, all that match by as many as a request takes.
 * @param seen how many have to match, where the number was agreed to
 * @returns what was done in all
 * @throws ApiFault as `change`; what was changed before stays so, which a message shows
 */
export async function changeMonitors(subject: Subject, what: BulkChange, seen?: number): Promise<BulkResult> {
  const asked = 'monitorIds' in subject ? subject.monitorIds : undefined;
  const preview = asked ? undefined : await previewChange(subject, what);
  const ids = asked ?? preview!.monitorIds;
  const matched = preview?.matched ?? ids.length;
  if (seen !== undefined && matched !== seen)
    throw new ApiFault(0, 'count_changed', `Now it would be ${countText(matched, 'monitor')}. Look at them first.`);
  const done: BulkResult = {
    matched: preview?.matched ?? 0,
    changed: 0,
    monitorIds: [],
    closedIncidents: 0,
    former: [],
  };
  for (let from = 0; from < ids.length; from += MOST) {
    const progress = ids.length > MOST ? `${done.changed} of ${countText(ids.length, 'monitor')} changed` : undefined;
    if (progress) toast(`${progress} …`);
    try {
      const { body } = await change<BulkResult>('POST', BULK, {
        body: { monitorIds: ids.slice(from, from + MOST), ...what },
      });
      if (asked) done.matched += body.matched;
      done.changed += body.changed;
      done.monitorIds.push(...body.monitorIds);
      done.closedIncidents += body.closedIncidents;
      done.former!.push(...(body.former ?? []));
    } catch (error) {
      if (from > 0) toast(`${progress} before this.`);
      throw error;
    }
  }
  return done;
}

/** Confirms a change, and how many were so already. */
export function confirmChange(
  done: string,
  what: string,
  { matched, changed }: BulkResult,
  undo?: () => Promise<unknown>,
): void {
  const rest = matched - changed;
  toast(
    `${done} ${what}${rest > 0 ? `; ${rest} ${rest === 1 ? 'was' : 'were'} so already` : ''}`,
    undo && changed > 0 ? { label: 'Undo', run: () => void undo().catch(toastFault) } : undefined,
  );
}

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
      const result = await changeMonitors(subject, { action: 'pause' });
      confirmChange('Paused:', what, result, () => resume(result.monitorIds, what));
    });
  const { closedIncidents } = await previewChange(subject, { action: 'pause' });
  if (closedIncidents === 0) return run();
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
  await changeMonitors({ monitorIds }, { action: 'resume' });
  toast(`Resumed: ${what}`);
}

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
