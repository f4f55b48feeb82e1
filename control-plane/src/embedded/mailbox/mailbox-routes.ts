import { z } from 'zod';
import { notFound } from '@watchpost/shared/fault';
import { isLoopbackHost } from '@watchpost/shared/loopback';
import type { Database } from '../../platform/db/database.js';
import { route, type Route } from '../../platform/http/route.js';
import { entityTag } from '../../platform/http/entity-tag.js';
import { escapeHtml } from '../../platform/http/html.js';
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

function mailboxDocument(mails: readonly LocalMail[]): string {
  const shown = mails.map(
    ({ id, at, recipient, subject, text }) => `<article id="${escapeHtml(id)}">
<h2>${escapeHtml(subject)}</h2>
<p>To ${escapeHtml(recipient)}, ${escapeHtml(at.toISOString())}</p>
<pre>${linked(text)}</pre>
</article>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Local mailbox</title>
<style>
body{font:16px/1.5 system-ui,sans-serif;max-width:48rem;margin:0 auto;padding:1.5rem;color-scheme:light dark}
article{border-top:1px solid #98a2b3;margin-top:1.5rem}h2{font-size:1.1rem;margin-bottom:0}
pre{white-space:pre-wrap;overflow-wrap:anywhere;font:inherit}
</style></head>
<body><h1>Local mailbox</h1>
<p>There is no SMTP_URL, so mail that was to be sent is kept here. Newest first.</p>
${shown.length === 0 ? '<p>No mail yet.</p>' : shown.join('\n')}
</body></html>
`;
}

/** Escapes the text and makes its URLs links. A bracket or full stop behind a URL does not belong to it. */
function linked(text: string): string {
  return text
    .split(/(https?:\/\/[^\s<>"']*[^\s<>"'().,;:!?])/)
    .map((part, index) =>
      index % 2 === 0 ? escapeHtml(part) : `<a href="${escapeHtml(part)}">${escapeHtml(part)}</a>`,
    )
    .join('');
}
