import { Html, html, htmlDocument } from '../../platform/http/html.js';
import type { BuiltConsole } from './built-files.js';
import type { FirstDocument } from './first-document-schemas.js';
import { FILES_PATH } from './serve-files.js';

/** Scripts and styles are files of the build: nothing in the document itself runs. */
export const SHELL_HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
} as const;

export function shellPage({ entry, style, preload }: BuiltConsole, first: FirstDocument): string {
  return htmlDocument(
    html`<meta name="color-scheme" content="light dark" />
      <title>Watchpost</title>
      <link rel="icon" href="/console/icon.svg" type="image/svg+xml" />
      <link rel="stylesheet" href="${FILES_PATH}${style}" />
      ${preload.map((name) => html`<link rel="modulepreload" href="${FILES_PATH}${name}" />`)}
      <script type="module" src="${FILES_PATH}${entry}"></script>`,
    html`<div id="console"><noscript>The console needs JavaScript. The REST interface works without it.</noscript></div>
      <script type="application/json" id="first">
        ${new Html(jsonInHtml(first))}
      </script>`,
  );
}

/** JSON that ends no element and begins no comment (HTML §4.12.1.3). */
export function jsonInHtml(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', String.raw`\u003c`);
}
