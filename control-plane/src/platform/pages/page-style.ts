import { createHash } from 'node:crypto';
import { SLOT_RULES } from '@watchpost/shared/design/bar';
import { withTokens } from '@watchpost/shared/design/tokens';
import { Html } from '../http/html.js';

/** The rules that all documents share; each adds its own. No meaning depends on colour alone. */
const SHARED_RULES = `*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:var(--text-m)/var(--leading) var(--sans);overflow-wrap:anywhere}
h1,h2,h3,h4{line-height:var(--leading-tight);text-wrap:balance}
h1,h2,h3,h4,th,strong{font-weight:600}
code,pre{font-family:var(--mono);font-size:1em}
h1{margin:0;font-size:var(--text-xl);letter-spacing:-.02em}
h2{margin:var(--space-6) 0 var(--space-3);font-size:var(--text-l);letter-spacing:-.01em}
h3{margin:0;font-size:var(--text-m)}
p{margin:var(--space-2) 0}
a{color:var(--accent);text-underline-offset:.15em;text-decoration-thickness:1px}
a:hover{text-decoration-thickness:2px}
:focus-visible{outline:var(--ring);outline-offset:2px;border-radius:var(--radius-s)}
.soft{color:var(--soft);font-size:var(--text-s)}
.mark{flex:none;width:1em;height:1em;fill:currentColor}.edge{fill:none;stroke:currentColor;stroke-width:1.8}.unseen{position:absolute}
button{font:inherit;font-weight:600;padding:var(--space-2) var(--space-4);color:var(--accent-ink);background:var(--accent);border:1px solid var(--accent);border-radius:var(--radius-s);cursor:pointer}
input{font:inherit;color:inherit;max-width:100%;padding:var(--space-2) var(--space-3);background:var(--paper);border:1px solid var(--edge);border-radius:var(--radius-s)}
@media (hover:hover){button:hover{box-shadow:var(--shadow-raised)}}
@media print{body{background:none}}
`;

/** Cards: sheets of paper on the ground. */
export const CARD_RULES = `.card{padding:var(--space-4) var(--space-5);background:var(--paper);border:1px solid var(--line);border-radius:var(--radius-m);box-shadow:var(--shadow)}
.card+.card{margin-top:var(--space-3)}
.card>:first-child{margin-top:0}.card>:last-child{margin-bottom:0}
@media (max-width:30rem){.card{padding:var(--space-3) var(--space-4)}}
@media print{.card{box-shadow:none;break-inside:avoid}}
`;

/** The style of what `span-bar.ts` draws. */
export const BAR_RULES = `${SLOT_RULES}.bar{display:block;width:100%;height:2rem;margin:var(--space-2) 0;border-radius:3px}
.ends{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 var(--space-4);color:var(--soft);font-size:var(--text-s)}
.legend{display:flex;flex-wrap:wrap;gap:var(--space-1) var(--space-4);margin:var(--space-2) 0;padding:0;list-style:none;color:var(--soft);font-size:var(--text-s)}
.legend li{display:flex;align-items:center;gap:var(--space-2)}
.legend .bar{width:.5rem;height:1rem;margin:0}
@media (max-width:36rem){.ends :nth-child(2):nth-last-child(2){order:1;width:100%}}
`;

/** A stylesheet as an element, and as the source by which a policy lets it in. */
export interface PageStyle {
  element: Html;
  source: string;
}

/** The style of a document: the tokens that it uses, the shared rules, and its own. */
export function pageStyle(...rules: readonly string[]): PageStyle {
  const text = withTokens(SHARED_RULES + rules.join(''));
  return { element: new Html(`<style>${text}</style>`), source: hashSource(text) };
}

/** The source by which a Content-Security-Policy lets an inline text in (CSP 3 §2.3.1). */
export function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
