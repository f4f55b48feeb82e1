import { expect } from 'chai';
import fc from 'fast-check';
import { httpCheck } from '@watchpost/shared/checks/http';
import { decideRedirect } from './decide-redirect.js';
import { ProbeFault } from './probe-fault.js';
import { prepareRequest, type HttpRequest } from './request-head.js';

const from = (url: string, parts: Partial<Pick<HttpRequest, 'method' | 'headers' | 'body'>> = {}): HttpRequest =>
  prepareRequest({ url: new URL(url), method: 'GET', headers: [], body: null, ...parts }, 'test', null);
const target = httpCheck.target.parse({ url: 'http://a.example/' });
const decide = (request: HttpRequest, statusCode: number, locations: readonly string[], count = 1) => {
  const head = { statusCode, headers: locations.flatMap((location) => ['location', location]) };
  const answers = Array.from({ length: count }, () => ({ url: request.href, head }));
  return decideRedirect(target, request, answers, 'test');
};
const host = fc.constantFrom('a.example', 'b.example', '192.0.2.1', '[2001:db8::1]');
const origin = fc
  .tuple(fc.constantFrom('http', 'https'), host, fc.constantFrom('', ':8080'))
  .map(([scheme, name, port]) => `${scheme}://${name}${port}`);
const status = fc.constantFrom(301, 302, 303, 307, 308);
const secret = fc.constantFrom(
  'Authorization',
  'Cookie',
  'X-Api-Key',
  'X-Anything',
  'Proxy-Authorization',
  'Host',
  'Origin',
  'Referer',
);

describe('a redirect', () => {
  it('removes headers that can be secret for another origin, and keeps all within one origin', () => {
    fc.assert(
      fc.property(origin, origin, status, secret, (here, there, code, name) => {
        const next = decide(from(`${here}/x`, { headers: [{ name, value: 'geheim' }] }), code, [
          `${there}/y`,
        ]) as HttpRequest;
        expect(next.head.includes('geheim')).to.equal(new URL(here).origin === new URL(there).origin);
      }),
    );
  });

  it('keeps method and body together, or becomes a GET without a body', () => {
    fc.assert(
      fc.property(status, fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH'), (code, method) => {
        const body = Buffer.from('x');
        const next = decide(from('http://a.example/', { method, body }), code, ['/y']) as HttpRequest;
        if (next.method === method && method !== 'GET') expect(next.body).to.equal(body);
        else if (next.method !== method) expect([next.method, next.body]).to.deep.equal(['GET', null]);
        if (code >= 307) expect(next.method).to.equal(method);
        if (method === 'HEAD') expect(next.method).to.equal('HEAD');
      }),
    );
  });

  it('leads to http or https only, without credentials, whatever the location contains', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.webUrl(),
          fc.constantFrom('//u:p@b.example', 'http:\\\\u@b.example', 'data:x', '\u0000', 'http://u:p@a.example:80/#f'),
        ),
        status,
        (location, code) => {
          const next = decide(from('https://a.example/dir/page?q'), code, [location]);
          if (next === null || next instanceof ProbeFault) return;
          const url = new URL(next.href);
          expect(url.protocol).to.match(/^https?:$/);
          expect([url.username, url.password, url.hash]).to.deep.equal(['', '', '']);
          expect(next.head).to.match(/^[^\r\n]+ HTTP\/1\.1\r\n(?:[^\r\n]+\r\n)+\r\n$/);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('is not followed without a location, or with a status that requires a choice', () => {
    for (const code of [200, 300, 304, 305, 306, 400])
      expect(decide(from('http://a.example'), code, ['/x'])).to.equal(null);
    expect(decide(from('http://a.example'), 302, [])).to.equal(null);
  });

  it('is refused after ten', () => {
    expect(decide(from('http://a.example'), 302, ['/x'], 10)).not.to.be.instanceOf(ProbeFault);
    expect(decide(from('http://a.example'), 302, ['/x'], 11)).to.deep.equal(
      new ProbeFault('too_many_redirects', { limit: 10, to: 'http://a.example/x' }),
    );
  });
});
