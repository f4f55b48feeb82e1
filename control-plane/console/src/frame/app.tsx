import { Shown } from '../parts/dialog.js';
import { Button } from '../parts/button.js';
import { useLayoutEffect, useState } from 'preact/hooks';
import { LocationProvider, Route, Router, useLocation } from 'preact-iso';
import { hasRole, pathTo, workspaceId, workspaces } from '../data/session.js';
import { EmptyState } from '../parts/loaded.js';
import { ErrorBoundary } from './error-boundary.js';
import { keepFocus } from './keep-focus.js';
import { startKeys, Screen, useKeys } from './screen.js';
import { openPalette, Palette } from './palette.js';
import { Toasts } from './toasts.js';
import { BottomBar, Rail, TopBar } from './rail.js';
import { InvitationScreen, makeOn, ROUTES } from './routes.js';
import { TroubleStrip } from './trouble-strip.js';

/** Addresses of the console itself; others, such as signing in, leave it. */
const OWN = /^\/console(?:\/w\/.*|\/invitations\/.*|\/?(?:\?.*)?)$/;

export function App() {
  return (
    <LocationProvider scope={OWN}>
      <Frame />
    </LocationProvider>
  );
}

function Frame() {
  const { path, url, route } = useLocation();
  const [isLoading, setLoading] = useState(false);
  const [, named] = /^\/console\/w\/([^/]+)/.exec(path) ?? [];
  // Before the screens are drawn, because what they read belongs to the workspace.
  if (named !== undefined && workspaceId.peek() !== named) workspaceId.value = named;

  useLayoutEffect(() => {
    if (path === '/console' && workspaceId.peek() !== '') route(pathTo(), true);
  }, [path]);
  useLayoutEffect(() => startKeys(openPalette), []);
  const make = makeOn(path.slice(pathTo().length).replace(/\/$/, ''));
  useKeys([
    ...(make && hasRole(make.role)
      ? [{ key: 'n', label: make.label, run: () => route(pathTo(make.path, make.query)) }]
      : []),
    ...ROUTES.flatMap(({ path: own, rail }) =>
      rail ? [{ key: `g ${rail.key}`, label: `Go to ${rail.label}`, run: () => route(pathTo(own)) }] : [],
    ),
  ]);
  useLayoutEffect(keepFocus, []);

  const isMember = named === undefined || workspaces.value.some(({ id }) => id === named);
  return (
    <div class="frame">
      <a class="skip" href="#main">
        Skip to content
      </a>
      <Hatch />
      <Rail />
      <TopBar />
      <main id="main" class="main" tabIndex={-1}>
        {isLoading && <div class="loading" role="progressbar" aria-label="Loading the screen" />}
        <div class="content">
          <ErrorBoundary address={url}>
            {isMember ? (
              <Router
                onLoadStart={() => setLoading(true)}
                onLoadEnd={() => setLoading(false)}
                onRouteChange={focusHeading}
              >
                {ROUTES.map(({ path: own, screen }) => (
                  <Route key={own} path={`/console/w/:workspaceId${own}`} component={screen} />
                ))}
                <Route path="/console/invitations/:token" component={InvitationScreen} />
                <Route default component={NotFound} />
              </Router>
            ) : (
              <NotFound />
            )}
            <Shown />
          </ErrorBoundary>
        </div>
        <TroubleStrip />
      </main>
      <BottomBar />
      <Palette />
      <Toasts />
    </div>
  );
}

/** What is unknown, and maintenance, are hatched in every chart. */
function Hatch() {
  return (
    <svg class="unseen" width="0" height="0" aria-hidden="true">
      {['unknown', 'maintenance'].map((state) => (
        <pattern
          key={state}
          id={`hatch-${state}`}
          width="6"
          height="6"
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <rect style={{ fill: `var(--${state}-soft)` }} width="6" height="6" />
          <line style={{ stroke: `var(--${state}-fill)` }} stroke-width="2.4" y2="6" />
        </pattern>
      ))}
    </svg>
  );
}

/** After a navigation a screen reader begins at the heading of the new screen. */
function focusHeading(): void {
  document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
}

function NotFound() {
  const home = workspaces.value.find(({ id }) => id === workspaceId.value) ?? workspaces.value[0];
  return (
    <Screen title="Not found">
      <EmptyState
        icon="search"
        title="There is nothing at this address"
        action={home && <Button text={`Overview of ${home.name}`} look="primary" href={`/console/w/${home.id}`} />}
      >
        It may have been deleted, or belong to a workspace that you are not a member of.
      </EmptyState>
    </Screen>
  );
}
