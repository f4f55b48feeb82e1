import MarkdownIt from 'markdown-it';
import { Html } from '../../http/html.js';

const LINKS = /^(?:https?:\/\/|mailto:)/i;

// HTML in the source is shown as text, pictures would tell their host who reads the page.
const markdown = new MarkdownIt({ html: false, breaks: true }).disable(['image']);
markdown.validateLink = (url) => LINKS.test(url);
markdown.renderer.rules['link_open'] = (tokens, index, options, _env, renderer) => {
  tokens[index]!.attrSet('rel', 'nofollow noopener noreferrer');
  return renderer.renderToken(tokens, index, options);
};
// The page has headings of its own, and an author's belong below all of them.
markdown.core.ruler.push('lower_headings', ({ tokens }) => {
  for (const token of tokens) if (/^heading_(?:open|close)$/.test(token.type)) token.tag = 'h5';
});

/** Markdown (CommonMark) of an operator as HTML that is safe on a public page. */
export function renderMarkdown(source: string): Html {
  return new Html(markdown.render(source));
}
