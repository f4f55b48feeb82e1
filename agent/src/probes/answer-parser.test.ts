import { mock } from 'node:test';
import { expect } from 'chai';
import fc from 'fast-check';
import { headerOf, type AnswerHead } from './answer-head.js';
import { AnswerParser, type AnswerFault } from './answer-parser.js';

interface Read {
  head: AnswerHead | null;
  body: string;
  done: boolean;
  fault: AnswerFault | null;
}

/** Feeds an answer in the given parts, then ends the connection. */
function read(parts: readonly (string | Buffer)[], method = 'GET'): Read {
  const result: Read = { head: null, body: '', done: false, fault: null };
  const parser = new AnswerParser(method, {
    onHead: (head) => {
      expect(result.head, 'one head').to.equal(null);
      result.head = head;
    },
    onBody: (chunk) => {
      expect(result.head, 'a body after its head').not.to.equal(null);
      result.body += chunk.toString('latin1');
    },
  });
  for (const part of parts) {
    result.fault = parser.push(typeof part === 'string' ? Buffer.from(part, 'latin1') : part);
    result.done = parser.isDone;
    if (result.fault) return result;
  }
  result.fault = parser.end();
  return result;
}

function cut(text: string, places: readonly number[]): string[] {
  const sorted = [0, ...places.map((place) => place % (text.length + 1)), text.length].sort((a, b) => a - b);
  return sorted.slice(1).map((place, index) => text.slice(sorted[index], place));
}

const token = fc
  .stringMatching(/^[a-zA-Z][a-zA-Z0-9-]{0,12}$/)
  .filter((name) => !/^(content-length|transfer-encoding)$/i.test(name));
const value = fc.stringMatching(/^[!-~]([ -~]{0,20}[!-~])?$/);
const headers = fc.array(fc.tuple(token, value), { maxLength: 8 });
const bodyText = fc.string({
  unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)),
  maxLength: 300,
});
const places = fc.array(fc.nat(2_000), { maxLength: 20 });
const newline = fc.constantFrom('\r\n', '\n');

