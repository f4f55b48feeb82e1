import { expect } from 'chai';
import type { Extraction } from '@watchpost/shared/checks/http';
import { AnswerValues, UnreadBody } from '../answer-values.js';
import { extractValues } from './extract-values.js';

const MIB = 1024 * 1024;
const BODY = '{"id":9007199254740993,"f":1.5,"s":"a\\"b","list":[1,{"n":12345678901234567890}],"none":null,"is":true}';
const answerOf = (text: string) =>
  new AnswerValues({
    head: { statusCode: 200, headers: ['x-id', '7', 'x-id', '8'] },
    body: { size: text.length, text },
    nowMs: 0,
    status: 201,
    responseTime: 1,
    tlsVersion: null,
    httpVersion: '1.1',
    certificateDays: null,
    redirectCount: 0,
    finalUrl: 'https://shop.test/',
    address: null,
  });
/** The value of an extraction, or the reason why there is none. */
const extracted = (from: Extraction['from'], expression: string, answer = answerOf(BODY)) => {
  const [one] = extractValues([{ name: 'x', from, expression, secret: false }], answer, [
    { name: 'sid', value: 's-1' },
  ]);
  return 'value' in one! ? one.value : one!.why;
};

describe('an extraction', () => {
  it('gives a text of JSON as it is, an integer with its digits, and anything else as JSON', () => {
    const values = ['$.s', '$.id', '$.f', '$.list', '$.none', '$.is', '$.list[*]'].map((query) =>
      extracted('json', query),
    );
    expect(values).to.deep.equal([
      'a"b',
      '9007199254740993',
      '1.5',
      '[1,{"n":12345678901234567890}]',
      'null',
      'true',
      '1',
    ]);
  });

  it('gives numbers as they are written, wherever they are', () => {
    const text =
      ' {"a\\u0062" : [ 0, 1.10 ] , "e":1E2,"ab": {"n" : -0.0, "s":" 1.0 ", "list":[ 9007199254740993.50 ,[],{ } ]}, "big":1e400}';
    const values = ['$.ab.n', '$.ab', '$.e', '$.big', "$['ab'].list[2]", '$..list[0]', '$.ab.s'].map((query) =>
      extracted('json', query, answerOf(text)),
    );
    expect(values).to.deep.equal([
      '-0.0',
      '{"n":-0.0,"s":" 1.0 ","list":[9007199254740993.50,[],{}]}',
      '1E2',
      '1e400',
      '{}',
      '9007199254740993.50',
      ' 1.0 ',
    ]);
  });

  it('gives the first line of a header, a cookie, the status, and the first group of a pattern or all that matches', () => {
    expect(extracted('header', 'X-Id')).to.equal('7');
    expect(extracted('cookie', 'sid')).to.equal('s-1');
    expect(extracted('status', '')).to.equal('201');
    expect(extracted('regex', '"f":([0-9.]+),"(s)"')).to.equal('1.5');
    expect(extracted('regex', '"f":[0-9.]+')).to.equal('"f":1.5');
    expect(extracted('regex', '"f"|("x")'), 'a group that does not take part').to.equal('the pattern has no match');
  });

  it('has a reason where there is no value', () => {
    const unread = answerOf('');
    Object.assign(unread.answer, { body: new UnreadBody('the body is longer than 1 MiB') });
    expect([
      extracted('json', '$.x'),
      extracted('json', '$.x', answerOf('<html>')),
      extracted('json', '$.x', unread),
      extracted('header', 'X-Other'),
      extracted('cookie', 'SID'),
      extracted('json', '$', answerOf(`"${'x'.repeat(4_097)}"`)),
      extracted('regex', '('),
    ]).to.deep.equal([
      'the query has no match',
      'the body is no JSON',
      'the body is longer than 1 MiB',
      'the answer has no such header',
      'there is no such cookie',
      'it has more than 4096 characters',
      'it is no pattern of RE2: missing closing )',
    ]);
  });

  it('finds what a long page has by a pattern with a beginning of its own', () => {
    const page = `${'<p>Hello</p>\n'.repeat(70_000)}<input name="csrf" value="t-1">${'<p>Bye</p>'.repeat(1_000)}`;
    expect(extracted('regex', 'name="csrf" value="([^"]+)"', answerOf(page))).to.equal('t-1');
  });

  it('costs a bounded amount of work, whatever the answer and the expression', () => {
    const tooMuch = 'the answer is too large for the queries and patterns of this check';
    const none = 'the pattern has no match';
    const hostile: [Extraction['from'], string, string, string][] = [
      ['regex', '(a+)+$', `${'a'.repeat(MIB - 1)}!`, none],
      ['regex', '(a+)+$', 'a'.repeat(MIB), tooMuch],
      ['regex', '(?:(x?){20}){20}y|(z)', 'x'.repeat(MIB), none],
      ['regex', '.*(.*).*(.*)b', 'a'.repeat(MIB), none],
      ['regex', '[\\s\\S]*<(\\w+)>', `${'<'.repeat(MIB - 3)}a>`, tooMuch],
      ['json', '$..*', '['.repeat(MIB), tooMuch],
      ['json', '$..a', `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`, tooMuch],
      ['json', '$', '9'.repeat(MIB), 'it has more than 4096 characters'],
      ['json', '$', `[${'12345678901234567890,'.repeat(50_000)}1]`, tooMuch],
    ];
    for (const [from, expression, body, why] of hostile)
      expect(extracted(from, expression, answerOf(body)), expression).to.equal(why);
  });
});
