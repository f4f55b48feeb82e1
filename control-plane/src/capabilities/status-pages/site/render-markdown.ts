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

/** Markdown (CommonMark) of an operator as HTML that is safe on a public page. */
export function renderMarkdown(source: string): Html {
  return new Html(markdown.render(source));
}

/** The same for mail, whose only links are our own: those of the author are shown as text. */
export function renderWithoutLinks(source: string): Html {
  return new Html(inert.render(source));
}

/** Text that is no Markdown, to stand in Markdown as it is. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_[\]<>#|~]/g, '\\$&');
}

/** Markdown as its author wrote it, for who reads the source: what `escapeMarkdown` added is taken away. */
export function unescapeMarkdown(source: string): string {
  return source.replace(/\\([\\`*_[\]<>#|~])/g, '$1');
}

function createMarkdown() {
  // HTML in the source is shown as text, pictures would tell their host who reads the page.
  const made = new MarkdownIt({ html: false, breaks: true }).disable(['image']);
  made.validateLink = (url) => LINKS.test(url);
  // The page's headings say how it is built; an author's only stand out.
  made.renderer.rules['heading_open'] = () => '<p><strong>';
  made.renderer.rules['heading_close'] = () => '</strong></p>\n';
  return made;
}
