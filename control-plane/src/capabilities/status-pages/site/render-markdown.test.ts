import { expect } from 'chai';
import fc from 'fast-check';
import { escapeMarkdown, renderMarkdown, renderWithoutLinks, unescapeMarkdown } from './render-markdown.js';

const textOf = (source: string) => renderMarkdown(source).text;

describe('Markdown of an operator', () => {
  it('becomes paragraphs, lists, emphasis and links', () => {
    expect(textOf('We look **into** it.')).to.equal('<p>We look <strong>into</strong> it.</p>\n');
    expect(textOf('[here](https://acme.example/a?b=c&d=e)')).to.include(
      '<a href="https://acme.example/a?b=c&amp;d=e" rel="nofollow noopener noreferrer">here</a>',
    );
  });

  it('has no headings among those of the page', () => {
    expect(textOf('# Big')).to.equal('<p><strong>Big</strong></p>\n');
  });

  it('shows HTML as the text that it is', () => {
    expect(textOf('<script>alert(1)</script>')).to.equal('<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n');
    expect(textOf('<img src=x onerror=alert(1)>')).not.to.include('<img');
  });

  it('loads nothing and runs nothing from its links', () => {
    expect(textOf('![a picture](https://spy.example/x.png)')).not.to.include('<img');
    for (const url of [
      'javascript:alert(1)',
      'JaVaScript:alert(1)',
      'data:text/html,x',
      'vbscript:x',
      '//evil.example',
      '/admin',
    ])
      expect(textOf(`[x](${url})`), url).not.to.include('href');
  });

  it('never becomes a tag that Markdown has no sign for', () => {
    const KNOWN = /^\/?(?:p|br|strong|em|a|ul|ol|li|code|pre|blockquote|hr|s|table|thead|tbody|tr|th|td)$/;
    const part = fc.oneof(
      fc.constantFrom('<', '>', '"', '[', ']', '(', ')', '`', '*', '\n', '#', '!', '&', 'javascript:', 'https://x'),
      fc.string(),
    );
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 30 }).map((parts) => parts.join('')),
        (source) => {
          for (const [, tag] of textOf(source).matchAll(/<([^\s>]+)/g)) expect(tag).to.match(KNOWN);
        },
      ),
    );
  });

  it('has no links to other sites in a mail, but shows their addresses', () => {
    const mailOf = (source: string) => renderWithoutLinks(source).text;
    expect(mailOf('[here](https://acme.example/a?b=c&d=e)')).to.equal(
      '<p>here (https://acme.example/a?b=c&amp;d=e)</p>\n',
    );
    expect(mailOf('<https://acme.example/>')).to.equal('<p>https://acme.example/</p>\n');
    expect(mailOf('[**a** b][1]\n\n[1]: https://acme.example/')).to.equal(
      '<p><strong>a</strong> b (https://acme.example/)</p>\n',
    );
    fc.assert(fc.property(fc.string(), (source) => !mailOf(`[${source}](https://x.example)`).includes('<a')));
  });

  it('shows a title that only looks like Markdown as it is, and so does the text of a mail', () => {
    const title = 'Shop_EU *is* [down](https://x.example) `now` <b> #1 | ~~2~~ \\';
    expect(renderMarkdown(escapeMarkdown(title)).text).not.to.match(/<(?!\/?p>)/);
    fc.assert(fc.property(fc.string(), (text) => unescapeMarkdown(escapeMarkdown(text)) === text));
  });

  it('is bounded in what it becomes, whatever the text, and is rendered once', () => {
    const rows = (head: number) => `|${'a|'.repeat(head)}\n|${'-|'.repeat(head)}\n${'|\n'.repeat(10_000)}`;
    const made: Readonly<Record<string, string>> = {
      'a wide table with short rows': rows(60),
      'a wider table': rows(1_500),
      'many small tables': `${rows(8).slice(0, 60)}\n\n`.repeat(300),
      'one long address with many references': `[a]: https://x.example/${'y'.repeat(9_000)}\n\n${'[a] '.repeat(2_400)}`,
      'nested quotes': `${'> '.repeat(20)}a\n\n`.repeat(400),
      'addresses of mail': '<a@b.c>'.repeat(2_800),
      'open brackets': '['.repeat(20_000),
      'quotation marks': '"'.repeat(20_000),
    };
    for (const [name, text] of Object.entries(made)) {
      const source = text.slice(0, 20_000);
      for (const render of [renderMarkdown, renderWithoutLinks]) {
        const html = render(source);
        expect(html.text.length, name).to.be.at.most(250_000);
        // It is not made in vain: what would become too long is bounded before.
        expect(html.text.startsWith('<pre>'), name).to.equal(false);
        expect(render(source), name).to.equal(html);
      }
    }
  });

  it('has tables of a size that people write', () => {
    const table = `| Region | State |\n| --- | --- |\n${'| Dublin | up |\n'.repeat(50)}`;
    expect(textOf(table).match(/<td>/g)).to.have.length(100);
  });
});
