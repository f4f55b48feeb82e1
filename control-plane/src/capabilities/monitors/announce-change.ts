import type { MonitorChange } from './monitor-change.js';
import type { MonitorDeps } from './monitor-deps.js';

/** After the commit: wakes whoever hands out assignments. Losing it costs time only, they also poll. */
export function announceChange(deps: Pick<MonitorDeps, 'bus'>, change: MonitorChange): void {
  deps.bus.publish('monitor-changed', { monitorKey: change.monitorKey });
}
