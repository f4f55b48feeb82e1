import { expect } from 'chai';
import fc from 'fast-check';
import { assertionSchema, type Assertion } from '@watchpost/shared/assertions/assertion';
import { AnswerValues, UnreadBody, type AssertedAnswer } from './answer-values.js';
import { decideAssertions, evaluateAssertions } from './decide-assertions.js';

const NOW_MS = Date.UTC(2026, 10, 28, 12);
const BODY =
  '{"ok":true,"id":9007199254740993,"n":"1","items":[{"price":5},{"price":12}],"tags":["a","b"],"at":"2026-11-28T11:30:00Z"}';
const ANSWER: AssertedAnswer = {
  head: {
    statusCode: 200,
    headers: [
      'content-type',
      'text/plain',
      'cache-control',
      'no-cache',
      'cache-control',
      'private',
      'set-cookie',
      'sid=1',
    ],
  },
  body: { size: 140, text: BODY },
  nowMs: NOW_MS,
  status: 200,
  responseTime: 812.345,
  tlsVersion: '1.3',
  httpVersion: '1.1',
  certificateDays: 41,
  redirectCount: 0,
  finalUrl: 'https://shop.example/',
  address: '203.0.113.7:443',
};
type Given = Omit<Assertion, 'severity'> & { severity?: Assertion['severity'] };
const evaluate = (given: readonly Given[], change: Partial<AssertedAnswer> = {}) =>
  evaluateAssertions(
    given.map((one) => assertionSchema.parse(one)),
    new AnswerValues({ ...ANSWER, ...change }),
    (text) => text.replaceAll('geheim', '***'),
  );
const json = (property: string, comparison: Assertion['comparison'], target?: Assertion['target']): Given => ({
  source: 'json',
  property,
  comparison,
  ...(target === undefined ? {} : { target }),
});
const passed = (...given: Given[]) => evaluate(given).map((result) => result.passed);
const sentence = (given: Given, change: Partial<AssertedAnswer> = {}) => evaluate([given], change)[0]!.message;

