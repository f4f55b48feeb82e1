import { BoundedCache } from '@watchpost/shared/bounded-cache';
import MarkdownIt from 'markdown-it';
import { escapeHtml, Html } from '../../../platform/http/html.js';

const LINKS = /^(?:https?:\/\/|mailto:)/i;

/** A text of 20,000 characters with links and emphasis is a fraction of it; only made-up ones become more. */
const MOST_HTML = 250_000;
/** A row of a table is filled up to the width of its head, so that 20 KB of source were 65,536 cells and 0.2 s of work. */
const MOST_CELLS = 1_000;
/** Of all links of a text: one long address can be referred to thousands of times. */
const MOST_ADDRESSES = 60_000;
const KEPT_TEXTS = 100;

/** What one rendering counts and remembers. */
interface Rendering {
  addresses: number;
  /** The address of the link that is open; links do not nest. */
  open: string;
}

const render = createRenderer((markdown) => {
  markdown.renderer.rules['link_open'] = (tokens, index, options, env, renderer) => {
    const token = tokens[index]!;
    if (!takesAddress(env as unknown as Rendering, String(token.attrGet('href') ?? ''))) token.attrs = null;
    token.attrSet('rel', 'nofollow noopener noreferrer');
    return renderer.renderToken(tokens, index, options);
  };
});

const renderInert = createRenderer((markdown) => {
  markdown.renderer.rules['link_open'] = (tokens, index, _options, env) => {
    const rendering = env as unknown as Rendering;
    const url = String(tokens[index]!.attrGet('href') ?? '');
    rendering.open = takesAddress(rendering, url) ? url : '';
    return '';
  };
  markdown.renderer.rules['link_close'] = (tokens, index, _options, env) => {
    const { open } = env as unknown as Rendering;
    return open === '' || tokens[index - 1]?.content === open ? '' : ` (${escapeHtml(open)})`;
  };
});

/** Renders a member's Markdown (CommonMark) as HTML that is safe on a public page. */
export function renderMarkdown(source: string): Html {
  return render(source);
}

/** The same for mail, where links of the author are shown as text. */
export function renderWithoutLinks(source: string): Html {
  return renderInert(source);
}

export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_[\]<>#|~]/g, '\\$&');
}

/** Removes what `escapeMarkdown` added, for readers of the source. */
export function unescapeMarkdown(source: string): string {
  return source.replace(/\\([\\`*_[\]<>#|~])/g, '$1');
}

/** Renders each text once, while it is among the last ones: a page shows the same posts at each of its builds, a mail to each subscriber. */
function createRenderer(adapt: (markdown: ReturnType<typeof createMarkdown>) => void): (source: string) => Html {
  const [whole, withoutTables] = [createMarkdown(), createMarkdown().disable(['table'])];
  for (const markdown of [whole, withoutTables]) adapt(markdown);
  const known = new BoundedCache<string, Html>(KEPT_TEXTS);
  return (source) => {
    let html = known.get(source);
    if (!html) {
      const env: Rendering = { addresses: 0, open: '' };
      const text = (cellsOf(source) > MOST_CELLS ? withoutTables : whole).render(source, { ...env });
      html = new Html(text.length > MOST_HTML ? `<pre>${escapeHtml(source)}</pre>` : text);
      known.set(source, html);
    }
    return html;
  };
}

function takesAddress(rendering: Rendering, address: string): boolean {
  rendering.addresses += address.length;
  return rendering.addresses <= MOST_ADDRESSES;
}

/** The most cells that the tables of a text can have: a table ends at a blank line. */
function cellsOf(source: string): number {
  let cells = 0;
  for (const block of source.split(/\n[ \t]*\n/)) {
    const lines = block.split('\n');
    const widest = Math.max(...lines.map((line) => line.split('|').length));
    if (widest > 1) cells += widest * lines.length;
  }
  return cells;
}

function createMarkdown() {
  // HTML in the source is shown as text. Pictures are left out, because their host would see the readers.
  const made = new MarkdownIt({ html: false, breaks: true }).disable(['image']);
  made.validateLink = (url) => LINKS.test(url);
  // Headings structure the page, so an author's headings become bold text.
  made.renderer.rules['heading_open'] = () => '<p><strong>';
  made.renderer.rules['heading_close'] = () => '</strong></p>\n';
  return made;
}
