import { toast, toastFault } from '../frame/toasts.js';
import { change } from './change.js';
import { once } from './once.js';

/** Acknowledges an incident, or takes that back, and confirms it. */
export async function acknowledge(
  incident: { id: string; monitorName: string; lastModified: string },
  isOn = true,
): Promise<void> {
  const { id, monitorName: name } = incident;
  try {
    await once(`acknowledge ${isOn} ${id}`, incident.lastModified, async () => {
      await change('PATCH', `/api/v1/incident/${id}`, { body: { acknowledged: isOn } });
      if (!isOn) toast(`Taken back: ${name}. People are paged again.`);
      else
        toast(`Acknowledged: ${name}. Nobody else is paged.`, {
          label: 'Take back',
          run: () => void acknowledge(incident, false),
        });
    });
  } catch (error) {
    toastFault(error);
  }
}