describe('an assertion', () => {
  it('compares each source with its value', () => {
    expect(
      passed(
        { source: 'status', comparison: 'in', target: [200, 204] },
        { source: 'header', property: 'Content-Type', comparison: 'contains', target: 'plain' },
        { source: 'body', comparison: 'matches', target: '"ok": ?true' },
        { source: 'responseTime', comparison: 'lessThan', target: 900 },
        { source: 'bodySize', comparison: 'equals', target: 140 },
        { source: 'tlsVersion', comparison: 'equals', target: '1.3' },
        { source: 'httpVersion', comparison: 'notEquals', target: '2' },
        { source: 'certificateDays', comparison: 'greaterThan', target: 14 },
        { source: 'redirectCount', comparison: 'equals', target: 0 },
        { source: 'finalUrl', comparison: 'matches', target: '^https://' },
        { source: 'address', comparison: 'contains', target: '203.0.113.' },
      ),
    ).to.deep.equal(Array.from({ length: 11 }, () => true));
  });

  it('passes and fails by each comparison', () => {
    for (const [property, comparison, right, wrong] of [
      ['$.n', 'equals', '1', '2'],
      ['$.n', 'notEquals', '2', '1'],
      ['$.tags[0]', 'contains', 'a', 'b'],
      ['$.tags[0]', 'notContains', 'b', 'a'],
      ['$.n', 'matches', '^1$', '^2'],
      ['$.n', 'notMatches', '^2', '^1$'],
      ['$.items[0].price', 'lessThan', 6, 5],
      ['$.items[0].price', 'greaterThan', 4, 5],
      ['$.n', 'in', ['0', '1'], ['0', '2']],
      ['$.tags', 'countEquals', 2, 1],
      ['$.tags', 'countLessThan', 3, 2],
      ['$.tags', 'countGreaterThan', 1, 2],
      ['$.at', 'olderThan', 'PT29M', 'PT31M'],
      ['$.at', 'newerThan', 'PT31M', 'PT29M'],
    ] as const)
      expect(
        passed(...[right, wrong].map((target) => json(property, comparison, target as Assertion['target']))),
        comparison,
      ).to.deep.equal([true, false]);
    expect(passed(json('$.n', 'exists'), json('$.n', 'notExists'))).to.deep.equal([true, false]);
  });

  it('has strict types and exact integers', () => {
    expect(passed(json('$.n', 'equals', 1), json('$.n', 'equals', '1'))).to.deep.equal([false, true]);
    expect(passed(json('$.ok', 'equals', true), json('$.ok', 'equals', 'true'))).to.deep.equal([true, false]);
    expect(
      passed(
        json('$.id', 'equals', 9_007_199_254_740_992),
        json('$.id', 'equals', { number: '9007199254740993' }),
        json('$.id', 'greaterThan', { number: '9007199254740992' }),
        json('$.n', 'lessThan', 5),
      ),
    ).to.deep.equal([false, true, true, false]);
  });

  it('about several matches, or lines of a header, is one about each of them', () => {
    expect(passed(json('$.items[*].price', 'lessThan', 20), json('$.items[*].price', 'lessThan', 10))).to.deep.equal([
      true,
      false,
    ]);
    expect(sentence(json('$.items[*].price', 'lessThan', 10))).to.equal(
      'JSON $.items[*].price (2 of 2) is 12 instead of less than 10.',
    );
    const line = { source: 'header', property: 'cache-control', comparison: 'contains' } as const;
    expect(sentence({ ...line, target: 'private' })).to.equal(
      'Header cache-control (1 of 2) is "no-cache" instead of containing "private".',
    );
    expect(passed({ ...line, target: 'a' })).to.deep.equal([true]);
  });

  it('without a match satisfies notExists and a count of 0, and nothing else', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<Given>(
          ...(['equals', 'notEquals', 'contains', 'notContains'] as const).map((one) => json('$.no', one, 'x')),
          ...(['matches', 'notMatches'] as const).map((one) => json('$.no', one, '.*')),
          ...(['lessThan', 'greaterThan', 'countGreaterThan'] as const).map((one) => json('$.no', one, 0)),
          ...(['olderThan', 'newerThan'] as const).map((one) => json('$.no', one, 'PT1H')),
          json('$.no', 'in', ['x']),
          json('$.no', 'exists'),
          json('$.no', 'countEquals', 1),
        ),
        (given) => {
          expect(passed(given)).to.deep.equal([false]);
        },
      ),
    );
    expect(
      passed(json('$.no', 'notExists'), json('$.no', 'countEquals', 0), json('$.no', 'countLessThan', 1)),
    ).to.deep.equal([true, true, true]);
    expect(sentence(json('$.no', 'exists'))).to.equal('JSON $.no is without a match instead of being there.');
    expect(sentence({ source: 'header', property: 'X-Id', comparison: 'exists' })).to.equal(
      'Header x-id is missing instead of being there.',
    );
  });

  it('counts the items of the one list, otherwise the matches', () => {
    expect(
      passed(
        json('$.items', 'countEquals', 2),
        json('$.items[*]', 'countEquals', 2),
        json('$.ok', 'countEquals', 1),
        json('$.tags', 'contains', 'b'),
      ),
    ).to.deep.equal([true, true, true, true]);
    expect(sentence(json('$.items', 'countGreaterThan', 2))).to.equal(
      'JSON $.items has 2 items instead of more than 2 items.',
    );
  });

  it('about an age takes ISO 8601, seconds, milliseconds and the dates of headers', () => {
    const at = (value: unknown) => ({ body: { size: 1, text: JSON.stringify({ at: value }) } });
    const seconds = NOW_MS / 1_000 - 1_800;
    for (const value of [
      '2026-11-28T11:30:00Z',
      '2026-11-28T12:30:00+01:00',
      '2026-11-28T11:30:00',
      seconds,
      seconds * 1_000,
    ]) {
      expect(sentence(json('$.at', 'newerThan', 'PT1H'), at(value)), String(value)).to.equal(null);
      expect(sentence(json('$.at', 'olderThan', 'PT10M'), at(value)), String(value)).to.equal(null);
    }
    const head = { statusCode: 200, headers: ['last-modified', 'Sat, 28 Nov 2026 11:30:00 GMT'] };
    const header = { source: 'header', property: 'Last-Modified', comparison: 'olderThan', target: 'PT1H' } as const;
    expect(sentence(header, { head })).to.equal(
      'Header last-modified is "Sat, 28 Nov 2026 11:30:00 GMT" instead of a time older than 1 hour.',
    );
    for (const value of ['soon', '1732790000', null, true])
      expect(sentence(json('$.at', 'newerThan', 'PT1H'), at(value)), String(value)).to.be.a('string');
  });

  it('compares numbers as they are written, however large or precise they are', () => {
    const numbers = `"large":1e30,"huge":1e309,"small":-1e-999999999,"price":0.12345678901234567890,"longer":${'9'.repeat(1_001)}`;
    const text = `{${numbers},"zero":0.0000000000000000}`;
    const results = (...given: Given[]) => evaluate(given, { body: { size: 1, text } }).map((result) => result.passed);
    const integer = `1${'0'.repeat(30)}`;
    expect(
      results(
        json('$.large', 'equals', { number: integer }),
        json('$.large', 'greaterThan', { number: `${integer.slice(0, -1)}1` }),
        json('$.large', 'lessThan', { number: `${integer.slice(0, -1)}1` }),
        json('$.large', 'equals', 1e30),
        json('$.huge', 'greaterThan', 1e308),
        json('$.huge', 'lessThan', { number: '1e999999999' }),
        json('$.small', 'lessThan', 0),
        json('$.small', 'equals', 0),
        json('$.zero', 'equals', 0),
        json('$.price', 'equals', { number: '0.1234567890123456789' }),
        json('$.price', 'in', [1, { number: '0.12345678901234567891' }]),
        json('$.price', 'greaterThan', { number: '0.12345678901234567889' }),
        json('$.price', 'equals', 0.123_456_789_012_345_68),
        json('$.price', 'equals', '0.12345678901234567890'),
        json('$.large', 'newerThan', 'PT1H'),
      ),
    ).to.deep.equal([true, false, true, true, true, true, true, false, true, true, false, true, false, false, true]);
    const [shown] = evaluate([json('$.price', 'equals', 1)], { body: { size: 1, text } });
    expect(shown!.actual, 'as it is written').to.equal('0.12345678901234567890');
    const compared = [
      json('$.longer', 'greaterThan', 0),
      json('$.longer', 'notEquals', 1),
      json('$[?@.x == 1 || @ == $.longer]', 'exists'),
    ];
    for (const one of compared)
      expect(sentence(one, { body: { size: 1, text } }), JSON.stringify(one)).to.match(
        /has a number that is too large to be compared\.$/,
      );
    expect(
      results(
        json('$.longer', 'exists'),
        json('$.longer', 'equals', '1'),
        json('$.longer', 'newerThan', 'PT1H'),
        json('$.huge', 'olderThan', 'PT1H'),
      ),
    ).to.deep.equal([true, false, false, false]);
  });

  it('that cannot be evaluated fails and reports why', () => {
    const cut = { body: new UnreadBody('the body is longer than 1 MiB') };
    for (const comparison of ['notExists', 'notEquals', 'countEquals'] as const)
      expect(sentence(json('$.x', comparison, 0), cut)).to.equal(
        'JSON $.x could not be compared: the body is longer than 1 MiB.',
      );
    expect(sentence({ source: 'body', comparison: 'notContains', target: 'x' }, cut)).to.be.a('string');
    expect(sentence(json('$.x', 'notExists'), { body: { size: 3, text: '<p>' } })).to.equal(
      'JSON $.x could not be compared: the body is no JSON.',
    );
    const wide = { body: { size: 1, text: `[${'0,'.repeat(500_000)}0]` } };
    expect(sentence(json('$..*', 'exists'), wide)).to.match(/could not be compared: the answer is too large/);
    expect(evaluate([{ source: 'tlsVersion', comparison: 'notExists' }], { tlsVersion: null })[0]!.passed).to.equal(
      true,
    );
  });

  it('shows at most 200 characters of what it found, without secrets', () => {
    const body = { size: 1, text: `geheim ${'ä'.repeat(5_000)}` };
    const [result] = evaluate([{ source: 'body', comparison: 'contains', target: 'ok' }], { body });
    expect(result!.actual)
      .to.have.length.at.most(200)
      .and.match(/^"\*\*\* ä+…"$/);
    expect(evaluate([{ source: 'header', property: 'Set-Cookie', comparison: 'exists' }])[0]!.actual).to.equal('***');
  });
});

