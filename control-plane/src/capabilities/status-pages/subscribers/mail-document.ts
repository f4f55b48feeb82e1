import { cutText } from '@watchpost/shared/storable-text';
import { Html, html } from '../../../platform/http/html.js';

const MOST = 80;

/** The HTML document of a mail, without external resources and without styles that mail programs remove. */
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
 * The name of a status page in mail to a person who has not confirmed: one short line without text that mail programs turn
 * into links, because a third party chose it.
 */
export function plainName(name: string): string {
  const plain = name
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .replace(/\b[a-z][a-z0-9+.-]*:\/\//gi, '')
    .replace(/([\p{L}\p{N}_])[.\u3002\uff0e\uff61](?=[\p{L}\p{N}_])/gu, '$1 ')
    .trim();
  return cutText(plain, MOST);
}
