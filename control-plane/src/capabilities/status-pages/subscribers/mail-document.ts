import { Html, html } from '../../../platform/http/html.js';

const MOST = 80;

/** A whole document for a mail: no styles that readers strip, nothing that is loaded. */
export function mailDocument(body: Html | string, footer: Html | null = null): string {
  const content = typeof body === 'string' ? new Html(body) : body;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
      </head>
      <body>
        ${content}${
          footer &&
          html`<hr />
            ${footer}`
        }
      </body>
    </html> `.text;
}

/**
 * A page's name in mail to somebody who has not asked for any yet: one line, short, and with nothing that a mail
 * program would turn into a link, because a stranger chose it.
 */
export function plainName(name: string): string {
  return name
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .replace(/\b[a-z][a-z0-9+.-]*:\/\//gi, '')
    .replace(/([\p{L}\p{N}_])[.\u3002\uff0e\uff61](?=[\p{L}\p{N}_])/gu, '$1 ')
    .trim()
    .slice(0, MOST);
}
