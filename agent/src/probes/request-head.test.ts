import { expect } from 'chai';
import fc from 'fast-check';
import { ProbeFault } from './probe-fault.js';
import { firstRequest, type HttpRequest } from './request-head.js';

const target = { url: 'http://shop.example/', method: 'GET', headers: [], body: null, connectTo: null };

describe('the request of a check', () => {
  it('has every header on one line, or the check is refused', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (name, value, method) => {
        const request = firstRequest({ ...target, method, headers: [{ name, value }] }, 'test');
        if (request instanceof ProbeFault) {
          expect(request.key).to.equal('invalid_target');
          return;
        }
        const lines = request.head.split('\r\n');
        expect(lines.slice(-2)).to.deep.equal(['', '']);
        expect(lines.slice(1, -2).every((line) => /^[!#$%&'*+\-.^_`|~\w]+: [^\r\n]*$/.test(line))).to.equal(true);
        expect(lines.filter((line) => line.toLowerCase().startsWith('host:'))).to.have.length(1);
      }),
      { numRuns: 1_000 },
    );
    for (const value of ['a\r\nX-Evil: 1', 'a\nb', 'a\0b', '\u0100']) {
      expect(firstRequest({ ...target, headers: [{ name: 'X-A', value }] }, 'test')).to.deep.equal(
        new ProbeFault('invalid_target', { why: 'its header “X-A” has characters that are not allowed in a header' }),
      );
    }
    expect(firstRequest({ ...target, headers: [{ name: 'X A\r\n', value: '' }] }, 'test')).to.be.instanceOf(ProbeFault);
    for (const method of ['GET /x HTTP/1.1\r\n', '', 'CONNECT', 'connect'])
      expect(firstRequest({ ...target, method }, 'test')).to.be.instanceOf(ProbeFault);
  });

  it('is sent to the host and port of its URL, in any notation', () => {
    for (const [url, host, port, address, line] of [
      ['http://shop.example', 'shop.example', 80, null, 'Host: shop.example'],
      ['https://SHOP.example:443/', 'shop.example', 443, null, 'Host: shop.example'],
      ['https://shop.example:8443/', 'shop.example', 8443, null, 'Host: shop.example:8443'],
      ['http://bücher.example/', 'xn--bcher-kva.example', 80, null, 'Host: xn--bcher-kva.example'],
      ['http://0x7f.1/', '127.0.0.1', 80, '127.0.0.1', 'Host: 127.0.0.1'],
      ['http://[2001:DB8::1]:81/', '2001:db8::1', 81, '2001:db8::1', 'Host: [2001:db8::1]:81'],
    ] as const) {
      const request = firstRequest({ ...target, url }, 'test') as HttpRequest;
      const { place } = request;
      expect([request.host, place.port, place.address, request.head.split('\r\n')[1]]).to.deep.equal([
        host,
        port,
        address,
        line,
      ]);
    }
  });

  it('contains exactly the path and query, and no fragment', () => {
    for (const [url, line] of [
      ['http://a.example/ä b?q=ü#frag', 'GET /%C3%A4%20b?q=%C3%BC HTTP/1.1'],
      ['http://a.example?x', 'GET /?x HTTP/1.1'],
      ['http://a.example/a\r\nb', 'GET /ab HTTP/1.1'],
    ] as const) {
      expect((firstRequest({ ...target, url }, 'test') as HttpRequest).head.split('\r\n')[0]).to.equal(line);
    }
  });
});
