import { HATCHES } from '@watchpost/shared/design/bar';
import { PHASE_PATTERNS } from '@watchpost/shared/design/phases';
import { Shown } from '../parts/dialog.js';
import { Button } from '../parts/button.js';
import { useLayoutEffect, useState } from 'preact/hooks';
import { LocationProvider, Route, Router, useLocation } from 'preact-iso';
import { connectionState } from '../data/connection.js';
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
      <Patterns />
      <Rail />
      <TopBar />
      <main id="main" class="main" tabIndex={-1}>
        {isLoading && <div class="loading" role="progressbar" aria-label="Loading the screen" />}
        <div class={connectionState.value === 'lost' ? 'content is-lost' : 'content'}>
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
        <div class="foot lines gap-2">
          <Toasts />
          <TroubleStrip />
        </div>
      </main>
      <BottomBar />
      <Palette />
    </div>
  );
}

function Patterns() {
  const patterns = HATCHES + PHASE_PATTERNS;
  return <svg class="unseen" width="0" height="0" aria-hidden="true" dangerouslySetInnerHTML={{ __html: patterns }} />;
}

/** After a navigation a screen reader begins at the heading of the new screen, and back in a list at the row that was opened. */
function focusHeading(): void {
  const opened = typeof history.state === 'string' ? `[data-row="${CSS.escape(history.state)}"] [data-row-link]` : 'h1';
  const place = document.querySelector<HTMLElement>(`main ${opened}`) ?? document.querySelector<HTMLElement>('main h1');
  place?.focus({ preventScroll: true });
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
