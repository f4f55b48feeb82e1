import { createHash } from 'node:crypto';
import { Html, html } from './html.js';

const STYLE = `
:root{color-scheme:light dark;--ink:#16202b;--soft:#5b6b7b;--line:#d5dde5;--paper:#fff;--ground:#f2f5f8;--accent:#0b66c3;--bad:#b3261e}
@media(prefers-color-scheme:dark){:root{--ink:#e8eef4;--soft:#9fb0c0;--line:#34414e;--paper:#19222b;--ground:#10161c;--accent:#5aa9f5;--bad:#ff8a80}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1.5rem;background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
main{width:100%;max-width:26rem;padding:2rem;background:var(--paper);border:1px solid var(--line);border-radius:.75rem}
header{margin-bottom:1.5rem;font-weight:700;letter-spacing:.02em;color:var(--accent)}
h1{margin:0 0 .5rem;font-size:1.4rem;line-height:1.25}
p{margin:.5rem 0}
.soft{color:var(--soft);font-size:.9rem}
.bad{color:var(--bad);font-weight:600}
label{display:block;margin-top:1rem;font-weight:600}
input[type=email],input[type=password],input[type=text]{width:100%;margin-top:.25rem;padding:.65rem .75rem;font:inherit;color:inherit;background:transparent;border:1px solid var(--soft);border-radius:.4rem}
input[name=user_code]{text-transform:uppercase;letter-spacing:.15em;text-align:center}
.code{display:block;margin:1rem 0;font:700 1.75rem/1.2 ui-monospace,monospace;letter-spacing:.12em;text-align:center}
ul{margin:1rem 0;padding:0;list-style:none;border-top:1px solid var(--line)}
li{padding:.5rem 0;border-bottom:1px solid var(--line)}
li code{display:block;color:var(--soft);font-size:.8rem}
.row{display:flex;gap:.75rem;margin-top:1.5rem}
button{flex:1;padding:.7rem 1rem;font:inherit;font-weight:600;color:var(--paper);background:var(--accent);border:1px solid var(--accent);border-radius:.4rem;cursor:pointer}
button.quiet{color:var(--ink);background:transparent;border-color:var(--soft)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

// Made here and not in the template: the hash holds for this text, to the last blank.
const STYLE_ELEMENT = new Html(`<style>${STYLE}</style>`);

/** For pages that run no script, load nothing, and cannot be framed. */
export const PLAIN_PAGE_HEADERS = {
  'Cache-Control': 'no-store',
  // No form-action: browsers apply it to the redirect that follows a form, which goes to the client.
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; frame-ancestors 'none'`,
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
} as const;

/** A small page with one thing to read or to do; send it with `PLAIN_PAGE_HEADERS`. */
export function plainPage(title: string, body: Html): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Watchpost</title>
        ${STYLE_ELEMENT}
      </head>
      <body>
        <main>
          <header>Watchpost</header>
          ${body}
        </main>
      </body>
    </html> `.text;
}
