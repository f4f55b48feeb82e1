import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider';
import { Html, html } from '../../platform/http/html.js';
import { sendPage } from './page.js';

/** What went wrong with an authorization request that cannot be answered to the client. */
export function sendErrorPage(ctx: KoaContextWithOIDC, out: ErrorOut): void {
  const body = html`<h1>This did not work</h1>
    <p class="bad">${out.error_description ?? out.error}</p>
    <p class="soft">Go back to the program that sent you here and start again. Error: ${out.error}</p>`;
  sendPage(ctx, 'Error', body, ctx.status >= 400 ? ctx.status : 400);
}

/** @param form the library's form with id `op.logoutForm`, which carries its token against forgery */
export function sendSignOutPage(ctx: KoaContextWithOIDC, form: string): void {
  const body = html`<h1>Sign out?</h1>
    ${new Html(form)}
    <div class="row">
      <button type="submit" form="op.logoutForm" name="logout" value="yes">Sign out</button>
      <button type="submit" form="op.logoutForm" class="quiet">Stay signed in</button>
    </div>`;
  sendPage(ctx, 'Sign out', body);
}

export function sendSignedOutPage(ctx: KoaContextWithOIDC): void {
  sendPage(
    ctx,
    'Signed out',
    html`<h1>You are signed out</h1>
      <p>You can close this page.</p>`,
  );
}
