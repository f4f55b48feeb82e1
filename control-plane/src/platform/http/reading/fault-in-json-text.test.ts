import { expect } from 'chai';
import fc from 'fast-check';
import { excessInJsonText, faultInJsonText } from './fault-in-json-text.js';
import { unstorableText } from './unstorable-text.js';

describe('what is wrong with JSON that parses', () => {
  it('is nothing where each key comes once and nothing is deep', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), fc.constantFrom(undefined, 2), (value, indent) => {
        expect(faultInJsonText(JSON.stringify(value, null, indent))).to.equal(undefined);
      }),
    );
  });

  it('is a key that comes twice, however it is spelled, wherever it is', () => {
    fc.assert(
      fc.property(fc.string(), fc.jsonValue({ maxDepth: 3 }), (key, value) => {
        const name = JSON.stringify(key);
        const escaped = `"${Array.from({ length: key.length }, (_, index) => `\\u${key.charCodeAt(index).toString(16).padStart(4, '0')}`).join('')}"`;
        const text = JSON.stringify(value);
        expect(faultInJsonText(`[{"outer":{${name}:${text}, ${escaped} : 1}}]`)).to.match(/twice/);
        expect(faultInJsonText(`[{${name}:1},{${name}:{${name}:[${name},${name}]}}]`)).to.equal(undefined);
      }),
    );
  });

  it('is text that no database takes, named by its place', () => {
    const paths = unstorableText(
      JSON.parse('{"a":["x","\\u0000"],"b":{"c":"\\ud800","__proto__":1},"fine":"\\ud83d\\ude00"}'),
    ).map(({ path }) => path);
    expect(paths).to.deep.equal(['a.1', 'b.c', 'b.__proto__']);
  });
});

describe('what is too much in a JSON text', () => {
  it('is nesting beyond 64 levels', () => {
    expect(excessInJsonText('['.repeat(64) + ']'.repeat(64))).to.equal(undefined);
    expect(excessInJsonText('['.repeat(65) + ']'.repeat(65))).to.match(/deep/);
  });

  it('is a list or an object of more than 10,000 entries, and a text of more than 100,000 values', () => {
    const listOf = (count: number, value: string) => `[${Array.from({ length: count }, () => value).join(',')}]`;
    const keys = (count: number) => `{${Array.from({ length: count }, (_, at) => `"${at}":","`).join(',')}}`;
    for (const most of [listOf(10_000, '1'), keys(10_000), listOf(10, listOf(9_000, '"[,{"'))])
      expect(excessInJsonText(most)).to.equal(undefined);
    for (const more of [listOf(10_001, '1'), keys(10_001)]) expect(excessInJsonText(more)).to.match(/10000 entries/);
    expect(excessInJsonText(listOf(11, listOf(9_999, '[]')))).to.match(/100000 values/);
  });

  it('is found in what is no JSON, too', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('"', '\\', '[', ']', '{', '}', ',', 'a') }),
        (text) => void excessInJsonText(text),
      ),
    );
  });
});
