import { expect } from 'chai';
import fc from 'fast-check';
import { DecodedBody } from '@watchpost/agent/probes/decode-body';
import { AnswerParser } from '@watchpost/agent/probes/answer-parser';
import { headerEvidence } from '@watchpost/agent/probes/http-evidence';
import { expectDown, run, testProbes } from '../../integration/probes/probe-check.js';
import { startedForSuite } from '../../support/suite.js';
import { raw } from '../../support/target-behaviours.js';
import { startTarget } from '../../support/target-server.js';

const HEAD_BYTES = 64 * 1_024;
const START = 'HTTP/1.1 200 OK\r\n';
/** Parts of a head that are expensive for some parsers when they are repeated. */
const PARTS = [
  ' b\r\n',
  ' \n',
  '\tb\n',
  'x:y\n',
  'set-cookie:a\n',
  'transfer-encoding:,\n',
  'content-length:1\n',
  'location:/\n',
  'content-type:;charset\n',
  'no colon\n',
  ', ',
  '; ',
  ' ',
  ':',
  '\0',
  'a',
];
/** So often is each head read: one that is read in quadratic time takes a second, and all of them longer than a test may. */
const READS = 2;

function readHead(bytes: Buffer): void {
  const parser = new AnswerParser('GET', { onHead: (head) => void headerEvidence(head), onBody: () => {} });
  if (parser.push(bytes) === null) parser.end();
}

const filled = (part: string, bytes = HEAD_BYTES - 200) => part.repeat(Math.floor(bytes / part.length));

describe('attack 15: an answer that is expensive to parse', () => {
  const target = startedForSuite(() => startTarget({ behaviour: raw('') }));

  it('costs linear time, with any head', () => {
    const head = fc
      .tuple(
        fc.constantFrom(...PARTS),
        fc.constantFrom(...PARTS),
        fc.constantFrom('', 'X: a\r\n', 'transfer-encoding:'),
      )
      .map(([one, other, first]) => Buffer.from(`${START}${first}${filled(one + other)}\r\n\r\n`));
    fc.assert(
      fc.property(head, (bytes) => {
        for (let read = 0; read < READS; read++) readHead(bytes);
      }),
      { numRuns: 200 },
    );
  });

  it('costs linear time when the expected text almost matches everywhere', () => {
    // So long that a search which is not linear would take many minutes.
    const body = new DecodedBody(Buffer.alloc(16 * 1_024 * 1_024, 'a'), 'text/html');
    const half = 'a'.repeat(50_000);
    for (const wanted of [`b${half}`, `${half}b`, `${half}b${half}`])
      expect(body.contains(wanted), wanted.slice(0, 2)).to.equal(false);
    expect(body.contains(half)).to.equal(true);
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 120 }),
        fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 60 }),
        (text, wanted) => {
          const decoded = new DecodedBody(Buffer.from(text), undefined);
          expect(decoded.contains(wanted)).to.equal(decoded.text.includes(wanted));
        },
      ),
    );
  });

  it('costs linear time when a page is searched for its charset', () => {
    for (const part of [
      '<',
      '<!--',
      '<a b="',
      `<meta a='`,
      '<meta charset=x ',
      '<script>',
      '</',
      ' /',
      '<?',
      '<title',
      'a=',
    ]) {
      // A search that is not linear would take many minutes.
      const body = Buffer.from(`\xff${part}`.repeat((1_024 * 1_024) / (part.length + 1)), 'latin1');
      expect(new DecodedBody(body, 'text/html').bytes).to.equal(body);
    }
  });

  it('with 1.3 MB of interim and folded headers is read only up to 64 KiB', async () => {
    const interim = `HTTP/1.1 103 Early Hints\r\nX: a\r\n${filled(' b\r\n', HEAD_BYTES)}\r\n`;
    target.behave(raw(`${interim.repeat(20)}${START}\r\n`));
    const report = await run(testProbes(), target.url);
    expectDown(report, 'firstByte', 'protocol_error', /The headers of the answer from \S+ are larger than 64 KiB\./);
  });

  it('in chunks of one byte is kept completely, in a few buffers', async () => {
    const text = 'chunked a byte at a time, '.repeat(2_000);
    const chunks = text
      .split('')
      .map((one) => `1\r\n${one}\r\n`)
      .join('');
    target.behave(raw(`${START}Transfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`));
    const found = await run(testProbes(), target.url, { keyword: { text: text.slice(-200), mode: 'present' } });
    expect(found.outcome.kind).to.equal('up');
    const missing = await run(testProbes(), target.url, { keyword: { text: 'not there', mode: 'present' } });
    expect(missing.evidence?.bodyStart).to.equal(text.slice(0, 2_048));
  });
});
