import { lazy } from 'preact-iso';
import type * as Administering from '../screens/administering.js';
import type * as Arranging from '../screens/arranging.js';
import { OverviewScreen } from '../screens/overview/overview-screen.js';
import type * as Watching from '../screens/watching.js';
import type { ComponentType } from 'preact';
import type { IconName } from '../parts/button.js';
import type { Query } from '../data/address.js';
import type { Role } from '../data/session.js';

interface ScreenParams {
  params: Record<string, string>;
}

export interface ScreenRoute {
  /** Below `/console/w/:workspaceId`; '' is the overview. */
  path: string;
  /** Loaded when it is visited first, except the one that people start from. */
  screen: ComponentType<ScreenParams>;
  /** Its entry in the rail, if it has one, and the letter that leads there after `g`. The first four are in the bottom bar of phones. */
  rail?: { label: string; icon: IconName; key: string };
}

const watching = (name: keyof typeof Watching) =>
  lazy(() => import('../screens/watching.js').then((file) => file[name]));
const arranging = (name: keyof typeof Arranging) =>
  lazy(() => import('../screens/arranging.js').then((file) => file[name]));
const administering = (name: Exclude<keyof typeof Administering, 'ImportDialog' | 'NewWorkspaceDialog'>) =>
  lazy(() => import('../screens/administering.js').then((file) => file[name]));
const newMonitor = lazy(() => import('../screens/changing.js').then((file) => file.NewMonitorScreen));
const settings = administering('SettingsScreen');

/** All screens, in the order of the rail. */
export const ROUTES: readonly ScreenRoute[] = [
  { path: '', screen: OverviewScreen, rail: { label: 'Overview', icon: 'overview', key: 'o' } },
  { path: '/monitors', screen: watching('MonitorsScreen'), rail: { label: 'Monitors', icon: 'monitors', key: 'm' } },
  { path: '/monitors/new', screen: newMonitor },
  { path: '/monitors/:id', screen: watching('MonitorScreen') },
  {
    path: '/incidents',
    screen: watching('IncidentsScreen'),
    rail: { label: 'Incidents', icon: 'incidents', key: 'i' },
  },
  { path: '/incidents/:id', screen: watching('IncidentScreen') },
  { path: '/incidents/:id/diagnosis', screen: watching('DiagnosisScreen') },
  { path: '/on-call', screen: arranging('OnCallScreen'), rail: { label: 'On call', icon: 'on-call', key: 'c' } },
  { path: '/alerts', screen: arranging('AlertsScreen'), rail: { label: 'Alerts', icon: 'alerts', key: 'a' } },
  {
    path: '/status-pages',
    screen: administering('StatusPagesScreen'),
    rail: { label: 'Status pages', icon: 'status-pages', key: 's' },
  },
  { path: '/status-pages/:id', screen: administering('StatusPageScreen') },
  {
    path: '/maintenance',
    screen: arranging('MaintenanceScreen'),
    rail: { label: 'Maintenance', icon: 'maintenance', key: 'w' },
  },
  { path: '/maintenance/new', screen: arranging('NewWindowScreen') },
  { path: '/maintenance/:id', screen: arranging('WindowScreen') },
  { path: '/reports', screen: administering('ReportsScreen'), rail: { label: 'Reports', icon: 'reports', key: 'r' } },
  { path: '/regions', screen: administering('RegionsScreen'), rail: { label: 'Regions', icon: 'regions', key: 'e' } },
  { path: '/settings', screen: settings, rail: { label: 'Settings', icon: 'settings', key: 't' } },
  { path: '/settings/:section', screen: settings },
];

/** Where an invitation is answered: in no workspace yet. */
export const InvitationScreen = administering('InvitationScreen');

/** Everything that can be made: by the key `n` on these screens, and in the palette everywhere. */
interface Make {
  label: string;
  icon: IconName;
  /** The screens on which `n` means it, and those below them. */
  on: readonly string[];
  path: string;
  query?: Query;
  role: Role;
}

/** Asks a screen for its dialog, see `useNew`. */
const query = { new: 1 };

export const MAKES: readonly Make[] = [
  { label: 'New monitor', icon: 'monitors', on: ['', '/monitors'], path: '/monitors/new', role: 'Editor' },
  { label: 'Add override', icon: 'on-call', on: ['/on-call'], path: '/on-call', query, role: 'Admin' },
  {
    label: 'New channel',
    icon: 'alerts',
    on: ['/alerts'],
    path: '/alerts',
    query: { channel: 'new' },
    role: 'Editor',
  },
  {
    label: 'New status page',
    icon: 'status-pages',
    on: ['/status-pages'],
    path: '/status-pages',
    query,
    role: 'Editor',
  },
  {
    label: 'New maintenance window',
    icon: 'maintenance',
    on: ['/maintenance'],
    path: '/maintenance/new',
    role: 'Editor',
  },
  {
    label: 'Invite somebody',
    icon: 'person',
    on: ['/settings/members'],
    path: '/settings/members',
    query,
    role: 'Admin',
  },
  {
    label: 'New API key',
    icon: 'link',
    on: ['/settings/api-keys'],
    path: '/settings/api-keys',
    query,
    role: 'Viewer',
  },
];

/** Finds what `n` makes on the screen of this path, within its workspace. */
export function makeOn(path: string): Make | undefined {
  const within = (screen: string) => path === screen || (screen !== '' && path.startsWith(`${screen}/`));
  return MAKES.find(({ on }) => on.some(within));
}
