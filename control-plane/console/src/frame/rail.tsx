import type { Overview } from '@watchpost/control-plane/capabilities/overview/overview-schemas';
import { useLocation } from 'preact-iso';
import { pathTo } from '../data/session.js';
import { useResource } from '../data/use-resource.js';
import { Icon } from '../parts/icon.js';
import { Menu } from '../parts/menu.js';
import { openPalette } from './palette.js';
import { ROUTES, type ScreenRoute } from './routes.js';
import { UserMenu } from './user-menu.js';
import { WorkspaceMenu } from './workspace-menu.js';

type RailRoute = ScreenRoute & Required<Pick<ScreenRoute, 'rail'>>;

const ENTRIES = ROUTES.filter((route): route is RailRoute => route.rail !== undefined);
const IN_BAR = 4;

/** @returns whether an address is that of the entry, or below it */
function isCurrent(path: string, entry: RailRoute): boolean {
  const own = pathTo(entry.path);
  return path === own || (entry.path !== '' && path.startsWith(`${own}/`));
}

/** The rail of wide screens. */
export function Rail() {
  const { path } = useLocation();
  return (
    <header class="rail">
      <WorkspaceMenu />
      <button type="button" class="rail-search" onClick={openPalette}>
        <Icon name="search" />
        <span>Find</span>
        <kbd>Ctrl K</kbd>
      </button>
      <nav class="rail-nav" aria-label="Main">
        {ENTRIES.map((entry) => (
          <a key={entry.path} href={pathTo(entry.path)} aria-current={isCurrent(path, entry) ? 'page' : undefined}>
            <Icon name={entry.rail.icon} />
            <span>{entry.rail.label}</span>
            <Badge entry={entry} />
          </a>
        ))}
      </nav>
      <UserMenu />
    </header>
  );
}

/** How many incidents are open, at their entry. */
function Badge({ entry }: { entry: RailRoute }) {
  const { data } = useResource<Overview>(entry.path === '/incidents' ? '/api/v1/overview' : null);
  if (!data?.attentionTotal) return null;
  return (
    <span class="rail-badge num">
      {data.attentionTotal}
      <span class="unseen"> open</span>
    </span>
  );
}

/** The top of narrow screens. */
export function TopBar() {
  return (
    <header class="topbar">
      <WorkspaceMenu />
      <button type="button" class="btn btn-plain btn-icon" aria-label="Find" onClick={openPalette}>
        <Icon name="search" />
      </button>
      <UserMenu isCompact />
    </header>
  );
}

/** The bottom of phones and tablets: the first entries, and the others behind "More". */
export function BottomBar() {
  const { path } = useLocation();
  const others = ENTRIES.slice(IN_BAR);
  return (
    <nav class="bottombar" aria-label="Main">
      {ENTRIES.slice(0, IN_BAR).map((entry) => (
        <a key={entry.path} href={pathTo(entry.path)} aria-current={isCurrent(path, entry) ? 'page' : undefined}>
          <Icon name={entry.rail.icon} />
          <span>{entry.rail.label}</span>
          <Badge entry={entry} />
        </a>
      ))}
      {others.length > 0 && (
        <Menu
          label="More screens"
          className={others.some((entry) => isCurrent(path, entry)) ? 'bottombar-more is-current' : 'bottombar-more'}
          items={others.map((entry) => ({
            label: entry.rail.label,
            icon: entry.rail.icon,
            href: pathTo(entry.path),
          }))}
        >
          <Icon name="more" />
          <span>More</span>
        </Menu>
      )}
    </nav>
  );
}