describe('the response parser', () => {
  it('parses every well-formed response, however it is split', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 200, max: 999 }).filter((status) => status !== 204 && status !== 304),
        headers,
        bodyText,
        fc.constantFrom('length', 'chunked', 'close'),
        fc.array(fc.nat(300), { maxLength: 5 }),
        fc.nat(3),
        newline,
        places,
        (status, fields, body, framing, chunkPlaces, interim, eol, parts) => {
          const lines = fields.map(([name, text]) => `${name}: ${text}${eol}`).join('');
          const chunks = cut(body, chunkPlaces).filter((chunk) => chunk !== '');
          const framed = {
            length: [`Content-Length: ${body.length}${eol}`, body],
            chunked: [
              `Transfer-Encoding: chunked${eol}`,
              `${chunks.map((chunk) => `${chunk.length.toString(16)};x=y${eol}${chunk}${eol}`).join('')}0${eol}T: 1${eol}${eol}`,
            ],
            close: ['', body],
          }[framing];
          const wire = `${`HTTP/1.1 103 Early Hints${eol}Link: </a>${eol}${eol}`.repeat(interim)}HTTP/1.1 ${status} Any Thing${eol}${lines}${framed[0]}${eol}${framed[1]}`;
          const result = read(cut(wire, parts));
          expect(result.fault).to.equal(null);
          expect(result.head!.statusCode).to.equal(status);
          expect(result.body).to.equal(body);
          expect(result.done).to.equal(framing !== 'close');
          const sent = fields.flatMap(([name, text]) => [name.toLowerCase(), text.trim()]);
          expect(result.head!.headers.slice(0, sent.length)).to.deep.equal(sent);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('never throws and never invents content, whatever the bytes', () => {
    const hostile = fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
      fc
        .array(
          fc.constantFrom(
            'HTTP/1.1 200 OK',
            '\r\n',
            '\n',
            ' ',
            'Transfer-Encoding: chunked',
            'Content-Length: 5',
            'Content-Length: -1',
            '5',
            'ffffffffffffffff',
            '0',
            ';',
            ':',
            '\0',
            'abcde',
          ),
          { maxLength: 30 },
        )
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(hostile, places, fc.constantFrom('GET', 'HEAD'), (text, parts, method) => {
        const whole = read([text], method);
        expect(whole.body.length).to.be.at.most(text.length);
        const inParts = read(cut(text, parts), method);
        expect({ ...inParts, done: whole.done, fault: inParts.fault?.kind ?? null }).to.deep.equal({
          ...whole,
          fault: whole.fault?.kind ?? null,
        });
      }),
      { numRuns: 2_000 },
    );
  });

  it('finds no body where the protocol has none, whatever the headers state', () => {
    for (const [status, method] of [
      ['204 No Content', 'GET'],
      ['304 Not Modified', 'GET'],
      ['200 OK', 'HEAD'],
      ['101 Switching Protocols', 'GET'],
    ] as const) {
      const result = read([`HTTP/1.1 ${status}\r\nContent-Length: 10\r\n\r\n`], method);
      expect(result).to.deep.include({ body: '', done: true, fault: null });
    }
  });

  it('uses the chunks if there is also a length, and reads to the end under another coding', () => {
    expect(
      read(['HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: gzip, Chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n'])
        .body,
    ).to.equal('abc');
    expect(read(['HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: gzip\r\n\r\nabc']).body).to.equal('abc');
    expect(read(['HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: identity\r\n\r\nabc'])).to.include({
      body: 'ab',
      done: true,
    });
  });

  it('accepts a repeated equal length, and refuses two different ones', () => {
    expect(read(['HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2, 2\r\n\r\nab'])).to.include({
      body: 'ab',
      done: true,
    });
    for (const length of [
      '2, 3',
      '+2, 3',
      '2, +2',
      '2, undefined',
      '2,',
      '0x2',
      '1e3',
      '"2"',
      '2.5',
      '2 3, 2 ; 3, 4',
    ]) {
      expect(read([`HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\n\r\nab`]).fault, length).to.deep.equal({
        kind: 'notHttp',
        why: `its Content-Length is “${length}”`,
      });
    }
  });

  it('takes an odd length as browsers and curl do, reads to the end where it is none, and notes it', () => {
    for (const length of ['+2', '002', '+002', '2;', '2 bytes', '2.0'])
      expect(read([`HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\n\r\nabc`]), length).to.deep.include({
        body: 'ab',
        done: true,
        head: { statusCode: 200, headers: ['content-length', length], notes: [`Its Content-Length is “${length}”.`] },
      });
    for (const length of ['undefined', 'null', '-1', '-2', '', '99999999999999999999']) {
      const { head, ...rest } = read([`HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\n\r\nabc`]);
      expect(rest, length).to.deep.equal({ body: 'abc', done: false, fault: null });
      expect(head!.isUnframed).to.equal(true);
      expect(head!.notes).to.deep.equal([`Its Content-Length is “${length}”, which is no length.`]);
    }
    expect(read(['HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc']).head).to.not.have.property('notes');
  });

  it('takes odd status lines that have one possible status, and notes them', () => {
    for (const line of [
      'http/1.1 200 OK',
      'Http/1.0 200',
      'HTTP/2 200',
      'HTTP/2.0 200 OK',
      'HTTP/1 200 OK',
      'HTTP/3 200',
      'HTTP/1.1 200OK',
      'HTTP/1.1\t200 OK',
      'HTTP/1.10 200 OK',
    ]) {
      const { head, body, fault } = read([`${line}\r\nContent-Length: 2\r\n\r\nab`]);
      expect({ body, fault, statusCode: head?.statusCode }, line).to.deep.equal({
        body: 'ab',
        fault: null,
        statusCode: 200,
      });
      expect(head!.notes, line).to.have.length(1);
    }
    for (const start of ['\n', '\r\n', '\r\n\r\n']) {
      const wire = `${start}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab`;
      for (const parts of [[wire], wire.split('')])
        expect(read(parts)).to.deep.include({
          body: 'ab',
          fault: null,
          head: {
            statusCode: 200,
            headers: ['content-length', '2'],
            notes: ['A line end comes before its status line.'],
          },
        });
    }
    expect(read(['\r\n\r\n\r\nHTTP/1.1 200 OK\r\n\r\n']).fault!.kind).to.equal('notHttp');
  });

  it('accepts folded values, lines without a colon and trailing spaces', () => {
    const { head } = read([
      'HTTP/1.1 200 OK\r\nX-Long: a\r\n\tb\r\n  c \r\nnonsense\r\n: nameless\r\nX-Space : d\r\n\r\n',
    ]);
    expect(head!.headers).to.deep.equal(['x-long', 'a b c', 'x-space', 'd']);
    expect(headerOf({ statusCode: 200, headers: ['a', '1', 'b', '2', 'a', '3'] }, 'a')).to.equal('1, 3');
    expect(headerOf(head!, 'x-none')).to.equal(undefined);
  });

  it('detects at the first bytes that a response is not HTTP', () => {
    expect(read(['SSH-2.0-OpenSSH_9.2\r\n']).fault).to.deep.equal({
      kind: 'notHttp',
      why: 'it begins with “SSH-2.0-OpenSSH_9.2”',
    });
    expect(read(['HT', 'ML']).fault!.kind).to.equal('notHttp');
    for (const line of [
      'HTTP/1.1 2000 OK',
      'HTTP/1.1 20',
      'HTTP/1.1',
      'HTTP/1.1 abc',
      'HTTP/1.1200 OK',
      'HTTP/1.1 +200 OK',
      'HTTP 200 OK',
      'ICY 200 OK',
      'HTTP/1.1 000 None',
      'HTTP/1.1 099 None',
    ])
      expect(read([`${line}\r\n\r\n`]).fault!.kind, line).to.equal('notHttp');
    expect(read(['HTTP/1.1 200 OK\r\nX: ']).fault!.kind).to.equal('headersCut');
    for (const start of ['HTT', 'htt', '\r\nHTTP/1', '\n'])
      expect(read([start]).fault!.kind, start).to.equal('headersCut');
    expect(read([]).fault!.kind).to.equal('headersCut');
  });

  it('limits headers, chunk lines, trailers and interim responses', () => {
    const filler = Array.from({ length: 70 }, () => `X: ${'y'.repeat(1_000)}\r\n`);
    expect(read(['HTTP/1.1 200 OK\r\n', ...filler]).fault!.kind).to.equal('headersTooLarge');
    expect(read([`HTTP/1.1 200 OK\r\n${filler.join('')}\r\n`]).fault!.kind).to.equal('headersTooLarge');
    const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
    expect(read([chunked, '5;', 'z'.repeat(5_000)]).fault!.kind).to.equal('bodyFraming');
    expect(read([chunked, '0\r\n', ...filler]).fault!.kind).to.equal('bodyFraming');
    expect(read([chunked, '2\r\nabc\r\n']).fault).to.deep.equal({
      kind: 'bodyFraming',
      why: 'a chunk is longer than its size',
    });
    expect(read(['HTTP/1.1 100 Continue\r\n\r\n'.repeat(21)]).fault!.kind).to.equal('neverFinal');
  });

  it('has one limit of 64 KiB for interim heads, folded lines, headers and trailers together', () => {
    const interim = `HTTP/1.1 103 Early Hints\r\nLink: ${'a'.repeat(5_000)}\r\n\r\n`;
    const final = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
    expect(read([interim.repeat(12), final]).body).to.equal('ok');
    expect(read([interim.repeat(14), final]).fault!.kind).to.equal('headersTooLarge');
    expect(read([...interim.repeat(14).split(''), final]).fault!.kind, 'in single bytes').to.equal('headersTooLarge');
    const folded = `HTTP/1.1 200 OK\r\nX: a\r\n${' b\r\n'.repeat(16_000)}Content-Length: 2\r\n\r\nok`;
    expect(read([folded]).head!.headers[1]).to.have.length(32_001);
    expect(read([interim, folded]).fault!.kind).to.equal('headersTooLarge');
    const chunked = `HTTP/1.1 200 OK\r\nX: ${'y'.repeat(40_000)}\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n`;
    const trailers = (count: number) => `${`T: ${'z'.repeat(1_000)}\r\n`.repeat(count)}\r\n`;
    expect(read([chunked, trailers(24)])).to.deep.include({ body: 'ok', fault: null });
    expect(read([chunked, trailers(26)]).fault!.why).to.include('64 KiB together');
  });

  it('distinguishes a complete body from one that was cut off', () => {
    const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
    for (const text of [
      `${chunked}3\r\nab`,
      `${chunked}3\r\nabc`,
      `${chunked}3\r\nabc\r\n`,
      'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab',
      chunked,
    ]) {
      expect(read([text]).fault?.kind, text).to.equal('bodyCut');
    }
    expect(read([`${chunked}3\r\nabc\r\n0\r\n`])).to.include({ body: 'abc', fault: null });
    expect(read(['HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab and more that nobody asked for'])).to.include({
      body: 'ab',
      done: true,
      fault: null,
    });
  });

  it('parses a response in single bytes in linear time', () => {
    const wire = `HTTP/1.1 200 OK\r\nX: ${'y'.repeat(60_000)}\r\nContent-Length: 2\r\n\r\nok`;
    const bytes = [...Buffer.from(wire)].map((byte) => Buffer.of(byte));
    let copied = 0;
    const copy = Buffer.prototype.copy;
    const counting = mock.method(
      Buffer.prototype,
      'copy',
      function (this: Buffer, ...given: Parameters<Buffer['copy']>) {
        const count = copy.apply(this, given);
        copied += count;
        return count;
      },
    );
    try {
      expect(read(bytes).body).to.equal('ok');
    } finally {
      counting.mock.restore();
    }
    expect(copied).to.be.within(60_000, 4 * wire.length);
    // So often that to search each head from its beginning would take longer than a test may.
    for (let turn = 0; turn < 100; turn++) expect(read(bytes).body).to.equal('ok');
  });
});
