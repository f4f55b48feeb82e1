// One script, as in watching.ts: what a workspace is, and what it shows to others.
export { NewWorkspaceDialog } from '../frame/new-workspace-dialog.js';
export { InvitationScreen } from './invitation/invitation-screen.js';
export { ImportDialog } from './overview/import-dialog.js';
export { RegionsScreen } from './regions/regions-screen.js';
export { ReportsScreen } from './reports/reports-screen.js';
export { SettingsScreen } from './settings/settings-screen.js';
export { StatusPageScreen } from './status-pages/status-page-screen.js';
export { StatusPagesScreen } from './status-pages/status-pages-screen.js';
