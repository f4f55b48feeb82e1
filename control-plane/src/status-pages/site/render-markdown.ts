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
// The page's headings say how it is built; an author's only stand out.
markdown.renderer.rules['heading_open'] = () => '<p><strong>';
markdown.renderer.rules['heading_close'] = () => '</strong></p>\n';

/** Markdown (CommonMark) of an operator as HTML that is safe on a public page. */
export function renderMarkdown(source: string): Html {
  return new Html(markdown.render(source));
}
