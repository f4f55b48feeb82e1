import type { MonitorView } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import { change } from '../../data/resources.js';
import { hasRole, pathTo } from '../../data/session.js';
import { toast, toastFault } from '../../frame/toasts.js';
import { untilText } from '../../parts/format.js';
import type { MenuItem } from '../../parts/menu.js';

export const MAINTENANCE_WINDOWS = '/api/v1/maintenance-windows';
/** Maintenance that begins now lasts so long. */
export const LENGTHS = { PT30M: '30 min', PT1H: '1 h', PT2H: '2 h' } as const;
const MOST_NAME = 200;

async function start({ id, name }: MonitorView, duration: keyof typeof LENGTHS): Promise<void> {
  const body = {
    name: `Maintenance of ${name}`.slice(0, MOST_NAME),
    startsAt: 'now',
    duration,
    scope: { monitorIds: [id] },
  };
  await change('POST', MAINTENANCE_WINDOWS, { body });
  toast(`In maintenance for ${LENGTHS[duration]}: ${name}`);
}

/** What a menu offers: maintenance that begins now, and planning one. */
export function maintenanceItems(monitor: MonitorView): MenuItem[] {
  const lengths = Object.keys(LENGTHS) as (keyof typeof LENGTHS)[];
  return [
    ...lengths.map((duration, index) => ({
      label: `Maintenance for ${LENGTHS[duration]}`,
      icon: 'maintenance' as const,
      startsGroup: index === 0,
      onSelect: () => void start(monitor, duration).catch(toastFault),
    })),
    {
      label: 'Plan maintenance',
      icon: 'maintenance',
      href: pathTo('/maintenance/new', { monitorId: monitor.id }),
    },
  ];
}

/** That a window covers it now, and the way to the window. */
export function InMaintenance({ monitor: { maintenance } }: { monitor: MonitorView }) {
  if (maintenance === null) return null;
  return (
    <p class="note note-maintenance">
      <span>
        In maintenance {untilText(maintenance.until)}: nobody is notified, and the time does not count.{' '}
        <a href={pathTo(`/maintenance/${maintenance.windowId}`)}>{hasRole('Editor') ? 'Change or end it' : 'Window'}</a>
      </span>
    </p>
  );
}
