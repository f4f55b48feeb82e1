import type { MonitorView } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import { toast, toastFault } from '../frame/toasts.js';
import { change } from './change.js';
import { once } from './once.js';
import { hasRole } from './session.js';

/** Pauses a monitor, or has it checked again, and confirms it. */
export async function pauseOrResume({ id, name, monitoringStatus, lastModified }: MonitorView): Promise<void> {
  if (!hasRole('Editor')) return;
  const isRunning = monitoringStatus === 'enabled';
  try {
    await once(`pause ${id}`, lastModified, async () => {
      await change('PUT', `/api/v1/monitor/${id}`, { body: { monitoringStatus: isRunning ? 'paused' : 'enabled' } });
      toast(`${isRunning ? 'Paused' : 'Resumed'}: ${name}`);
    });
  } catch (error) {
    toastFault(error);
  }
}
