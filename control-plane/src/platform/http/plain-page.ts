import { BRAND_SIGN } from '@watchpost/shared/design/brand';
import { pageStyle } from '../pages/page-style.js';
import { Html, html, htmlDocument } from './html.js';

const STYLE = pageStyle(`body{min-height:100vh;display:grid;place-items:center;padding:var(--space-5)}
main{width:100%;max-width:27rem;padding:var(--space-6);background:var(--paper);border:1px solid var(--line);border-radius:var(--radius-l);box-shadow:var(--shadow-raised)}
header{display:flex;align-items:center;gap:var(--space-2);margin-bottom:var(--space-5);font-weight:600;letter-spacing:-.01em}
.sign{width:1.5rem;height:1.5rem;color:var(--accent)}
h1{margin-bottom:var(--space-3);font-size:var(--text-l)}
.bad{color:var(--unavailable);font-weight:600}
label{display:block;margin-top:var(--space-4);font-size:var(--text-s);font-weight:600}
input{width:100%;margin-top:var(--space-1)}
input[name=user_code]{text-transform:uppercase;letter-spacing:.15em;text-align:center}
.code{display:block;margin:var(--space-4) 0;padding:var(--space-3);font:600 var(--text-xl)/var(--leading-tight) var(--mono);letter-spacing:.12em;text-align:center;background:var(--sunken);border-radius:var(--radius-m)}
p>code:only-child{display:block;padding:var(--space-3);background:var(--sunken);border-radius:var(--radius-s)}
ul{margin:var(--space-4) 0;padding:0;list-style:none;border-top:1px solid var(--line)}
li{padding:var(--space-2) 0;border-bottom:1px solid var(--line)}
li code{display:block;color:var(--soft)}
.row{display:flex;flex-wrap:wrap;gap:var(--space-3);margin-top:var(--space-5)}
.row button{flex:1;padding:var(--space-3) var(--space-4)}
button.quiet{color:var(--ink);background:none;border-color:var(--edge)}
@media (max-width:30rem){body{padding:var(--space-3)}main{padding:var(--space-5) var(--space-4)}}
`);

/** For pages that run no script, load nothing, and cannot be framed. */
export const PLAIN_PAGE_HEADERS = {
  'Cache-Control': 'no-store',
  // No form-action: browsers apply it to the redirect that follows a form, which goes to the client.
  'Content-Security-Policy': `default-src 'none'; style-src ${STYLE.source}; base-uri 'none'; frame-ancestors 'none'`,
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
} as const;

export function answerPage(title: string, body: Html) {
  return { body: plainPage(title, body), type: 'text/html; charset=utf-8', headers: PLAIN_PAGE_HEADERS };
}

/** A small page with one thing to read or to do; send it with `PLAIN_PAGE_HEADERS`. */
export function plainPage(title: string, body: Html): string {
  return htmlDocument(
    html`<title>${title} · Watchpost</title> ${STYLE.element}`,
    html`<main>
      <header>${new Html(BRAND_SIGN)}Watchpost</header>
      ${body}
    </main>`,
  );
}
