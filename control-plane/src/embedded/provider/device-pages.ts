import type { Client, KoaContextWithOIDC } from 'oidc-provider';
import { Html, html } from '../../platform/http/html.js';
import { sendPage } from './page.js';

/** Query parameter under which the code of `verification_uri_complete` reaches the page. */
export const CODE_HINT = 'code_hint';

/** The pages of the device flow (RFC 8628 §3.3): enter the code, compare it, done. They need no script. */
export const devicePages = {
  userCodeInputSource(
    ctx: KoaContextWithOIDC,
    form: string,
    _out?: unknown,
    error?: { name?: string; userCode?: string },
  ): void {
    const hint = ctx.query[CODE_HINT];
    const body = html`<h1>Connect a device</h1>
      <p>Enter the code that your device or program shows.</p>
      ${error && html`<p class="bad" role="alert">${messageOf(error)}</p>`}
      ${new Html(withoutScript(withLabel(form, typeof hint === 'string' ? hint : '')))}
      <div class="row"><button type="submit" form="op.deviceInputForm">Continue</button></div>`;
    sendPage(ctx, 'Connect a device', body, error ? 400 : 200);
  },

  userCodeConfirmSource(
    ctx: KoaContextWithOIDC,
    form: string,
    client: Client,
    info: Readonly<Record<string, unknown>>,
    userCode: string,
  ): void {
    const from = info['ip'];
    const body = html`<h1>Is this the code on your device?</h1>
      <span class="code">${userCode}</span>
      <p>
        <strong>${client.clientName ?? client.clientId}</strong> asks to be
        connected${typeof from === 'string' && html`, from ${from}`}.
      </p>
      <p class="soft">If you did not start this yourself, or the code is another, refuse.</p>
      ${new Html(form)}
      <div class="row">
        <button type="submit" form="op.deviceConfirmForm">Yes, continue</button>
        <button type="submit" form="op.deviceConfirmForm" name="abort" value="yes" class="quiet">Refuse</button>
      </div>`;
    sendPage(ctx, 'Connect a device', body);
  },

  successSource(ctx: KoaContextWithOIDC): void {
    sendPage(
      ctx,
      'Device connected',
      html`<h1>Your device is connected</h1>
        <p>You can close this page and go back to it.</p>`,
    );
  },
};

function messageOf(error: { name?: string; userCode?: string }): string {
  switch (error.name) {
    case 'NoCodeError':
      return 'Enter a code.';
    case 'NotFoundError':
      return 'There is no such code. Look at your device again.';
    case 'ExpiredError':
      return 'This code has expired. Start again on your device.';
    case 'AlreadyUsedError':
      return 'This code was used already. Start again on your device.';
    case 'AbortedError':
      return 'The device was refused.';
    default:
      return 'This did not work. Start again on your device.';
  }
}

function withLabel(form: string, hint: string): string {
  const value = /^[A-Za-z -]{1,20}$/.test(hint) ? ` value="${hint}"` : '';
  return form.replace(
    /<input\s+(value="[^"]*" )?type="text"/,
    (input: string, own?: string) =>
      `<label for="user_code">Code</label>${input.replace('<input', `<input id="user_code"${own ? '' : value}`)}`,
  );
}

/** The library puts an inline handler on its input, which the page's policy would refuse with a complaint. */
function withoutScript(form: string): string {
  return form.replace(/ onfocus="[^"]*"/g, '');
}
