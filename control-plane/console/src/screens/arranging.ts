// One script, as in watching.ts: who hears of what, and when.
export { AlertsScreen } from './alerts/alerts-screen.js';
export { MaintenanceScreen } from './maintenance/maintenance-screen.js';
export { NewWindowScreen, WindowScreen } from './maintenance/window-screen.js';
export { OnCallScreen } from './on-call/on-call-screen.js';
