import MarkdownIt from 'markdown-it';
import { escapeHtml, Html } from '../../../platform/http/html.js';

const LINKS = /^(?:https?:\/\/|mailto:)/i;

const markdown = createMarkdown();
markdown.renderer.rules['link_open'] = (tokens, index, options, _env, renderer) => {
  tokens[index]!.attrSet('rel', 'nofollow noopener noreferrer');
  return renderer.renderToken(tokens, index, options);
};

const inert = createMarkdown();
inert.renderer.rules['link_open'] = () => '';
inert.renderer.rules['link_close'] = (tokens, index) => {
  const opening = tokens.slice(0, index).findLast(({ type }) => type === 'link_open');
  const url = String(opening?.attrGet('href') ?? '');
  return tokens[index - 1]?.content === url ? '' : ` (${escapeHtml(url)})`;
};

/** Renders a member's Markdown (CommonMark) as HTML that is safe on a public page. */
export function renderMarkdown(source: string): Html {
  return new Html(markdown.render(source));
}

/** The same for mail, where links of the author are shown as text. */
export function renderWithoutLinks(source: string): Html {
  return new Html(inert.render(source));
}

/** Escapes plain text for use in Markdown. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_[\]<>#|~]/g, '\\$&');
}

/** Removes what `escapeMarkdown` added, for readers of the source. */
export function unescapeMarkdown(source: string): string {
  return source.replace(/\\([\\`*_[\]<>#|~])/g, '$1');
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
