// One script, as in watching.ts: the form of a monitor, which who is paged does not load.
export { EditMonitor } from './monitor/edit-monitor.js';
export { NewMonitorScreen } from './monitor/new-monitor-screen.js';
