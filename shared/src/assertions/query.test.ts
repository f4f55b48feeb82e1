import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { parseExactJson, type ExactJson } from './exact-json.js';
import { Query } from './query.js';
import { SyntaxFault } from './syntax-fault.js';
import { TooMuchWork, Work } from './work.js';

interface Case {
  name: string;
  selector: string;
  document?: unknown;
  result?: unknown;
  results?: unknown[];
  invalid_selector?: true;
}

const found = (query: string, json: string): ExactJson[] => {
  const work = new Work();
  return Query.of(query)
    .find(parseExactJson(json, work), work)
    .map(({ value }) => value);
};

describe('a JSONPath query', () => {
  // The public suite of RFC 9535, as published at github.com/jsonpath-standard/jsonpath-compliance-test-suite.
  it('passes the whole compliance suite', async () => {
    const suite = new URL('../../../test/support/jsonpath-compliance/cts.json', import.meta.url);
    const { tests } = JSON.parse(await readFile(suite, 'utf8')) as { tests: Case[] };
    expect(tests.length).to.be.above(700);
    for (const { name, selector, document, result, results, invalid_selector: isInvalid } of tests) {
      if (isInvalid)
        expect(() => Query.of(selector), name)
          .to.throw(SyntaxFault)
          .with.property('column')
          .above(0);
      else expect(found(selector, JSON.stringify(document)), name).to.be.deep.oneOf(results ?? [result]);
    }
  });

  it('that is wrong is refused with its column, which counts from 1', () => {
    const column = (query: string) => {
      try {
        return Query.of(query) && 0;
      } catch (error) {
        return (error as SyntaxFault).column;
      }
    };
    expect(['items', '$.a b', '$.items[?', '$[?match(@.a)]', '$.items'].map(column)).to.deep.equal([1, 5, 10, 4, 0]);
  });

  it('is never script', () => {
    for (const script of [
      '$[(@.length-1)]',
      '$[?(process.exit(1))]',
      '$[?(@.a.constructor())]',
      '$[?(() => 1)()]',
      '$..[?(`x`)]',
    ])
      expect(() => Query.of(script), script).to.throw(SyntaxFault);
    expect(found("$['constructor','__proto__'].name", '{"a":1}')).to.deep.equal([]);
  });

  it('compares numbers exactly, and never visits the inside of one', () => {
    const json =
      '[{"id":9007199254740993},{"id":9007199254740992},{"id":9007199254740991},{"id":0.12345678901234567890}]';
    const ids = (query: string) => found(query, json).map(String);
    expect(ids('$[?@.id == 9007199254740993].id')).to.deep.equal(['9007199254740993']);
    expect(ids('$[?@.id < 9007199254740993 && @.id > 1].id')).to.deep.equal(['9007199254740992', '9007199254740991']);
    expect(ids('$[?@.id == 0.1234567890123456789].id')).to.deep.equal(['0.12345678901234567890']);
    expect(ids('$[?@.id < 0.12345678901234567891 && @.id > 0.12].id')).to.deep.equal(['0.12345678901234567890']);
    expect(ids('$[?@.id == 0.12345678901234568].id')).to.deep.equal([]);
    expect(ids('$[*].id.*')).to.deep.equal([]);
    expect(ids('$[?length(@.id) == 0]')).to.deep.equal([]);
  });

  it('ends once it has caused the work that one check may, however large the document is', () => {
    const wide = `[${'0,'.repeat(500_000)}0]`;
    for (const query of ['$..*', '$[*]', '$[?@==1]', '$[?$[?@==1]]', '$[?$==$]'])
      expect(() => found(query, wide), query).to.throw(TooMuchWork);
    const rows = JSON.stringify(Array.from({ length: 10_000 }, (_, index) => ({ index })));
    expect(found('$..index', rows)).to.have.length(10_000);
    expect(found("$[?search(@.index, '(a+)+$')]", rows)).to.deep.equal([]);
    const deep = `${'['.repeat(500)}${']'.repeat(500)}`;
    expect(() => found('$..*', deep)).to.throw(TooMuchWork);
  });
});
