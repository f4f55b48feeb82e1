import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import {
  after as delayed,
  answer,
  closeAtOnce,
  drip,
  hang,
  raw,
  rawThenHang,
  reset,
  truncated,
} from '../../support/target-behaviours.js';
import { startTarget } from '../../support/target-server.js';
import { expectDown, expectUp, httpCheck, run, testProbes } from './probe-check.js';
import { startedForSuite } from '../../support/suite.js';

const probes = testProbes();

describe('the response of a web server', () => {
  const target = startedForSuite(() => startTarget({ behaviour: answer() }));
  let at: string;
  before(() => {
    at = `127.0.0.1:${target.port}`;
  });
  beforeEach(() => target.behave(answer()));
  afterEach('no connection outlives its check', async () => {
    const until = Date.now() + 20_000;
    while (target.openSockets > 0 && Date.now() < until) await new Promise((resolve) => setImmediate(resolve));
    expect(target.openSockets).to.equal(0);
  });
  afterEach(() => target.requests.splice(0));

  describe('that is valid', () => {
    it('makes the check up, with the time of each phase and the address of the connection', async () => {
      target.behave(delayed(60, answer({ body: 'x'.repeat(50_000) })));
      const report = await run(probes, target.url);
      expectUp(report);
      expect(report.statusCode).to.equal(200);
      expect(report.address).to.equal(at);
      const { dnsUs, connectUs, tlsUs, firstByteUs, transferUs } = report.timings;
      expect([dnsUs, tlsUs]).to.deep.equal([0, 0]);
      // How long they take beyond that is the machine's affair.
      expect(connectUs).to.be.at.least(1);
      expect(firstByteUs).to.be.at.least(55_000);
      expect(transferUs).to.be.at.least(1);
      expect(report.totalUs).to.be.at.least(connectUs + firstByteUs + transferUs - 3);
    });

    it('was requested on a new connection, with the User-Agent of the agent', async () => {
      await run(probes, `${target.url}/a/b?c=d#e`);
      await run(probes, target.url);
      expect(target.connections).to.be.at.least(2);
      const [request] = target.requests;
      expect(request).to.include({ method: 'GET', path: '/a/b?c=d' });
      expect(request!.rawHeaders).to.deep.equal([
        ['Host', at],
        ['User-Agent', 'Watchpost/9.9.9'],
        ['Accept', '*/*'],
        ['Accept-Encoding', 'gzip, deflate, br'],
        ['Connection', 'close'],
      ]);
    });

    it('can have no length, chunks, interim responses, bare line feeds, or be HTTP/1.0', async () => {
      for (const bytes of [
        'HTTP/1.1 200 OK\r\n\r\nuntil the end',
        'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nx-trailer: 1\r\n\r\n',
        'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok',
        'HTTP/1.1 200 OK\ncontent-length: 2\n\nok',
        '\r\nHTTP/1.1 200 OK\r\ncontent-length: +2\r\n\r\nok',
        'http/1.1 200 OK\r\ncontent-length: 002\r\n\r\nok',
        'HTTP/2 200\r\ncontent-length: undefined\r\n\r\nok',
        'HTTP/1.0 200 OK\r\n\r\nold',
        'HTTP/1.1 200\r\ncontent-length: 0\r\n\r\n',
        'HTTP/1.1 204 No Content\r\n\r\n',
        'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
      ]) {
        target.behave(raw(bytes));
        const report = await run(probes, target.url);
        expect(report.outcome, bytes).to.deep.equal({ kind: 'up' });
      }
    });

    it('was requested with the method, headers and body of the monitor', async () => {
      const headers = [
        { name: 'X-Two', value: '1' },
        { name: 'x-two', value: '2' },
        { name: 'User-Agent', value: 'mine' },
        { name: 'Host', value: 'shop.example' },
        { name: 'Content-Length', value: '999' },
        { name: 'Transfer-Encoding', value: 'chunked' },
      ];
      await run(probes, target.url, { method: 'POST', headers, body: '{"ü":1}' });
      const [request] = target.requests;
      expect(request!.method).to.equal('POST');
      expect(request!.body.toString()).to.equal('{"ü":1}');
      expect(request!.rawHeaders).to.deep.equal([
        ['X-Two', '1'],
        ['x-two', '2'],
        ['User-Agent', 'mine'],
        ['Host', 'shop.example'],
        ['Accept', '*/*'],
        ['Accept-Encoding', 'gzip, deflate, br'],
        ['Content-Length', '8'],
        ['Connection', 'close'],
      ]);
      for (const method of ['HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
        expectUp(await run(probes, target.url, { method }));
      expect(target.requests.map((seen) => [seen.method, seen.headers['content-length']])).to.deep.equal([
        ['POST', '8'],
        ['HEAD', undefined],
        ['PUT', '0'],
        ['PATCH', '0'],
        ['DELETE', undefined],
        ['OPTIONS', undefined],
      ]);
    });

    it('is read up to 1 MiB', async () => {
      target.behave(
        drip(
          (function* () {
            yield 'HTTP/1.1 200 OK\r\n\r\n';
            for (;;) yield Buffer.alloc(256 * 1024, 'x');
          })(),
          1,
        ),
      );
      const report = await run(probes, target.url);
      expectUp(report);
    });
  });

  describe('that is invalid', () => {
    it('has an unexpected status', async () => {
      target.behave(
        answer({
          status: 503,
          body: 'down for maintenance',
          headers: {
            'retry-after': '60',
            'set-cookie': ['session=geheim', 'a=b'],
            'x-api-key': 'k',
            'www-authenticate': 'Basic realm="x"',
          },
        }),
      );
      const report = await run(probes, target.url);
      expectDown(
        report,
        'content',
        'unexpected_status',
        'The server answered with status 503 Service Unavailable instead of 200-399.',
      );
      expect(report.statusCode).to.equal(503);
      expect(report.evidence!.bodyStart).to.equal('down for maintenance');
      expect(report.evidence!.headers).to.include({
        'retry-after': '60',
        'set-cookie': '***',
        'x-api-key': '***',
        'www-authenticate': 'Basic realm="x"',
      });
      expect(report.evidence!.resolved).to.deep.equal(['127.0.0.1']);
      expect(report.evidence!.hops).to.have.length(1);
      expect(report.evidence!.hops![0]).to.deep.include({
        url: `${target.url}/`,
        address: at,
        statusCode: 503,
        timings: report.timings,
      });
      expectUp(
        await run(probes, target.url, {
          expectedStatus: [
            { from: 200, to: 200 },
            { from: 503, to: 503 },
          ],
        }),
      );
      expectDown(
        await run(probes, target.url, {
          expectedStatus: [
            { from: 200, to: 200 },
            { from: 404, to: 404 },
          ],
        }),
        'content',
        'unexpected_status',
        /instead of 200 or 404\.$/,
      );
      for (const status of [101, 599, 999]) {
        target.behave(answer({ status }));
        expectDown(await run(probes, target.url), 'content', 'unexpected_status', new RegExp(`status ${status}`));
      }
    });

    it('is in the evidence of a test that succeeds, with up to 16 KiB and its headers', async () => {
      target.behave(
        answer({ headers: { 'content-type': 'application/json' }, body: JSON.stringify('x'.repeat(20_000)) }),
      );
      const { signal } = new AbortController();
      const { outcome, evidence } = await probes.run({ ...httpCheck(target.url), isTest: true }, signal);
      expect(outcome.kind).to.equal('up');
      expect(evidence!.headers).to.include({ 'content-type': 'application/json' });
      expect(evidence!.bodyStart).to.have.length(16_384);
    });

    it('is shown in the evidence with at most 2 KiB, decoded and printable', async () => {
      const page = `<h1>\u0007Grüße\u0000\r\n</h1>${'ü'.repeat(3_000)}`;
      for (const [encoding, body] of [
        [null, Buffer.from(page)],
        ['gzip', gzipSync(page)],
        ['br', brotliCompressSync(page)],
        ['deflate', deflateSync(page)],
        ['deflate', deflateRawSync(page)],
      ] as const) {
        target.behave(answer({ status: 500, headers: { 'content-encoding': encoding }, body }));
        const { evidence } = await run(probes, target.url);
        expect(evidence!.bodyStart, String(encoding)).to.match(/^<h1>Grüße\n<\/h1>ü+$/);
        expect(Buffer.byteLength(evidence!.bodyStart!)).to.be.within(2_030, 2_048);
      }
      target.behave(answer({ status: 500, headers: { 'content-encoding': 'gzip' }, body: 'not gzip' }));
      expect((await run(probes, target.url)).evidence).not.to.have.property('bodyStart');
    });

    it('is missing because the server closes the connection', async () => {
      target.behave(closeAtOnce);
      expectDown(
        await run(probes, target.url),
        'firstByte',
        'protocol_error',
        `The server at ${at} closed the connection without an answer.`,
      );
    });

    it('is missing because the server resets the connection', async () => {
      target.behave(reset);
      expectDown(
        await run(probes, target.url),
        'firstByte',
        'connection_reset',
        `The server at ${at} reset the connection without an answer.`,
      );
    });

    it('does not arrive in time', async () => {
      target.behave(hang);
      const report = await run(probes, target.url, { timeoutMs: 1_500 });
      expectDown(report, 'firstByte', 'timeout', `No answer from ${at} within 1.5 s.`);
      expect(report.totalUs).to.be.at.least(1_400_000);
      expect(report.timings.firstByteUs).to.be.above(0);
    });

    it('arrives too slowly: headers, then body', async () => {
      target.behave(
        drip(['HTTP/1.1 200 OK\r\n', ...Array.from({ length: 100 }, (_, index) => `x-${index}: 1\r\n`)], 50),
      );
      expectDown(
        await run(probes, target.url, { timeoutMs: 1_500 }),
        'firstByte',
        'timeout',
        `The server at ${at} began to answer, and did not send all headers within 1.5 s.`,
      );
      target.behave(
        drip(['HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n', ...Array.from({ length: 100 }, () => 'x')], 50),
      );
      const report = await run(probes, target.url, { timeoutMs: 1_500 });
      expectDown(
        report,
        'transfer',
        'timeout',
        new RegExp(
          `^The answer from ${at} was not complete within 1\\.5 s; [1-9]\\d* bytes of its body had arrived\\.$`,
        ),
      );
      expect(report.statusCode).to.equal(200);
      expect(report.timings.transferUs).to.be.above(0);
    });

    it('is odd, which the evidence notes', async () => {
      target.behave(raw('\r\nhttp/1.1 500 Oh\r\ncontent-length: -1\r\n\r\nno'));
      const report = await run(probes, target.url);
      expectDown(report, 'content', 'unexpected_status', /500/);
      expect(report.evidence!.notes).to.deep.equal([
        'A line end comes before its status line.',
        'Its status line is “http/1.1 500 Oh”, which is not HTTP/1.1.',
        'Its Content-Length is “-1”, which is no length.',
      ]);
      expect(report.evidence!.bodyStart).to.equal('no');
    });

    it('is not HTTP', async () => {
      for (const garbage of [
        'SSH-2.0-OpenSSH_9.2\r\n',
        '220 mail.example ESMTP\r\n',
        '\x15\x03\x03\x00\x02\x02\x46',
        'ICY 200 OK\r\n\r\n',
        'HTTP/1.1 99999 What\r\n\r\n',
        '\0\0\0\0',
        '<html></html>',
        'HTTP/9.9.9 200 OK\r\n\r\n',
      ]) {
        target.behave(raw(garbage));
        expectDown(
          await run(probes, target.url),
          'firstByte',
          'protocol_error',
          /^The answer from .* is not HTTP: it begins with “.+”\.$/,
        );
      }
      target.behave(rawThenHang('garbage that stays'));
      expectDown(await run(probes, target.url), 'firstByte', 'protocol_error', /is not HTTP/);
    });

    it('has too many headers', async () => {
      target.behave(raw(`HTTP/1.1 200 OK\r\n${`${'x-long: '.padEnd(1_000, 'y')}\r\n`.repeat(200)}`));
      expectDown(
        await run(probes, target.url),
        'firstByte',
        'protocol_error',
        `The headers of the answer from ${at} are larger than 64 KiB.`,
      );
      target.behave(raw('HTTP/1.1 200 OK\r\nx-cut: '));
      expectDown(
        await run(probes, target.url),
        'firstByte',
        'protocol_error',
        `The server at ${at} closed the connection in the middle of the headers.`,
      );
      target.behave(raw('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100)));
      expectDown(
        await run(probes, target.url),
        'firstByte',
        'protocol_error',
        `The server at ${at} sent more than 20 interim answers and no final one.`,
      );
    });

    it('ends before it is complete', async () => {
      target.behave(truncated('half', 8));
      const report = await run(probes, target.url);
      expectDown(
        report,
        'transfer',
        'protocol_error',
        `The server at ${at} closed the connection in the middle of the answer, after 4 bytes of its body.`,
      );
      expect(report.evidence!.bodyStart).to.equal('half');
      target.behave(truncated('half', 8, 'reset'));
      expectDown(
        await run(probes, target.url),
        'transfer',
        'connection_reset',
        /^The server at .* reset the connection in the middle of the answer, after [04] bytes/,
      );
      target.behave(raw('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhel'));
      expectDown(
        await run(probes, target.url),
        'transfer',
        'protocol_error',
        /in the middle of the answer, after 3 bytes/,
      );
      target.behave(raw('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nXYZ\r\nhello\r\n'));
      expectDown(
        await run(probes, target.url),
        'transfer',
        'protocol_error',
        /is not valid HTTP: “XYZ” is not the size of a chunk\.$/,
      );
    });

    it('does not arrive because the server does not accept the request', async () => {
      const body = 'x'.repeat(16 * 1024 * 1024);
      const deaf = await startTarget({ behaviour: hang, onConnection: () => true });
      const where = `127.0.0.1:${deaf.port}`;
      const late = await run(probes, deaf.url, { method: 'POST', body, timeoutMs: 1_500 });
      expectDown(late, 'request', 'timeout', `The request to ${where} was not accepted within 1.5 s.`);
      await deaf.close();
      const cutting = await startTarget({
        behaviour: hang,
        onConnection: (socket) => {
          setTimeout(() => socket.resetAndDestroy(), 100);
          return true;
        },
      });
      const cut = await run(probes, cutting.url, { method: 'POST', body });
      expectDown(
        cut,
        'request',
        'connection_reset',
        `The server at 127.0.0.1:${cutting.port} closed the connection while the request was being sent.`,
      );
      await cutting.close();
    });
  });
});
