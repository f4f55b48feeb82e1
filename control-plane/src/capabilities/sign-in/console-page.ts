import { type Html, html, htmlDocument } from '../../platform/http/html.js';
import { pageStyle } from '../../platform/pages/page-style.js';
import { PICTURE } from './picture.js';

const STYLE = pageStyle(`body{min-height:100vh;display:flex;flex-direction:column}
main{flex:1;width:100%;max-width:46rem;margin:0 auto;padding:var(--space-7) var(--space-5);display:flex;flex-direction:column;justify-content:center}
.lead{max-width:34rem;font-size:var(--text-l)}
.bad{color:var(--unavailable);font-weight:600}
img{display:block;max-width:100%;height:auto;margin:var(--space-6) 0}
.button{display:inline-block;padding:var(--space-3) var(--space-6);font-weight:600;color:var(--accent-ink);background:var(--accent);border-radius:var(--radius-s);text-decoration:none}
code{overflow-wrap:anywhere}
footer{display:flex;flex-wrap:wrap;justify-content:center;gap:var(--space-1) var(--space-5);padding:var(--space-4) var(--space-5);border-top:1px solid var(--line)}
footer a{color:inherit}
`);

/** For the pages around the console itself: no script, nothing loaded but the picture. */
export const CONSOLE_PAGE_HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': `default-src 'none'; style-src ${STYLE.source}; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  // With `no-referrer` the form of a page over http would not name its origin.
  'Referrer-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
} as const;

/** What the signed-out page leads to, apart from the sign-in. */
export interface ConsoleLinks {
  version: string;
  hasMailbox: boolean;
}

/** A page around the console. @param refreshTo where the browser goes on by itself */
function consolePage(title: string, content: Html, links: ConsoleLinks, refreshTo?: string): string {
  return htmlDocument(
    html`${refreshTo !== undefined && html`<meta http-equiv="refresh" content="0; url=${refreshTo}" />`}
      <title>${title}</title>
      <link rel="icon" href="/console/icon.svg" type="image/svg+xml" />
      ${STYLE.element}`,
    html`<main>${content}</main>
      <footer class="soft">
        <span>Watchpost ${links.version}</span>
        <a href="/swagger">REST interface</a>
        <a href="/swagger/v1/swagger.json">OpenAPI</a>
        <a href="/.well-known/mcp.json">Assistants (MCP)</a>
        <a href="/health">Health</a>
        ${links.hasMailbox && html`<a href="/mailbox">Local mailbox</a>`}
      </footer>`,
  );
}

const SENTENCE =
  'Watchpost checks your websites from several regions and, when one is down, notifies the right person with the evidence.';

/** What Watchpost is, and one button. @param signInUrl absolute: the cookies belong to the host of BASE_URL */
export function signedOutPage(signInUrl: string, links: ConsoleLinks): string {
  return consolePage(
    'Watchpost',
    html`<h1>Watchpost</h1>
      <p class="lead">${SENTENCE}</p>
      <img src="/console/picture.svg" width="${PICTURE.width}" height="${PICTURE.height}" alt="${PICTURE.alt}" />
      <p><a class="button" href="${signInUrl}">Sign in</a></p>`,
    links,
  );
}

/** Why a sign-in did not work, and the button to begin it again. */
export function refusedPage(message: string, signInUrl: string, links: ConsoleLinks): string {
  return consolePage(
    'Sign-in failed',
    html`<h1>You are not signed in</h1>
      <p class="bad" role="alert">${message}</p>
      <p><a class="button" href="${signInUrl}">Sign in</a></p>`,
    links,
  );
}

/** What the operator has to set before anybody can sign in. */
export function unconfiguredPage(setup: { issuer: string; callback: string }, links: ConsoleLinks): string {
  return consolePage(
    'Watchpost',
    html`<h1>Watchpost</h1>
      <p class="lead">${SENTENCE}</p>
      <p class="bad">Nobody can sign in here yet: the operator has to register the console at the OpenID provider.</p>
      <ol>
        <li>
          At <code>${setup.issuer}</code>, register a web application with the redirect URI
          <code>${setup.callback}</code>.
        </li>
        <li>
          Set <code>OIDC_CONSOLE_CLIENT_ID</code> and, if the provider issued one,
          <code>OIDC_CONSOLE_CLIENT_SECRET</code>.
        </li>
        <li>Restart Watchpost.</li>
      </ol>
      <p>The operator’s guide has the steps for common providers. The REST interface works without the console.</p>`,
    links,
  );
}

/** After the session has ended here: the browser goes on to the provider, which has a session of its own. */
export function signedOutAtProviderPage(location: string, links: ConsoleLinks): string {
  return consolePage(
    'Signed out',
    html`<h1>You are signed out</h1>
      <p>Your OpenID provider is next. <a href="${location}">Go on there</a> if the browser does not by itself.</p>`,
    links,
    location,
  );
}

/** A page of the console that cannot be shown. */
export function problemPage(title: string, message: string, links: ConsoleLinks): string {
  return consolePage(
    title,
    html`<h1>${title}</h1>
      <p>${message}</p>
      <p><a class="button" href="/console">To the console</a></p>`,
    links,
  );
}
