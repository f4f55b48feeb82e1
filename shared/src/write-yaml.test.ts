import { expect } from 'chai';
import fc from 'fast-check';
import { parse } from 'yaml';
import { writeYaml } from './write-yaml.js';

describe('writeYaml', () => {
  it('writes no character that a terminal obeys, and what reads back as the same value', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({
        unit: fc.constantFrom('a', ' ', ':', '\n', '\t', '\r', '\u001b', '\u009b', '\u202e', '\u2028', '"', '\\'),
      }),
    );
    fc.assert(
      fc.property(fc.dictionary(text, fc.oneof(text, fc.array(text))), (value) => {
        const yaml = writeYaml(value);
        expect(yaml).to.not.match(/[^\P{Cc}\n]|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
        expect(parse(yaml)).to.deep.equal({ ...value });
      }),
    );
  });

  it('keeps the blanks of a text that has nothing else', () => {
    for (const text of ['', ' ', ' \n', '  \n\n', '\n ']) expect(parse(writeYaml({ text }))).to.deep.equal({ text });
  });

  it('writes ordinary text as people do', () => {
    expect(writeYaml({ name: 'Käse', tags: ['a'] })).to.equal('name: Käse\ntags:\n  - a\n');
  });
});
