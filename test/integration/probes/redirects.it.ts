import { expect } from 'chai';
import {
  after as delayed,
  answer,
  hang,
  raw,
  rawThenHang,
  redirectTo,
  truncated,
} from '../../support/target-behaviours.js';
import { startTarget, type Target } from '../../support/target-server.js';
import { expectDown, expectUp, run, testProbes } from './probe-check.js';

const SECRETS = [
  { name: 'Authorization', value: 'Bearer geheim' },
  { name: 'Cookie', value: 'a=b' },
  { name: 'X-Internal-Key', value: 'geheim' },
  { name: 'Accept-Language', value: 'de' },
];

describe('a redirect', () => {
  const probes = testProbes();
  let first: Target;
  let second: Target;
  before(async () => {
    first = await startTarget({ behaviour: answer({ status: 404 }) });
    second = await startTarget({ behaviour: answer({ body: 'there' }) });
  });
  afterEach(() => {
    first.requests.splice(0);
    second.requests.splice(0);
  });
  after(() => Promise.all([first.close(), second.close()]));

  it('is followed, and the time includes all hops', async () => {
    first.route('/a', delayed(30, redirectTo('b')));
    first.route('/b', delayed(30, redirectTo(`${second.url}/c?d=1`, 301)));
    const report = await run(probes, `${first.url}/a`);
    expectUp(report);
    expect(report).to.include({ statusCode: 200, address: `127.0.0.1:${second.port}` });
    expect(report.timings.firstByteUs).to.be.above(55_000);
    expect(first.requests.map((request) => request.path)).to.deep.equal(['/a', '/b']);
    expect(second.requests.map((request) => request.path)).to.deep.equal(['/c?d=1']);
    expect(second.requests[0]!.headers.host).to.equal(`127.0.0.1:${second.port}`);
  });

  it('is followed if its location is repeated, and not if there are several', async () => {
    first.route('/a', answer({ status: 302, headers: { location: [second.url, second.url] } }));
    expectUp(await run(probes, `${first.url}/a`));
    expect(second.requests).to.have.length(1);
    first.route('/a', answer({ status: 302, headers: { location: [second.url, `${second.url}/b`] } }));
    expectDown(
      await run(probes, `${first.url}/a`),
      'content',
      'bad_redirect',
      `The redirect from ${first.url}/a cannot be followed: it names several locations.`,
    );
    expect(second.requests).to.have.length(1);
  });

  it('leaves evidence of all hops if the last one fails', async () => {
    first.route('/a', redirectTo('/gone', 308));
    const report = await run(probes, `${first.url}/a`);
    expectDown(report, 'content', 'unexpected_status', /status 404/);
    expect(report.evidence!.hops!.map((hop) => [hop.url, hop.statusCode])).to.deep.equal([
      [`${first.url}/a`, 308],
      [`${first.url}/gone`, 404],
    ]);
    first.route('/a', redirectTo('http://127.0.0.1:1/'));
    const refused = await run(probes, `${first.url}/a`);
    expectDown(refused, 'connect', 'connection_refused', 'The server at 127.0.0.1:1 refused the connection.');
    expect(refused.statusCode).to.equal(null);
    expect(refused.evidence!.hops!.map((hop) => hop.address)).to.deep.equal([`127.0.0.1:${first.port}`, '127.0.0.1:1']);
  });

  it('is the final response if the monitor does not follow redirects, or without a location', async () => {
    first.route('/a', redirectTo(second.url));
    const report = await run(probes, `${first.url}/a`, { followRedirects: false });
    expectUp(report);
    expect(report.statusCode).to.equal(302);
    expect(second.requests).to.deep.equal([]);
    expectDown(
      await run(probes, `${first.url}/a`, { followRedirects: false, expectedStatus: [{ from: 200, to: 299 }] }),
      'content',
      'unexpected_status',
      /status 302 Found/,
    );
    for (const status of [300, 304, 305, 306]) {
      first.route('/a', answer({ status, headers: { location: second.url } }));
      expect((await run(probes, `${first.url}/a`)).statusCode).to.equal(status);
    }
    first.route('/a', answer({ status: 302 }));
    expect((await run(probes, `${first.url}/a`)).statusCode).to.equal(302);
  });

  it('turns a POST into a GET like browsers, and repeats it for 307 and 308', async () => {
    const post = { method: 'POST', body: 'order', headers: [{ name: 'Content-Type', value: 'text/plain' }] };
    for (const [status, method, body, type] of [
      [301, 'GET', '', undefined],
      [302, 'GET', '', undefined],
      [303, 'GET', '', undefined],
      [307, 'POST', 'order', 'text/plain'],
      [308, 'POST', 'order', 'text/plain'],
    ] as const) {
      first.route('/a', redirectTo('/b', status));
      first.route('/b', answer());
      await run(probes, `${first.url}/a`, post);
      const seen = first.requests.at(-1)!;
      expect(
        [seen.path, seen.method, seen.body.toString(), seen.headers['content-type']],
        String(status),
      ).to.deep.equal(['/b', method, body, type]);
    }
    for (const [status, method] of [
      [301, 'HEAD'],
      [303, 'HEAD'],
      [302, 'PUT'],
      [307, 'DELETE'],
    ] as const) {
      first.route('/a', redirectTo('/b', status));
      await run(probes, `${first.url}/a`, { method });
      expect(first.requests.at(-1)!.method, String(status)).to.equal(method);
    }
    first.route('/a', redirectTo('/b', 303));
    await run(probes, `${first.url}/a`, { method: 'PUT', body: 'x' });
    expect(first.requests.at(-1)!.method).to.equal('GET');
  });

  it('keeps secret headers within a site, and removes them for another', async () => {
    first.route('/a', redirectTo('/b'));
    first.route('/b', redirectTo(`${second.url}/c`));
    second.route('/c', redirectTo(`${first.url}/d`));
    first.route('/d', answer());
    await run(probes, `${first.url}/a`, { headers: SECRETS });
    const names = (target: Target, index: number) =>
      target.requests[index]!.rawHeaders.map(([name]) => name).filter((name) =>
        SECRETS.some((header) => header.name === name),
      );
    expect(names(first, 1)).to.deep.equal(['Authorization', 'Cookie', 'X-Internal-Key', 'Accept-Language']);
    expect(names(second, 0)).to.deep.equal(['Accept-Language']);
    expect(names(first, 2), 'nor back').to.deep.equal(['Accept-Language']);
  });

  it('keeps the cookies that a site sets within one check, for that site alone, unless the monitor keeps none', async () => {
    const setting = (location: string, ...cookies: string[]) =>
      answer({ status: 302, headers: { location, 'set-cookie': cookies } });
    first.route(
      '/a',
      setting('/shop/b', 'consent=yes; Path=/', 'a=new; Path=/', 'deep=1; Path=/other', 'bad=1; Domain=b.example'),
    );
    first.route('/shop/b', setting('/shop/c', 'cart=7', 'tls=1; Secure', 'short=1; Path=/; Max-Age=60'));
    first.route(
      '/shop/c',
      setting(
        `${second.url}/d`,
        'short=; Path=/; Max-Age=0',
        'consent=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT',
      ),
    );
    second.route('/d', setting(`${first.url}/e`, 'foreign=1; Path=/'));
    first.route('/e', answer());
    const cookies = (target: Target) => target.requests.map((request) => request.headers.cookie);
    expectUp(await run(probes, `${first.url}/a`, { headers: SECRETS }));
    expect(cookies(first)).to.deep.equal(['a=b', 'consent=yes; a=new', 'cart=7; consent=yes; a=new; short=1', 'a=new']);
    expect(cookies(second)).to.deep.equal([undefined]);
    first.requests.splice(0);
    expectUp(await run(probes, `${first.url}/a`));
    expect(cookies(first)[0], 'another check begins without').to.equal(undefined);
    first.requests.splice(0);
    expectUp(await run(probes, `${first.url}/a`, { cookies: 'none', headers: SECRETS }));
    expect(cookies(first)).to.deep.equal(['a=b', 'a=b', 'a=b', undefined]);
  });

  it('never sends credentials in a location', async () => {
    first.route('/a', redirectTo(`http://user:geheim@127.0.0.1:${second.port}/x`));
    expectUp(await run(probes, `${first.url}/a`));
    expect(second.requests[0]!.headers).not.to.have.property('authorization');
  });

  it('to another scheme is a fault', async () => {
    for (const [location, why] of [
      ['ftp://127.0.0.1/', 'ftp://127.0.0.1/ is neither an http nor an https address'],
      ['javascript:alert(1)', /neither an http/],
      ['file:///etc/passwd', /neither an http/],
      ['http://', '“http://” is not a URL'],
      ['https://exa mple/', /is not a URL/],
      ['//[::1', /is not a URL/],
    ] as const) {
      first.route('/a', redirectTo(location));
      const report = await run(probes, `${first.url}/a`);
      expectDown(
        report,
        'content',
        'bad_redirect',
        typeof why === 'string' ? `The redirect from ${first.url}/a cannot be followed: ${why}.` : why,
      );
      expect(report.evidence!.headers!.location).to.equal(location);
    }
  });

  it('can have a location in UTF-8', async () => {
    first.route('/a', redirectTo(Buffer.from('/grüße').toString('latin1')));
    first.route('/gr%C3%BC%C3%9Fe', answer());
    expectUp(await run(probes, `${first.url}/a`));
    expect(first.requests.at(-1)!.path).to.equal('/gr%C3%BC%C3%9Fe');
  });

  it('is followed at most ten times', async () => {
    for (let index = 0; index < 12; index++) first.route(`/${index}`, redirectTo(`/${index + 1}`));
    first.route('/10', answer());
    expectUp(await run(probes, `${first.url}/0`));
    first.route('/10', redirectTo('/11'));
    const report = await run(probes, `${first.url}/0`);
    expectDown(
      report,
      'content',
      'too_many_redirects',
      `The server redirected more than 10 times, last to ${first.url}/11.`,
    );
    expect(report.evidence!.hops).to.have.length(11);
    first.route('/loop', redirectTo('/loop'));
    expectDown(await run(probes, `${first.url}/loop`), 'content', 'too_many_redirects', /last to .*\/loop\.$/);
  });

  it('is subject to the egress policy like the first address', async () => {
    const narrow = testProbes({
      monitorEgress: {
        allows: (address) => address === '127.0.0.1',
        why: (address) => `${address} is off limits`,
        refusal: () => null,
      },
    });
    for (const location of [
      'http://127.0.0.2/',
      'http://2130706434/',
      'http://[::ffff:127.0.0.2]/',
      'http://169.254.169.254/latest/meta-data/',
      'http://0/',
    ]) {
      first.route('/a', redirectTo(location));
      const report = await run(narrow, `${first.url}/a`);
      expectDown(report, 'egress', 'address_not_allowed', /^Checks may not connect to .* is off limits\.$/);
      expect(report.evidence!.hops![1]!.address).to.equal(null);
    }
  });

  it('shares one deadline with all hops', async () => {
    first.route('/a', delayed(50, redirectTo('/b')));
    first.route('/b', delayed(50, redirectTo('/c')));
    first.route('/c', hang);
    const report = await run(probes, `${first.url}/a`, { timeoutMs: 2_000 });
    expectDown(report, 'firstByte', 'timeout', /within 2 s/);
    expect(report.totalUs).to.be.at.least(1_900_000);
    expect(report.timings.firstByteUs).to.be.above(100_000);
    expect(report.evidence!.hops).to.have.length(3);
  });

  it('is followed without waiting for its body', async () => {
    first.route('/a', rawThenHang(`HTTP/1.1 302 Found\r\nlocation: ${second.url}\r\ncontent-length: 1000\r\n\r\n`));
    expectUp(await run(probes, `${first.url}/a`, { timeoutMs: 10_000 }));
    first.route('/a', raw(`HTTP/1.1 302 Found\r\nlocation: ${second.url}\r\ncontent-length: 100\r\n\r\nhalf`));
    expectUp(await run(probes, `${first.url}/a`));
    first.route('/a', truncated('', 10));
    expectDown(await run(probes, `${first.url}/a`), 'transfer', 'protocol_error', /in the middle/);
  });
});
