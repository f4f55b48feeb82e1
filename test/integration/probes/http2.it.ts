import {
  createSecureServer,
  createServer as createPlainServer,
  type Http2Server,
  type ServerHttp2Stream,
} from 'node:http2';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { assertionSchema } from '@watchpost/shared/assertions/assertion';
import { createAuthority, type ServerCertificate } from '../../support/certificates.js';
import * as http2 from '../../support/http2-frames.js';
import { answer } from '../../support/target-behaviours.js';
import { startTarget, type Target } from '../../support/target-server.js';
import { expectDown, expectUp, run, testProbes, type CheckOptions } from './probe-check.js';

const { DATA, END_HEADERS, END_STREAM, forever, frame, header, HEADERS, SETTINGS } = http2;
const OK = header(':status', '200');
const opened = Buffer.concat([SETTINGS, frame(HEADERS, END_HEADERS, 1, OK)]);
const ended = (type: number, ...words: number[]) => {
  const code = Buffer.alloc(4 * words.length);
  words.forEach((word, index) => code.writeUInt32BE(word, 4 * index));
  return frame(type, 0, type === http2.GOAWAY ? 0 : 1, code);
};

describe('a website over HTTP/2', () => {
  const open: { close(): void }[] = [];
  let certificate: ServerCertificate;
  let probes = testProbes();
  before(async () => {
    const authority = await createAuthority();
    certificate = await authority.issue();
    probes = testProbes({ extraCertificates: [authority.rootPem] });
  });
  afterEach(() => {
    for (const one of open.splice(0)) one.close();
  });

  async function listen(server: Server | Http2Server): Promise<number> {
    const sockets = new Set<Socket>();
    server.on('connection', (socket: Socket) => sockets.add(socket));
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    open.push({ close: () => (server.close(), sockets.forEach((socket) => socket.destroy())) });
    return (server.address() as AddressInfo).port;
  }
  /** A server of Node over TLS, which also speaks HTTP/1.1. */
  async function serve(
    onStream: (stream: ServerHttp2Stream, headers: Record<string, string>) => void,
  ): Promise<string> {
    const server = createSecureServer({ ...certificate, allowHTTP1: true }, (request, response) => {
      if (request.httpVersion !== '2.0') response.end('HTTP/1.1');
    });
    server.on('stream', (stream, headers) => {
      stream.on('error', () => stream.destroy());
      onStream(stream, headers as Record<string, string>);
    });
    return `https://127.0.0.1:${await listen(server)}`;
  }
  const page = (stream: ServerHttp2Stream, body: Buffer | string, headers = {}): void => {
    stream.respond({ ':status': 200, ...headers });
    stream.end(body);
  };
  /** A server without TLS that does with the connection what it wants, once the client has begun. */
  const raw = async (onConnection: (socket: Socket) => void): Promise<string> => {
    const server = createServer((socket) => {
      socket.on('error', () => socket.destroy());
      socket.once('data', () => onConnection(socket));
      socket.resume();
    });
    return `http://127.0.0.1:${await listen(server)}`;
  };
  const check = (url: string, options: CheckOptions = {}) =>
    run(probes, url, { httpVersion: '2', timeoutMs: 20_000, ...options });
  const NOTHING = [{ from: 599, to: 599 }];

  it('is up, with the time of each phase, and its evidence names the version', async () => {
    const url = await serve((stream) => setTimeout(() => page(stream, 'hello'), 20));
    const report = await check(url, { keyword: { text: 'hello', mode: 'present' } });
    expectUp(report);
    expect(report).to.include({ statusCode: 200, address: url.slice(8) });
    const { connectUs, tlsUs, firstByteUs } = report.timings;
    expect(Math.min(connectUs, tlsUs)).to.be.above(0);
    expect(firstByteUs).to.be.above(15_000);
    const failed = await check(url, { expectedStatus: NOTHING });
    expectDown(failed, 'content', 'unexpected_status', 'The server answered with status 200 OK instead of 599.');
    expect(failed.evidence!.hops![0]!.httpVersion).to.equal('2');
    expect(failed.evidence).to.deep.include({ bodyStart: 'hello' });
    expect(failed.answer).to.equal('verified');
  });

  it('gets the request that HTTP/1.1 would send, without what belongs to a connection', async () => {
    const seen: Record<string, string>[] = [];
    const bodies: string[] = [];
    const url = await serve((stream, headers) => {
      seen.push(Object.fromEntries(Object.entries(headers)));
      let body = '';
      stream.on('data', (chunk: Buffer) => (body += chunk.toString()));
      stream.on('end', () => (bodies.push(body), page(stream, '')));
    });
    const headers = [
      { name: 'X-Shop', value: 'a' },
      { name: 'Connection', value: 'keep-alive' },
      { name: 'Authorization', value: 'geheim' },
    ];
    expectUp(await check(`${url}/a?b=c`, { method: 'POST', body: 'x'.repeat(65_536), headers }));
    expectUp(await check(`${url}/`, { headers: [{ name: 'Host', value: 'shop.example' }] }));
    expect(seen[0]).to.deep.equal({
      ...{ ':method': 'POST', ':scheme': 'https', ':authority': url.slice(8), ':path': '/a?b=c' },
      ...{ 'x-shop': 'a', authorization: 'geheim', 'user-agent': seen[0]!['user-agent'], accept: '*/*' },
      ...{ 'accept-encoding': 'gzip, deflate, br', 'content-length': '65536' },
    });
    expect(bodies[0]).to.have.length(65_536);
    expect(seen[1]).to.deep.include({ ':authority': 'shop.example', ':method': 'GET' });
  });

  it('is decoded, searched up to 1 MiB, and redirected with its cookies as over HTTP/1.1', async () => {
    const cookies: (string | undefined)[] = [];
    const url = await serve((stream, headers) => {
      cookies.push(headers['cookie']);
      const path = headers[':path'];
      if (path === '/a')
        page(stream, 'x'.repeat(3_000_000), { ':status': 302, location: '/b', 'set-cookie': ['a=1', 'b=2'] });
      else if (path === '/b') page(stream, gzipSync(`${'x'.repeat(900_000)}needle`), { 'content-encoding': 'gzip' });
      else page(stream, `${'x'.repeat(path === '/late' ? 1_100_000 : 1_000_000)}needle${'x'.repeat(3_000_000)}`);
    });
    const keyword = { text: 'needle', mode: 'present' } as const;
    expectUp(await check(`${url}/a`, { keyword }));
    expect(cookies).to.deep.equal([undefined, 'a=1; b=2']);
    expectUp(await check(`${url}/early`, { keyword }));
    expectDown(
      await check(`${url}/late`, { keyword }),
      'content',
      'keyword_missing',
      'The answer does not contain the keyword “needle” in the first 1 MiB of its body.',
    );
  });

  it('answers HEAD, 204, interim answers and trailers, with many headers of one name', async () => {
    const url = await serve((stream, headers) => {
      if (headers[':method'] === 'HEAD')
        return stream.respond({ ':status': 200, 'content-length': '5' }, { endStream: true });
      if (headers[':path'] === '/204') return stream.respond({ ':status': 204 }, { endStream: true });
      page(stream, 'hello');
    });
    expectUp(await check(url, { method: 'HEAD' }));
    expect(await check(`${url}/204`)).to.include({ statusCode: 204 });
    const many = Array.from({ length: 500 }, (_, index) => header(`x-${index}`, 'a'));
    const parts = [
      frame(HEADERS, END_HEADERS, 1, Buffer.concat([header(':status', '103'), header('link', '</a>; rel=preload')])),
      frame(HEADERS, END_HEADERS, 1, Buffer.concat([OK, ...many])),
      frame(DATA, 0, 1, Buffer.from('hello')),
      frame(HEADERS, END_HEADERS | END_STREAM, 1, header('x-sum', '1')),
    ];
    const detailed = await raw((socket) => socket.write(Buffer.concat([SETTINGS, ...parts])));
    expectUp(await check(detailed, { keyword: { text: 'hello', mode: 'present' } }));
  });

  it('gets the request once more over HTTP/1.1 where it asks for that and the version is left to it', async () => {
    const versions: (string | false | null)[] = [];
    let refusal = ended(http2.RST_STREAM, 13);
    let answers = 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nold';
    const server = createTlsServer({ ...certificate, ALPNProtocols: ['h2', 'http/1.1'] }, (socket) => {
      versions.push(socket.alpnProtocol);
      socket.on('error', () => socket.destroy());
      socket.once('data', () => {
        if (socket.alpnProtocol !== 'h2') socket.end(answers);
        else socket.write(Buffer.concat([SETTINGS, refusal]));
      });
      socket.resume();
    });
    const url = `https://127.0.0.1:${await listen(server)}`;
    for (const frames of [refusal, ended(http2.GOAWAY, 0, 13)]) {
      refusal = frames;
      versions.length = 0;
      const up = await check(url, {
        httpVersion: 'auto',
        method: 'POST',
        body: 'x',
        keyword: { text: 'old', mode: 'present' },
      });
      expectUp(up);
      expect(versions).to.deep.equal(['h2', 'http/1.1']);
    }
    const down = await check(url, { httpVersion: 'auto', expectedStatus: NOTHING });
    expect(down.evidence?.hops?.map(({ httpVersion, statusCode }) => [httpVersion, statusCode])).to.deep.equal([
      ['2', null],
      ['1.1', 200],
    ]);
    expect(down.evidence!.hops!.every(({ timings }) => timings.tlsUs > 0)).to.equal(true);
    versions.length = 0;
    expectDown(await check(url), 'firstByte', 'connection_reset', /HTTP_1_1_REQUIRED/);
    expect(versions, 'where only HTTP/2 is taken').to.deep.equal(['h2']);
    // Nobody answers the second request: both have one deadline.
    answers = '';
    server.removeAllListeners('secureConnection');
    server.on('secureConnection', (socket) => {
      socket.on('error', () => socket.destroy());
      if (socket.alpnProtocol === 'h2') socket.once('data', () => socket.write(Buffer.concat([SETTINGS, refusal])));
    });
    expectDown(await check(url, { httpVersion: 'auto', timeoutMs: 1_000 }), 'firstByte', 'timeout', /within 1/);
  });

  it('speaks what the server chooses where both are offered, and HTTP/1.1 without TLS', async () => {
    const both = await serve((stream) => page(stream, 'HTTP/2'));
    const versionOf = async (url: string, httpVersion: '1.1' | 'auto') => {
      const { evidence } = await check(url, { httpVersion, expectedStatus: NOTHING });
      return [evidence!.hops![0]!.httpVersion, evidence!.bodyStart];
    };
    expect(await versionOf(both, 'auto')).to.deep.equal(['2', 'HTTP/2']);
    expect(await versionOf(both, '1.1')).to.deep.equal(['1.1', 'HTTP/1.1']);
    for (const [httpVersion, target] of [
      ['auto', '2'],
      ['1.1', '1.1'],
    ] as const) {
      const assertions = [assertionSchema.parse({ source: 'httpVersion', comparison: 'equals', target })];
      expect((await check(both, { httpVersion, assertions })).outcome).to.deep.equal({ kind: 'up' });
    }
    const older: Target[] = [];
    for (const tls of [certificate, { ...certificate, ALPNProtocols: ['http/1.1'] }, undefined]) {
      const target = await startTarget({ behaviour: answer({ body: 'old' }), ...(tls && { tls }) });
      older.push(target);
      expect(await versionOf(target.url, 'auto')).to.deep.equal(['1.1', 'old']);
      const expected = tls
        ? ['tls', 'tls_failure', /does not offer HTTP\/2 over TLS \(ALPN\)\.$/]
        : ['firstByte', 'protocol_error', /is not HTTP\/2: it is HTTP\/1\.$/];
      expectDown(await check(target.url), ...(expected as [string, string, RegExp]));
    }
    await Promise.all(older.map((target) => target.close()));
  });

  it('can begin at once without TLS', async () => {
    const server = createPlainServer();
    server.on('stream', (stream) => page(stream, 'plain'));
    const url = `http://127.0.0.1:${await listen(server)}`;
    expectUp(await check(url, { keyword: { text: 'plain', mode: 'present' } }));
  });

  it('is read to its end, whatever the server sends after it or breaks then', async () => {
    for (const last of [
      ended(http2.GOAWAY, 0, 2),
      ended(http2.RST_STREAM, 0),
      Buffer.from('garbage that is no frame'),
    ]) {
      const whole = [
        opened,
        frame(DATA, 0, 1, Buffer.from('hel')),
        frame(DATA, END_STREAM, 1, Buffer.from('lo')),
        last,
      ];
      const url = await raw((socket) => socket.end(Buffer.concat(whole)));
      expectUp(await check(url, { keyword: { text: 'hello', mode: 'present' } }));
      const inBytes = await raw((socket) => {
        socket.setNoDelay(true);
        for (const byte of Buffer.concat(whole.slice(0, 3))) socket.write(Buffer.from([byte]));
      });
      expectUp(await check(inBytes, { keyword: { text: 'hello', mode: 'present' } }));
    }
    const graceful = await raw((socket) => {
      socket.write(Buffer.concat([SETTINGS, ended(http2.GOAWAY, 1, 0)]));
      setImmediate(() => socket.write(Buffer.concat([frame(HEADERS, END_HEADERS | END_STREAM, 1, OK)])));
    });
    expectUp(await check(graceful));
  });

  const half = Buffer.concat([opened, frame(DATA, 0, 1, Buffer.from('half'))]);
  const FAULTS: Readonly<Record<string, [(socket: Socket) => void, string, string, RegExp]>> = {
    'GOAWAY without an answer': [
      (socket) => socket.write(Buffer.concat([SETTINGS, ended(http2.GOAWAY, 0, 11)])),
      ...([
        'firstByte',
        'connection_reset',
        /ended the request without an answer \(GOAWAY, ENHANCE_YOUR_CALM\)\.$/,
      ] as const),
    ],
    'GOAWAY in good order that refuses the request': [
      (socket) => socket.write(Buffer.concat([SETTINGS, ended(http2.GOAWAY, 0, 0)])),
      ...(['firstByte', 'connection_reset', /without an answer \(GOAWAY, NO_ERROR\)\.$/] as const),
    ],
    'GOAWAY within the body': [
      (socket) => socket.write(Buffer.concat([half, ended(http2.GOAWAY, 1, 2)])),
      ...([
        'transfer',
        'connection_reset',
        /in the middle, after 4 bytes of its body \(GOAWAY, INTERNAL_ERROR\)\.$/,
      ] as const),
    ],
    'RST_STREAM without an answer': [
      (socket) => socket.write(Buffer.concat([SETTINGS, ended(http2.RST_STREAM, 7)])),
      ...(['firstByte', 'connection_reset', /without an answer \(RST_STREAM, REFUSED_STREAM\)\.$/] as const),
    ],
    'RST_STREAM that asks for HTTP/1.1': [
      (socket) => socket.write(Buffer.concat([SETTINGS, ended(http2.RST_STREAM, 13)])),
      ...(['firstByte', 'connection_reset', /\(RST_STREAM, HTTP_1_1_REQUIRED\)\.$/] as const),
    ],
    'RST_STREAM with an unknown code': [
      (socket) => socket.write(Buffer.concat([SETTINGS, ended(http2.RST_STREAM, 99)])),
      ...(['firstByte', 'connection_reset', /\(RST_STREAM, 99\)\.$/] as const),
    ],
    'RST_STREAM within the body': [
      (socket) => socket.write(Buffer.concat([half, ended(http2.RST_STREAM, 8)])),
      ...(['transfer', 'connection_reset', /after 4 bytes of its body \(RST_STREAM, CANCEL\)\.$/] as const),
    ],
    'RST_STREAM without an error within the body': [
      (socket) => socket.write(Buffer.concat([half, ended(http2.RST_STREAM, 0)])),
      ...(['transfer', 'connection_reset', /after 4 bytes of its body \(RST_STREAM, NO_ERROR\)\.$/] as const),
    ],
    'the end of the connection': [
      (socket) => socket.end(),
      ...(['firstByte', 'protocol_error', /closed the connection without an answer\.$/] as const),
    ],
    'the end of the connection within the headers': [
      (socket) => socket.end(Buffer.concat([SETTINGS, frame(HEADERS, 0, 1, OK)])),
      ...(['firstByte', 'protocol_error', /closed the connection in the middle of the headers\.$/] as const),
    ],
    'the end of the connection within the body': [
      (socket) => socket.end(half),
      ...(['transfer', 'protocol_error', /in the middle of the answer, after 4 bytes of its body\.$/] as const),
    ],
    'a reset of the connection': [
      (socket) => socket.resetAndDestroy(),
      ...(['firstByte', 'connection_reset', /reset the connection without an answer\.$/] as const),
    ],
    'no SETTINGS': [
      (socket) => socket.write(frame(HEADERS, END_HEADERS | END_STREAM, 1, OK)),
      ...(['firstByte', 'protocol_error', /is not HTTP\/2: it does not begin with SETTINGS\.$/] as const),
    ],
    garbage: [
      (socket) => socket.write('garbage that is no frame at all, '.repeat(10)),
      ...(['firstByte', 'protocol_error', /is not HTTP\/2: it does not begin with SETTINGS\.$/] as const),
    ],
    PUSH_PROMISE: [
      (socket) =>
        socket.write(
          Buffer.concat([
            opened,
            frame(http2.PUSH_PROMISE, END_HEADERS, 1, Buffer.concat([Buffer.from([0, 0, 0, 2]), OK])),
          ]),
        ),
      ...(['transfer', 'protocol_error', /it pushes what was not requested \(PUSH_PROMISE\)\.$/] as const),
    ],
    'interim answers without end': [
      (socket) => (socket.write(SETTINGS), forever(socket, frame(HEADERS, END_HEADERS, 1, header(':status', '103')))),
      ...(['firstByte', 'protocol_error', /sent more than 20 interim answers and no final one\.$/] as const),
    ],
    'headers of 100 KiB': [
      (socket) => {
        const fields = Array.from({ length: 7 }, () => header('x-a', 'b'.repeat(15_000)));
        socket.write(
          Buffer.concat([
            SETTINGS,
            frame(HEADERS, 0, 1, OK),
            ...fields.map((field, index) => frame(http2.CONTINUATION, index === 6 ? END_HEADERS : 0, 1, field)),
          ]),
        );
      },
      ...(['firstByte', 'protocol_error', /are larger than 64 KiB\.$/] as const),
    ],
    'small headers that are many when decoded': [
      (socket) => {
        // One field of the table, named 16,000 times in one byte each.
        const block = Buffer.concat([
          OK,
          Buffer.from([0x40]),
          header('x-a', 'b'.repeat(100)).subarray(1),
          Buffer.alloc(16_000, 0xbe),
        ]);
        socket.write(Buffer.concat([SETTINGS, frame(HEADERS, END_HEADERS | END_STREAM, 1, block)]));
      },
      ...(['firstByte', 'protocol_error', /are larger than 64 KiB\.$/] as const),
    ],
    'headers in parts without end': [
      (socket) => (
        socket.write(Buffer.concat([SETTINGS, frame(HEADERS, 0, 1, OK)])),
        forever(socket, frame(http2.CONTINUATION, 0, 1, Buffer.alloc(0)))
      ),
      ...(['firstByte', 'protocol_error', /its headers come in too many parts \(CONTINUATION\)\.$/] as const),
    ],
    'pings without end': [
      (socket) => (
        socket.write(SETTINGS),
        forever(socket, Buffer.concat(Array.from({ length: 100 }, () => frame(http2.PING, 0, 0, Buffer.alloc(8)))))
      ),
      ...(['firstByte', 'protocol_error', /its frames have no end and hardly any of the answer\.$/] as const),
    ],
    'empty parts of a body without end': [
      (socket) => (
        socket.write(half),
        forever(socket, Buffer.concat(Array.from({ length: 100 }, () => frame(DATA, 0, 1, Buffer.alloc(0)))))
      ),
      ...(['transfer', 'protocol_error', /its frames have no end and hardly any of the answer\.$/] as const),
    ],
    'headers that cannot be decoded': [
      (socket) => socket.write(Buffer.concat([SETTINGS, frame(HEADERS, END_HEADERS, 1, Buffer.alloc(5, 0xff))])),
      ...(['firstByte', 'protocol_error', /do not follow the protocol \(COMPRESSION_ERROR\)\.$/] as const),
    ],
    'headers without a status': [
      (socket) =>
        socket.write(Buffer.concat([SETTINGS, frame(HEADERS, END_HEADERS | END_STREAM, 1, header('x-a', 'b'))])),
      ...(['firstByte', 'protocol_error', /do not follow the protocol \(PROTOCOL_ERROR\)\.$/] as const),
    ],
    'a body that is longer than its length': [
      (socket) =>
        socket.write(
          Buffer.concat([
            SETTINGS,
            frame(HEADERS, END_HEADERS, 1, Buffer.concat([OK, header('content-length', '1')])),
            frame(DATA, END_STREAM, 1, Buffer.from('long')),
          ]),
        ),
      ...(['transfer', 'protocol_error', /do not follow the protocol( \(PROTOCOL_ERROR\))?\.$/] as const),
    ],
    'a frame that is too large': [
      (socket) => socket.write(Buffer.concat([opened, frame(DATA, 0, 1, Buffer.alloc(60_000))])),
      ...(['transfer', 'protocol_error', /\(FRAME_SIZE_ERROR\)\.$/] as const),
    ],
  };
  for (const [what, [behave, phase, reason, sentence]] of Object.entries(FAULTS)) {
    it(`is down at once, with the reason, after ${what}`, async () => {
      const report = await check(await raw(behave), { keyword: { text: 'x', mode: 'present' } });
      expectDown(report, phase, reason, sentence);
      expect(JSON.stringify(report).length).to.be.below(4_096);
    });
  }

  it('has a sentence for every way of being silent until the deadline', async () => {
    const WAYS: [(socket: Socket) => void, string, RegExp][] = [
      [() => undefined, 'firstByte', /did not begin to speak HTTP\/2 within 0\.3 s: it sent no SETTINGS\.$/],
      [(socket) => socket.write(SETTINGS), 'firstByte', /^No answer from 127\.0\.0\.1:\d+ within 0\.3 s\.$/],
      [
        (socket) => socket.write(Buffer.concat([SETTINGS, frame(HEADERS, 0, 1, OK)])),
        'firstByte',
        /began to answer, and did not send all headers within 0\.3 s\.$/,
      ],
      [
        (socket) => socket.write(half),
        'transfer',
        /was not complete within 0\.3 s; 4 bytes of its body had arrived\.$/,
      ],
    ];
    for (const [behave, phase, sentence] of WAYS)
      expectDown(await check(await raw(behave), { timeoutMs: 300 }), phase, 'timeout', sentence);
  });
});
