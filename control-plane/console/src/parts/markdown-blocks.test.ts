import { expect } from 'chai';
import fc from 'fast-check';
import { type Block, type Inline, parseMarkdown } from './markdown-blocks.js';

const inlinesOf = (block: Block): Inline[] =>
  block.kind === 'code' ? [] : block.kind === 'list' ? block.items.flat() : block.lines.flat();
const allOf = (inlines: readonly Inline[]): Inline[] =>
  inlines.flatMap((one) => (typeof one === 'string' ? [one] : [one, ...allOf(one.content)]));

describe('Markdown', () => {
  it('is read as blocks', () => {
    expect(
      parseMarkdown('# Cause\nDisk full\non **db-1**\n\n- freed\n- grown\n1. later\n> quoted\n```\na *b*\n```'),
    ).to.deep.equal([
      { kind: 'heading', lines: [['Cause']] },
      { kind: 'paragraph', lines: [['Disk full'], ['on ', { kind: 'strong', content: ['db-1'] }]] },
      { kind: 'list', isOrdered: false, items: [['freed'], ['grown']] },
      { kind: 'list', isOrdered: true, items: [['later']] },
      { kind: 'quote', lines: [['quoted']] },
      { kind: 'code', text: 'a *b*' },
    ]);
  });

  it('has links to http and https only, and HTML is text', () => {
    const text = '[a](javascript:alert(1)) [b](https://b.example/x) <b>c</b> see https://d.example.';
    expect(parseMarkdown(text)).to.deep.equal([
      {
        kind: 'paragraph',
        lines: [
          [
            '[a](javascript:alert(1)) ',
            { kind: 'link', href: 'https://b.example/x', content: ['b'] },
            ' <b>c</b> see ',
            { kind: 'link', href: 'https://d.example', content: ['https://d.example'] },
            '.',
          ],
        ],
      },
    ]);
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('[', ']', '(', ')', 'a', ':', '/', '*', '`', ' ', '\n', 'https://') }),
        (any) => {
          for (const one of parseMarkdown(any).flatMap((block) => allOf(inlinesOf(block))))
            if (typeof one !== 'string' && one.kind === 'link') expect(one.href).to.match(/^https?:\/\//);
        },
      ),
    );
  });

  it('is read in time proportional to a note, whatever is in it', () => {
    // So long that reading which is not linear would take many minutes.
    for (const unit of ['*', '**', '[', '`', '**a', '[a](', 'https://', '```\n', '```a\n'])
      parseMarkdown(unit.repeat(500_000));
  });
});
