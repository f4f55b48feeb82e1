import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider';
import { Html, html } from '../../platform/http/html.js';
import { PLAIN_PAGE_HEADERS } from '../../platform/http/plain-page.js';
import { hashSource } from '../../platform/pages/page-style.js';
import { sendPage } from './page.js';

/** What went wrong with an authorization request that cannot be answered to the client. */
export function sendErrorPage(ctx: KoaContextWithOIDC, out: ErrorOut): void {
  const body = html`<h1>This did not work</h1>
    <p class="bad">${out.error_description ?? out.error}</p>
    <p class="soft">Go back to the program that sent you here and start again. Error: ${out.error}</p>`;
  sendPage(ctx, 'Error', body, ctx.status >= 400 ? ctx.status : 400);
}

const CONFIRM = "document.querySelector('[value=yes]').click()";

/**
 * Asks whether to sign out, and has the browser of somebody who signs out in the console answer at once: the console proves by
 * an ID token that it is the one who is signed in here (OpenID Connect RP-Initiated Logout 1.0 §2).
 * @param form the library's form with id `op.logoutForm`, which carries its token against forgery
 */
export function sendSignOutPage(ctx: KoaContextWithOIDC, form: string): void {
  const { IdTokenHint: hint } = ctx.oidc.entities;
  const isCertain = hint !== undefined && hint.payload['sub'] === ctx.oidc.session?.accountId;
  const body = html`<h1>Sign out?</h1>
    ${new Html(form)}
    <div class="row">
      <button type="submit" form="op.logoutForm" name="logout" value="yes">Sign out</button>
      <button type="submit" form="op.logoutForm" class="quiet">Stay signed in</button>
    </div>
    ${isCertain && new Html(`<script>${CONFIRM}</script>`)}`;
  sendPage(ctx, 'Sign out', body);
  const policy = PLAIN_PAGE_HEADERS['Content-Security-Policy'];
  if (isCertain) ctx.set('Content-Security-Policy', `${policy}; script-src ${hashSource(CONFIRM)}`);
}

export function sendSignedOutPage(ctx: KoaContextWithOIDC): void {
  sendPage(
    ctx,
    'Signed out',
    html`<h1>You are signed out</h1>
      <p>You can close this page.</p>`,
  );
}
