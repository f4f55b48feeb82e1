import { newWorkspace } from './new-workspace.js';
import type { Overview } from '@watchpost/control-plane/capabilities/overview/overview-schemas';
import { useLocation } from 'preact-iso';
import { pathTo, first, workspace, workspaceId, workspaces } from '../data/session.js';
import { useResource } from '../data/resources.js';
import { Icon } from '../parts/button.js';
import { Menu } from '../parts/menu.js';
import { openPalette } from './palette.js';
import { ROUTES, type ScreenRoute } from './routes.js';
import { showKeys } from './screen.js';
import { signOut } from './sign-out.js';
import { chooseTheme, theme, THEMES } from './theme.js';

type RailRoute = ScreenRoute & Required<Pick<ScreenRoute, 'rail'>>;

const ENTRIES = ROUTES.filter((route): route is RailRoute => route.rail !== undefined);
const IN_BAR = 4;

/** @returns whether an address is that of the entry, or below it */
function isCurrent(path: string, entry: RailRoute): boolean {
  const own = pathTo(entry.path);
  return path === own || (entry.path !== '' && path.startsWith(`${own}/`));
}

export function Rail() {
  const { path } = useLocation();
  return (
    <header class="rail">
      <WorkspaceMenu />
      <button type="button" class="rail-search" onClick={openPalette}>
        <Icon name="search" />
        <span class="grow">Find</span>
        <kbd>Ctrl K</kbd>
      </button>
      <nav class="rail-nav" aria-label="Main">
        <Links entries={ENTRIES} path={path} />
      </nav>
      <UserMenu />
    </header>
  );
}

function Links({ entries, path }: { entries: readonly RailRoute[]; path: string }) {
  return entries.map((entry) => (
    <a key={entry.path} href={pathTo(entry.path)} aria-current={isCurrent(path, entry) ? 'page' : undefined}>
      <Icon name={entry.rail.icon} />
      <span>{entry.rail.label}</span>
      <Badge entry={entry} />
    </a>
  ));
}

/** How many incidents are open, at their entry. */
function Badge({ entry }: { entry: RailRoute }) {
  const { data } = useResource<Overview>(entry.path === '/incidents' ? '/api/v1/overview' : null);
  if (!data?.attentionTotal) return null;
  return (
    <span class="rail-badge small strong num">
      {data.attentionTotal}
      <span class="unseen"> open</span>
    </span>
  );
}

/** The top of narrow screens. */
export function TopBar() {
  return (
    <header class="topbar center gap-1 line-below">
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
      <Links entries={ENTRIES.slice(0, IN_BAR)} path={path} />
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

const THEME_WORDS = { system: 'Theme of the system', light: 'Light theme', dark: 'Dark theme' } as const;

/** Who is signed in, the theme, and signing out. */
function UserMenu({ isCompact = false }: { isCompact?: boolean }) {
  const name = first?.user.name ?? '';
  return (
    <Menu
      label={`Account of ${name}`}
      className={isCompact ? 'btn btn-plain btn-icon' : 'user-button'}
      items={[
        ...THEMES.map((each) => ({
          label: THEME_WORDS[each],
          isCurrent: theme.value === each,
          onSelect: () => chooseTheme(each),
        })),
        { label: 'Keys', startsGroup: true, onSelect: showKeys },
        { label: 'API reference', href: '/swagger' },
        { label: 'Sign out', startsGroup: true, onSelect: () => void signOut(false) },
        { label: 'Sign out everywhere', onSelect: () => void signOut(true) },
      ]}
    >
      {isCompact ? (
        <Icon name="person" />
      ) : (
        <>
          <Icon name="person" />
          <span class="cut grow">{name}</span>
        </>
      )}
    </Menu>
  );
}

/** The workspace of the address, and the way to the others. */
function WorkspaceMenu() {
  const { route } = useLocation();
  const own = workspace.value;
  return (
    <>
      <Menu
        label={`Workspace ${own?.name ?? ''}`}
        className="workspace-button"
        hasWords
        items={[
          ...workspaces.value.map(({ id, name, role }) => ({
            label: (
              <>
                {name} <span class="soft">{role}</span>
              </>
            ),
            isCurrent: id === workspaceId.value,
            onSelect: () => route(`/console/w/${id}`),
          })),
          first?.mayCreateWorkspaces === true && {
            label: 'New workspace',
            icon: 'plus' as const,
            startsGroup: true,
            onSelect: newWorkspace,
          },
        ]}
      >
        <span class="workspace-mark lines small rigid" aria-hidden="true">
          {(own?.name ?? '?').slice(0, 1).toUpperCase()}
        </span>
        <span class="unseen">Workspace</span>
        <span class="cut grow strong">{own?.name ?? 'No workspace'}</span>
        <Icon name="down" />
      </Menu>
    </>
  );
}
