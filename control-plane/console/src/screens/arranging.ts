// One script, as in watching.ts: what people set up by day.
export { NewWorkspaceDialog } from '../frame/new-workspace-dialog.js';
export { AlertsScreen } from './alerts/alerts-screen.js';
export { InvitationScreen } from './invitation/invitation-screen.js';
export { ImportDialog } from './overview/import-dialog.js';
export { MaintenanceScreen } from './maintenance/maintenance-screen.js';
export { NewWindowScreen, WindowScreen } from './maintenance/window-screen.js';
export { OnCallScreen } from './on-call/on-call-screen.js';
export { RegionsScreen } from './regions/regions-screen.js';
export { ReportsScreen } from './reports/reports-screen.js';
export { SettingsScreen } from './settings/settings-screen.js';
export { StatusPageScreen } from './status-pages/status-page-screen.js';
export { StatusPagesScreen } from './status-pages/status-pages-screen.js';
