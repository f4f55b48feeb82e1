import { z } from 'zod';
import { notFound } from '@watchpost/shared/fault';
import { isLoopbackHost } from '@watchpost/shared/loopback';
import type { Database } from '../../platform/db/database.js';
import { route, type Route } from '../../platform/http/route.js';
import { entityTag } from '../../platform/http/entity-tag.js';
import { type Html, html, htmlDocument } from '../../platform/http/html.js';
import { momentText } from '@watchpost/shared/design/texts';
import { CARD_RULES, pageStyle } from '../../platform/pages/page-style.js';
import { type LocalMail, readLocalMail } from './local-mailbox.js';

const SHOWN = 100;

/**
 * The local mailbox as an HTML document, for trying the service on this machine. It needs no sign-in, and the mails may
 * contain secret links. It is therefore served on loopback only, and only under the host of `baseUrl`: a foreign site
 * whose name resolves to this machine gets 404 (DNS rebinding).
 */
export function mailboxRoutes(deps: { db: Database; baseUrl: string }): Route[] {
  const ownHost = new URL(deps.baseUrl).host;
  return [
    route({
      method: 'get',
      path: '/mailbox',
      operationId: 'getLocalMailbox',
      summary: 'Mail that was to be sent, where there is no mail server',
      description: `The newest ${SHOWN}, for trying things out: with the embedded OpenID provider only, and from this machine only.`,
      tag: 'Operation',
      scopes: 'anonymous',
      role: null,
      query: z.looseObject({}),
      produces: ['text/html'],
      answers: { 200: { description: 'An HTML page' } },
      faults: ['not_found'],
      async handle({ remoteAddress, headers }) {
        if (!isLoopbackHost(remoteAddress) || headers.host !== ownHost) throw notFound('page');
        const body = mailboxDocument(await readLocalMail(deps, SHOWN));
        const type = 'text/html; charset=utf-8';
        return { body, type, headers: { 'Cache-Control': 'no-store', ETag: entityTag(body) } };
      },
    }),
  ];
}

const STYLE = pageStyle(
  CARD_RULES,
  `body{max-width:48rem;margin:0 auto;padding:var(--space-6) var(--space-4)}
h2{margin:0}
header{margin-bottom:var(--space-5)}
pre{margin:var(--space-3) 0 0;white-space:pre-wrap;font:inherit}
`,
);

function mailboxDocument(mails: readonly LocalMail[]): string {
  const shown = mails.map(
    ({ id, at, recipient, subject, text }) =>
      html`<article class="card" id="${id}">
        <h2>${subject}</h2>
        <p class="soft">
          To ${recipient}, <time datetime="${at.toISOString()}">${momentText(at.getTime(), 'UTC', 'second')}</time>
        </p>
        <pre>${linked(text)}</pre>
      </article>`,
  );
  return htmlDocument(
    html`<title>Local mailbox</title> ${STYLE.element}`,
    html`<header>
        <h1>Local mailbox</h1>
        <p class="soft">There is no SMTP_URL, so mail that was to be sent is kept here. Newest first.</p>
      </header>
      <main>${shown.length === 0 ? html`<p class="card">No mail yet.</p>` : shown}</main>`,
  );
}

/** Escapes the text and makes its URLs links. A bracket or full stop behind a URL does not belong to it. */
function linked(text: string): Html[] {
  return text
    .split(/(https?:\/\/[^\s<>"']*[^\s<>"'().,;:!?])/)
    .map((part, index) => (index % 2 === 0 ? html`${part}` : html`<a href="${part}">${part}</a>`));
}
