import { lazy } from 'preact-iso';
import { OverviewScreen } from '../screens/overview/overview-screen.js';
import type { ComponentType } from 'preact';
import type { IconName } from '../parts/icon.js';

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

const watching = () => import('../screens/watching.js');
const arranging = () => import('../screens/arranging.js');

const settings = lazy(() => arranging().then((file) => file.SettingsScreen));

/** All screens, in the order of the rail. */
export const ROUTES: readonly ScreenRoute[] = [
  {
    path: '',
    screen: OverviewScreen,
    rail: { label: 'Overview', icon: 'overview' },
  },
  {
    path: '/monitors',
    screen: lazy(() => watching().then((file) => file.MonitorsScreen)),
    rail: { label: 'Monitors', icon: 'monitors' },
  },
  {
    path: '/monitors/new',
    screen: lazy(() => watching().then((file) => file.NewMonitorScreen)),
  },
  {
    path: '/monitors/:id',
    screen: lazy(() => watching().then((file) => file.MonitorScreen)),
  },
  {
    path: '/incidents',
    screen: lazy(() => watching().then((file) => file.IncidentsScreen)),
    rail: { label: 'Incidents', icon: 'incidents' },
  },
  {
    path: '/incidents/:id',
    screen: lazy(() => watching().then((file) => file.IncidentScreen)),
  },
  {
    path: '/on-call',
    screen: lazy(() => arranging().then((file) => file.OnCallScreen)),
    rail: { label: 'On call', icon: 'on-call' },
  },
  {
    path: '/alerts',
    screen: lazy(() => arranging().then((file) => file.AlertsScreen)),
    rail: { label: 'Alerts', icon: 'alerts' },
  },
  {
    path: '/status-pages',
    screen: lazy(() => arranging().then((file) => file.StatusPagesScreen)),
    rail: { label: 'Status pages', icon: 'status-pages' },
  },
  {
    path: '/status-pages/:id',
    screen: lazy(() => arranging().then((file) => file.StatusPageScreen)),
  },
  {
    path: '/maintenance',
    screen: lazy(() => arranging().then((file) => file.MaintenanceScreen)),
    rail: { label: 'Maintenance', icon: 'maintenance' },
  },
  {
    path: '/maintenance/new',
    screen: lazy(() => arranging().then((file) => file.NewWindowScreen)),
  },
  {
    path: '/maintenance/:id',
    screen: lazy(() => arranging().then((file) => file.WindowScreen)),
  },
  {
    path: '/reports',
    screen: lazy(() => arranging().then((file) => file.ReportsScreen)),
    rail: { label: 'Reports', icon: 'reports' },
  },
  {
    path: '/regions',
    screen: lazy(() => arranging().then((file) => file.RegionsScreen)),
    rail: { label: 'Regions', icon: 'regions' },
  },
  {
    path: '/settings',
    screen: settings,
    rail: { label: 'Settings', icon: 'settings' },
  },
  {
    path: '/settings/:section',
    screen: settings,
  },
];

/** Where an invitation is answered: in no workspace yet. */
export const InvitationScreen = lazy(() => arranging().then((file) => file.InvitationScreen));
