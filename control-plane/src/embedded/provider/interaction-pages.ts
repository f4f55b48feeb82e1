import type { Context } from 'koa';
import { SCOPES } from '../../platform/http/scopes.js';
import { html } from '../../platform/http/html.js';
import { sendPage } from './page.js';

const OPENID_SCOPES: Readonly<Record<string, string>> = {
  openid: 'Know that it is you',
  profile: 'See your name',
  email: 'See your email address',
  offline_access: 'Stay connected while you are away',
};

/** @param message why the last try failed */
export function sendSignInPage(
  ctx: Context,
  page: { csrf: string; clientName: string; email: string; message?: string | undefined },
  status = 200,
): void {
  const body = html`<h1>Sign in</h1>
    <p>to continue to <strong>${page.clientName}</strong></p>
    ${page.message && html`<p class="bad" role="alert">${page.message}</p>`}
    <form method="post">
      <input type="hidden" name="csrf" value="${page.csrf}" />
      <label for="email">Email</label>
      <input id="email" name="email" type="email" value="${page.email}" autocomplete="username" required />
      <label for="password">Password</label>
      <input id="password" name="password" type="password" autocomplete="current-password" required autofocus />
      <div class="row">
        <button type="submit" name="action" value="sign-in">Sign in</button>
        <button type="submit" name="action" value="abort" class="quiet" formnovalidate>Cancel</button>
      </div>
    </form>
    <details>
      <summary>You are invited, and have no account yet?</summary>
      <form method="post">
        <input type="hidden" name="csrf" value="${page.csrf}" />
        <label for="new-email">The invited address</label>
        <input id="new-email" name="email" type="email" value="${page.email}" autocomplete="username" required />
        <label for="name">Your name</label>
        <input id="name" name="name" autocomplete="name" maxlength="200" />
        <label for="new-password">A new password</label>
        <input
          id="new-password"
          name="new-password"
          type="password"
          autocomplete="new-password"
          minlength="8"
          required
        />
        <div class="row"><button type="submit" name="action" value="make-account">Make an account</button></div>
      </form>
    </details>
    <p class="soft">The demo account and its password are printed in the terminal where Watchpost was started.</p>`;
  sendPage(ctx, 'Sign in', body, status);
}

export function sendConsentPage(
  ctx: Context,
  page: { csrf: string; clientName: string; redirectHost: string | null; account: string; scopes: readonly string[] },
): void {
  const items = page.scopes.map((scope) => html`<li>${describeScope(scope)}<code>${scope}</code></li>`);
  const body = html`<h1>Allow ${page.clientName}?</h1>
    <p class="soft">
      You are signed in as ${page.account}.${page.redirectHost && html` You will be sent to ${page.redirectHost}.`}
    </p>
    ${
      items.length > 0
        ? html`<p>It asks to:</p>
            <ul>
              ${items}
            </ul>`
        : html`<p>It asks you to confirm what you allowed before.</p>`
    }
    <form method="post">
      <input type="hidden" name="csrf" value="${page.csrf}" />
      <div class="row">
        <button type="submit" name="action" value="allow">Allow</button>
        <button type="submit" name="action" value="abort" class="quiet">Refuse</button>
      </div>
    </form>`;
  sendPage(ctx, `Allow ${page.clientName}?`, body);
}

export function sendProblemPage(ctx: Context, status: number, message: string): void {
  sendPage(
    ctx,
    'Error',
    html`<h1>This did not work</h1>
      <p class="bad" role="alert">${message}</p>`,
    status,
  );
}

function describeScope(scope: string): string {
  return (SCOPES as Readonly<Record<string, string>>)[scope] ?? OPENID_SCOPES[scope] ?? scope;
}
