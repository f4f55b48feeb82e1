import { createEgressPolicy } from '@watchpost/shared/egress';
import { expect } from 'chai';
import { createAuthority, type TestAuthority } from '../../support/certificates.js';
import { answer, redirectTo } from '../../support/target-behaviours.js';
import { startTarget, type Target } from '../../support/target-server.js';
import { expectDown, expectUp, run, testProbes } from './probe-check.js';
import type { Probes } from '@watchpost/agent/probes/index';

/** An address where nothing listens: the name of the URL leads there. */
const NOWHERE = '127.255.255.254';

describe('an HTTP check that connects to another place', () => {
  let authority: TestAuthority;
  let origin: Target;
  let other: Target;
  let probes: Probes;
  const asked: string[] = [];
  before(async () => {
    authority = await createAuthority();
    const tls = await authority.issue({ names: ['shop.example', 'other.example'] });
    origin = await startTarget({ behaviour: answer({ body: 'origin' }), tls });
    other = await startTarget({ behaviour: answer({ body: 'other' }), tls });
    probes = testProbes({
      extraCertificates: [authority.rootPem],
      lookup: (host, done) => {
        asked.push(host);
        done(null, [host === 'shop.example' ? NOWHERE : '127.0.0.1']);
      },
    });
  });
  afterEach(() => [asked, origin.requests, other.requests].forEach((list) => list.splice(0)));
  after(() => Promise.all([origin.close(), other.close()]));
  const at = (host: string, { port } = origin) => ({ connectTo: { host, port } });

  it('keeps the name of its URL in TLS, for the certificate and as Host, and does not look it up', async () => {
    const report = await run(probes, 'https://shop.example/a', at('127.0.0.1'));
    expectUp(report);
    expect(report.address).to.equal(`127.0.0.1:${origin.port}`);
    expect(asked).to.deep.equal([]);
    const [seen] = origin.requests;
    expect([seen!.servername, seen!.headers.host, seen!.path]).to.deep.equal(['shop.example', 'shop.example', '/a']);
    expectDown(
      await run(probes, 'https://wrong.example/', at('127.0.0.1')),
      'tls',
      'certificate_invalid',
      `The certificate at 127.0.0.1:${origin.port} is not for wrong.example, but for shop.example, other.example.`,
    );
  });

  it('can name a host, whose addresses are looked up at every check', async () => {
    expectUp(await run(probes, 'https://shop.example/', at('server-7.example')));
    expect(asked).to.deep.equal(['server-7.example']);
    const unknown = testProbes({
      lookup: (_host, done) => done(Object.assign(new Error(), { code: 'ENOTFOUND' }), []),
    });
    expectDown(
      await run(unknown, 'https://shop.example/', at('server-7.example')),
      'dns',
      'dns_not_found',
      'The name server-7.example does not exist, or has no address.',
    );
  });

  it('follows redirects within the origin of its URL there, and those to another origin to that', async () => {
    origin.route('/a', redirectTo('/b'));
    origin.route('/b', redirectTo(`https://other.example:${other.port}/c`));
    other.route('/c', redirectTo('https://shop.example/d'));
    const report = await run(probes, 'https://shop.example/a', {
      ...at('127.0.0.1'),
      keyword: { text: 'other', mode: 'present' },
    });
    expect(origin.requests.map(({ path }) => path)).to.deep.equal(['/a', '/b', '/d']);
    expect(other.requests.map(({ path, headers }) => [path, headers.host])).to.deep.equal([
      ['/c', `other.example:${other.port}`],
    ]);
    expect(asked).to.deep.equal(['other.example']);
    const places = [origin, origin, other, origin].map(({ port }) => `127.0.0.1:${port}`);
    expect(report.evidence!.hops!.map(({ address }) => address)).to.deep.equal(places);
    expect(report.evidence!.hops!.map(({ url }) => new URL(url).host)).to.deep.equal([
      ...['shop.example', 'shop.example', `other.example:${other.port}`, 'shop.example'],
    ]);
  });

  it('never reaches an address outside the egress policy: by address, by name, by a name that changes, or beyond a redirect', async () => {
    const egress = { monitorEgress: createEgressPolicy({ allowCidrs: ['127.0.0.1/32'] }) };
    const trapped = (...answers: string[][]): Probes =>
      testProbes({
        ...egress,
        extraCertificates: [authority.rootPem],
        lookup: (_host, done) => done(null, answers.length > 1 ? answers.shift()! : answers[0]!),
      });
    for (const address of [
      '10.0.0.1',
      '127.0.0.2',
      '169.254.169.254',
      '::1',
      '::ffff:10.0.0.1',
      '0.0.0.0',
      'fd00::1',
    ]) {
      expectDown(
        await run(trapped(['127.0.0.1']), 'https://shop.example/', at(address)),
        'egress',
        'address_not_allowed',
        new RegExp(`^Checks may not connect to ${address.replaceAll('.', '\\.')}: `),
      );
      expectDown(
        await run(trapped([address]), 'https://shop.example/', at('inside.example')),
        'egress',
        'address_not_allowed',
        /^Checks may not connect to inside\.example: /,
      );
    }
    const rebound = trapped(['127.0.0.1'], ['127.0.0.2']);
    origin.route('/', redirectTo('/next'));
    expectDown(
      await run(rebound, 'https://shop.example/', at('inside.example')),
      'egress',
      'address_not_allowed',
      /^Checks may not connect to inside\.example: 127\.0\.0\.2 is a loopback address/,
    );
    origin.route('/', redirectTo('https://10.0.0.1/'));
    expectDown(
      await run(trapped(['127.0.0.1']), 'https://shop.example/', at('127.0.0.1')),
      'egress',
      'address_not_allowed',
      /^Checks may not connect to 10\.0\.0\.1: /,
    );
  });
});