describe('the assertions of a check', () => {
  const given: Given[] = [
    { source: 'responseTime', comparison: 'lessThan', target: 500, severity: 'degraded' },
    { source: 'header', property: 'Content-Type', comparison: 'contains', target: 'json' },
    { source: 'status', comparison: 'equals', target: 200 },
    { source: 'responseTime', comparison: 'lessThan', target: 700 },
    { source: 'body', comparison: 'contains', target: 'ok' },
  ];
  const decide = (some: readonly Given[]) => {
    const assertions = some.map((one) => assertionSchema.parse(one));
    return decideAssertions(assertions, evaluate(some));
  };

  it('fail with the first one of severity down that failed, in words', () => {
    const { fault, degraded, isSlowOnly } = decide(given);
    expect(fault!.toOutcome()).to.deep.equal({
      kind: 'down',
      phase: 'content',
      reason: 'assertion_failed',
      message: 'Header content-type is "text/plain" instead of containing "json" (3 of 5 assertions failed).',
    });
    expect({ degraded, isSlowOnly }).to.deep.equal({ degraded: null, isSlowOnly: false });
  });

  it('degrade the monitor if only those of severity degraded failed', () => {
    const { fault, degraded } = decide([given[0]!, given[2]!]);
    expect(fault).to.equal(null);
    expect(degraded!.toOutcome()).to.include({
      message: 'The response time is 812.3 instead of less than 500 (1 of 2 assertions failed).',
    });
    expect(decide([given[2]!])).to.deep.equal({ fault: null, degraded: null, isSlowOnly: false });
  });

  it('may be the fault of a busy agent if only the response time failed', () => {
    expect(decide([given[3]!, given[4]!]).isSlowOnly).to.equal(true);
    expect(decide([given[0]!, given[4]!]).isSlowOnly).to.equal(true);
    expect(decide([{ ...given[1]!, severity: 'degraded' }, given[0]!]).isSlowOnly).to.equal(false);
  });
});
