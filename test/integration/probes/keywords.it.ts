import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { startedForSuite } from '../../support/suite.js';
import { answer, raw } from '../../support/target-behaviours.js';
import { startTarget } from '../../support/target-server.js';
import { expectDown, expectUp, httpCheck, run, testProbes } from './probe-check.js';

const probes = testProbes();
const present = (text: string) => ({ keyword: { text, mode: 'present' as const } });
const absent = (text: string) => ({ keyword: { text, mode: 'absent' as const } });

describe('a keyword', () => {
  const target = startedForSuite(() => startTarget({ behaviour: answer() }));

  it('must be present or absent, as the monitor requires', async () => {
    target.behave(answer({ body: 'Welcome to our shop' }));
    expectUp(await run(probes, target.url, present('our shop')));
    expectUp(await run(probes, target.url, absent('Fatal error')));
    expectDown(
      await run(probes, target.url, present('Our shop')),
      'content',
      'keyword_missing',
      'The answer does not contain the keyword “Our shop”.',
    );
    const report = await run(probes, target.url, absent('shop'));
    expectDown(
      report,
      'content',
      'keyword_present',
      'The answer contains the keyword “shop”, which must not be there.',
    );
    expect(report.evidence!.bodyStart).to.equal('Welcome to our shop');
  });

  it('is not searched in bodies for which the agent has no memory, and other owners are not affected', async () => {
    const by = testProbes({ bodyBytes: 512 * 1024 });
    const runFor = (ownerKey: string, body: string) => {
      target.behave(answer({ body }));
      const check = httpCheck(target.url, present('shop'));
      return by.run({ ...check, ownerKey }, new AbortController().signal);
    };
    for (let round = 0; round < 3; round++) {
      expect((await runFor('large', `${'x'.repeat(700_000)}shop`)).outcome).to.include({
        kind: 'inconclusive',
        reason: 'agent_overloaded',
      });
      // What a check held is free after it.
      expectUp(await runFor('large', `${'x'.repeat(200_000)}shop`));
      expectUp(await runFor('small', 'shop'));
    }
  });

  it('is not searched after an unexpected status', async () => {
    target.behave(answer({ status: 500, body: 'nothing' }));
    expectDown(await run(probes, target.url, present('shop')), 'content', 'unexpected_status', /status 500/);
  });

  it('is found in a body that is encoded once or twice, whole or in chunks', async () => {
    const page = `${'<p>filler</p>'.repeat(5_000)}needle`;
    for (const [encoding, body] of [
      ['gzip', gzipSync(page)],
      ['x-gzip', gzipSync(page)],
      ['GZIP', gzipSync(page)],
      ['br', brotliCompressSync(page)],
      ['deflate', deflateSync(page)],
      ['gzip, br', brotliCompressSync(gzipSync(page))],
      ['identity', Buffer.from(page)],
    ] as const) {
      target.behave(answer({ headers: { 'content-encoding': encoding }, body }));
      expectUp(await run(probes, target.url, present('needle')));
      expectDown(await run(probes, target.url, absent('needle')), 'content', 'keyword_present', /needle/);
    }
    target.behave(raw('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nnee\r\n3\r\ndle\r\n0\r\n\r\n'));
    expectUp(await run(probes, target.url, present('needle')));
  });

  it('cannot be searched for in a body that cannot be decoded', async () => {
    target.behave(answer({ headers: { 'content-encoding': 'gzip' }, body: 'this is not gzip at all' }));
    expectDown(
      await run(probes, target.url, absent('x')),
      'content',
      'protocol_error',
      'The keyword could not be searched for: the body of the answer is not valid gzip data.',
    );
    target.behave(answer({ headers: { 'content-encoding': 'zstd' } }));
    expectDown(await run(probes, target.url, present('ok')), 'content', 'protocol_error', /is not valid zstd data\.$/);
    target.behave(answer({ headers: { 'content-encoding': 'gzip, gzip, gzip, gzip' } }));
    expectDown(await run(probes, target.url, present('ok')), 'content', 'protocol_error', /many times over encoded/);
    expectUp(await run(probes, target.url));
  });

  it('is searched in the body as it came if its coding does not exist, which the evidence notes', async () => {
    for (const encoding of [
      'none',
      'UTF-8',
      'aws-chunked',
      'None, utf-8',
      'gzip, none',
      'aws-chunked,',
      'binary',
      'compress',
    ]) {
      target.behave(answer({ headers: { 'content-encoding': encoding }, body: 'our shop' }));
      expectUp(await run(probes, target.url, present('our shop')));
      const report = await run(probes, target.url, absent('our shop'));
      expectDown(report, 'content', 'keyword_present', /our shop/);
      expect(report.evidence!.bodyStart).to.equal('our shop');
      expect(report.evidence!.notes).to.have.length(1);
      expect(report.evidence!.notes![0]).to.match(
        /^Its Content-Encoding is “.+”: there is no coding “.+” .*as it came\.$/,
      );
    }
    for (const encoding of ['identity', 'IDENTITY', '', 'identity, Identity']) {
      target.behave(answer({ headers: { 'content-encoding': encoding }, body: 'our shop' }));
      const report = await run(probes, target.url, absent('our shop'));
      expect(report.evidence).to.include({ bodyStart: 'our shop' }).and.not.to.have.property('notes');
    }
  });

  it('is found where an undeclared charset is not UTF-8, which the evidence notes', async () => {
    target.behave(answer({ headers: { 'content-type': 'text/html' }, body: Buffer.from('<p>Grüße \x80', 'latin1') }));
    expectUp(await run(probes, target.url, present('Grüße €')));
    const report = await run(probes, target.url, absent('Grüße'));
    expect(report.evidence!.bodyStart).to.equal('<p>Grüße €');
    expect(report.evidence!.notes![0]).to.include('windows-1252');
  });

  it('is found in charsets other than UTF-8', async () => {
    for (const [type, body] of [
      ['text/html; charset=ISO-8859-1', Buffer.from('Grüße', 'latin1')],
      ['text/html; charset="windows-1252"', Buffer.from('Grüße', 'latin1')],
      ['text/html', Buffer.from('<meta charset="latin1"><p>Grüße', 'latin1')],
      ['text/html', Buffer.from('Grüße')],
      ['text/html; charset=utf-16le', Buffer.from('Grüße', 'utf16le')],
      ['text/html; charset=no-such-thing', Buffer.from('Grüße')],
      ['text/html; charset=latin1', Buffer.from('\ufeffGrüße')],
    ] as const) {
      target.behave(answer({ headers: { 'content-type': type }, body }));
      expect((await run(probes, target.url, present('Grüße'))).outcome.kind, type).to.equal('up');
    }
  });

  it('is searched in the first 1 MiB, as the sentence states', async () => {
    target.behave(answer({ body: `${'x'.repeat(1024 * 1024)}needle` }));
    expectDown(
      await run(probes, target.url, present('needle')),
      'content',
      'keyword_missing',
      'The answer does not contain the keyword “needle” in the first 1 MiB of its body.',
    );
    expectUp(await run(probes, target.url, absent('needle')));
    target.behave(answer({ body: `${'x'.repeat(1024 * 1024 - 6)}needle` }));
    expectUp(await run(probes, target.url, present('needle')));
  });

  it('can be in what is missing of an encoded body, which is no answer without it', async () => {
    const text = `needle ${Array.from({ length: 2_000 }, (_, index) => (index * 7_919).toString(36)).join(' ')}`;
    for (const [coding, encoded] of [
      ['gzip', gzipSync(text)],
      ['br', brotliCompressSync(text)],
      ['deflate', deflateSync(text)],
    ] as const) {
      const headers = { 'content-encoding': coding };
      target.behave(answer({ headers, body: encoded.subarray(0, encoded.length - 200) }));
      expectUp(await run(probes, target.url, present('needle')));
      const unreadable = new RegExp(`not valid ${coding} data`);
      expectDown(await run(probes, target.url, absent('haystack')), 'content', 'protocol_error', unreadable);
      expectDown(await run(probes, target.url, absent('needle')), 'content', 'keyword_present', /needle/);
      target.behave(answer({ headers, body: encoded }));
      expectUp(await run(probes, target.url, absent('haystack')));
    }
  });

  it('needs little memory if a small body decodes to gigabytes', async () => {
    const bomb = gzipSync(gzipSync(Buffer.alloc(200 * 1024 * 1024)));
    target.behave(answer({ headers: { 'content-encoding': 'gzip, gzip' }, body: bomb }));
    const before = process.memoryUsage().rss;
    expectDown(await run(probes, target.url, present('needle')), 'content', 'keyword_missing', /in the first 1 MiB/);
    expect(process.memoryUsage().rss - before).to.be.below(64 * 1024 * 1024);
  });
});
