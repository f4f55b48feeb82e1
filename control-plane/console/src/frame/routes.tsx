import { lazy } from 'preact-iso';
import type * as Arranging from '../screens/arranging.js';
import { OverviewScreen } from '../screens/overview/overview-screen.js';
import type * as Watching from '../screens/watching.js';
import type { ComponentType } from 'preact';
import type { IconName } from '../parts/button.js';

/** What a screen gets from its address. */
interface ScreenParams {
  params: Record<string, string>;
}

export interface ScreenRoute {
  /** Below `/console/w/:workspaceId`; '' is the overview. */
  path: string;
  /** Loaded when it is visited first, except the one that people start from. */
  screen: ComponentType<ScreenParams>;
  /** Its entry in the rail, if it has one. The first four are in the bottom bar of phones. */
  rail?: { label: string; icon: IconName };
}

const watching = (name: keyof typeof Watching) =>
  lazy(() => import('../screens/watching.js').then((file) => file[name]));
const arranging = (name: Exclude<keyof typeof Arranging, 'NewWorkspaceDialog'>) =>
  lazy(() => import('../screens/arranging.js').then((file) => file[name]));
const settings = arranging('SettingsScreen');

/** All screens, in the order of the rail. */
export const ROUTES: readonly ScreenRoute[] = [
  { path: '', screen: OverviewScreen, rail: { label: 'Overview', icon: 'overview' } },
  { path: '/monitors', screen: watching('MonitorsScreen'), rail: { label: 'Monitors', icon: 'monitors' } },
  { path: '/monitors/new', screen: watching('NewMonitorScreen') },
  { path: '/monitors/:id', screen: watching('MonitorScreen') },
  { path: '/incidents', screen: watching('IncidentsScreen'), rail: { label: 'Incidents', icon: 'incidents' } },
  { path: '/incidents/:id', screen: watching('IncidentScreen') },
  { path: '/incidents/:id/diagnosis', screen: watching('DiagnosisScreen') },
  { path: '/on-call', screen: arranging('OnCallScreen'), rail: { label: 'On call', icon: 'on-call' } },
  { path: '/alerts', screen: arranging('AlertsScreen'), rail: { label: 'Alerts', icon: 'alerts' } },
  {
    path: '/status-pages',
    screen: arranging('StatusPagesScreen'),
    rail: { label: 'Status pages', icon: 'status-pages' },
  },
  { path: '/status-pages/:id', screen: arranging('StatusPageScreen') },
  { path: '/maintenance', screen: arranging('MaintenanceScreen'), rail: { label: 'Maintenance', icon: 'maintenance' } },
  { path: '/maintenance/new', screen: arranging('NewWindowScreen') },
  { path: '/maintenance/:id', screen: arranging('WindowScreen') },
  { path: '/reports', screen: arranging('ReportsScreen'), rail: { label: 'Reports', icon: 'reports' } },
  { path: '/regions', screen: arranging('RegionsScreen'), rail: { label: 'Regions', icon: 'regions' } },
  { path: '/settings', screen: settings, rail: { label: 'Settings', icon: 'settings' } },
  { path: '/settings/:section', screen: settings },
];

/** Where an invitation is answered: in no workspace yet. */
export const InvitationScreen = arranging('InvitationScreen');
