import { expect } from 'chai';
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { escapingOfBody, fill } from './fill.js';
import { endOfOrigin, placeholdersOf } from './placeholders.js';

const filledWith = (value: string) => new Map([['x', value]]);
const anyText = fc.string({ unit: 'binary', maxLength: 50 });

describe('a placeholder', () => {
  it('is a name in double braces, with blanks inside; what looks otherwise is text', () => {
    const text = '{{a}} {{ b_2 }}{{#if}} {{ a.b }} {{1}} {x} {{}} {{ a\n}} {{{c}}}';
    expect(placeholdersOf(text).map(({ name, at, end }) => [name, text.slice(at, end)])).to.deep.equal([
      ['a', '{{a}}'],
      ['b_2', '{{ b_2 }}'],
      ['c', '{{c}}'],
    ]);
    expect(placeholdersOf(`{{${'a'.repeat(40)}}}{{${'b'.repeat(41)}}}`)).to.have.length(1);
  });

  it('stays without a value', () => {
    expect(fill('{{x}}-{{y}}-{{x}}', filledWith('1'), 'none')).to.equal('1-{{y}}-1');
  });

  it('is filled once: what a value contains is no placeholder', () => {
    const values = new Map([
      ['x', '{{y}}'],
      ['y', '{{x}}'],
    ]);
    expect(fill('{{x}}{{y}}', values, 'none')).to.equal('{{y}}{{x}}');
  });

  it('takes linear time, whatever the text', () => {
    // So long that a search which is not linear would take many minutes.
    const text = '{{'.repeat(200_000) + ' '.repeat(200_000) + '"'.repeat(200_000);
    expect(fill(`{{x}}${text}{{x}}`, filledWith('1'), 'json')).to.have.length(text.length + 2);
  });
});

describe('a value', () => {
  it('is percent-encoded in a URL, so that it changes neither path nor query', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (value) => {
        const { searchParams, hash, origin } = new URL(
          fill('https://shop.test/a?q={{x}}#{{ x }}', filledWith(value), 'percent'),
        );
        expect([...searchParams]).to.deep.equal([['q', value]]);
        expect(decodeURIComponent(hash.slice(1))).to.equal(value);
        expect(origin).to.equal('https://shop.test');
      }),
    );
    expect(fill('{{x}}', filledWith('a\ud800'), 'percent')).to.equal('a%EF%BF%BD');
  });

  it('is escaped in a string of JSON, and is as it is outside of one', () => {
    fc.assert(
      fc.property(anyText, fc.string(), (value, other) => {
        const template = `{"a \\"": "${JSON.stringify(other).slice(1, -1).replaceAll('{', '_')}{{x}}", "b": {{n}}, "c":"\\\\{{x}}"}`;
        const values = new Map([
          ['x', value],
          ['n', '[1, 2]'],
        ]);
        expect(JSON.parse(fill(template, values, 'json'))).to.deep.equal({
          'a "': other.replaceAll('{', '_') + value,
          b: [1, 2],
          c: `\\${value}`,
        });
      }),
    );
  });

  it('matches itself in a pattern', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        const pattern = fill('^<{{x}}>$', filledWith(value), 'pattern');
        expect(RE2JS.compile(pattern).test(`<${value}>`)).to.equal(true);
      }),
    );
    expect(RE2JS.compile(fill('^{{x}}$', filledWith('a.c'), 'pattern')).test('abc')).to.equal(false);
  });
});

describe('a body', () => {
  it('is JSON by its Content-Type, or by its beginning where it has none', () => {
    expect(escapingOfBody('x', 'application/problem+JSON; charset=utf-8')).to.equal('json');
    expect(escapingOfBody(' {"a":1}', undefined)).to.equal('json');
    expect(escapingOfBody('[1]', 'text/plain')).to.equal('none');
    expect(escapingOfBody('a=1', 'application/x-www-form-urlencoded;charset=utf-8')).to.equal('percent');
    expect(escapingOfBody('<a/>', undefined)).to.equal('none');
  });
});

describe('the origin of a URL', () => {
  it('ends before path, query and fragment', () => {
    for (const [origin, rest] of [
      ['https://shop.test:8443', '/{{x}}'],
      ['https://shop.test', '?a={{x}}'],
      ['https://shop.test', '#{{x}}'],
      ['https://shop.test', '\\{{x}}'],
      ['https://{{x}}', ''],
      ['{{x}}://shop.test', '/'],
      ['{{x}}', '/'],
    ] as const)
      expect(endOfOrigin(origin + rest), origin + rest).to.equal(origin.length);
  });
});
