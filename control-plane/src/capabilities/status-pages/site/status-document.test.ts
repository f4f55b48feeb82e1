import { expect } from 'chai';
import { Html } from '../../../platform/http/html.js';
import { frameDocument } from './status-document.js';

describe('The frame of a status page', () => {
  it('keeps the text of a post exactly, in time that grows with its length alone', () => {
    // Two minutes for a pattern that looks for the end of the blanks again from each line break.
    const post = `<pre><code>${'\n'.repeat(250_000)}  x</code></pre>`;
    const page = { name: 'Acme', description: '', theme: 'auto', banner: null } as const;
    const { html } = frameDocument({ slug: 'acme', page, title: 'Slow', content: new Html(post), isLive: false });
    expect(html.includes(`<main id="content">${post}</main>`)).to.equal(true);
  });
});
