import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { expect } from 'chai';
import { createAuthority, selfSigned, type ServerCertificate, type TestAuthority } from '../../support/certificates.js';
import { answer, redirectTo } from '../../support/target-behaviours.js';
import { startTarget, type Target } from '../../support/target-server.js';
import { expectDown, expectUp, run, testProbes } from './probe-check.js';
import type { Probes } from '@watchpost/agent/probes/index';

const BASIC = { type: 'basic', username: 'robot', password: 'hunter2!x' } as const;
const BEARER = { type: 'bearer', token: 'geheim-token-7' } as const;

describe('a check that signs in', () => {
  const probes = testProbes();
  let own: Target;
  let foreign: Target;
  before(async () => {
    own = await startTarget({ behaviour: answer() });
    foreign = await startTarget({ behaviour: answer() });
  });
  afterEach(() => {
    own.requests.splice(0);
    foreign.requests.splice(0);
  });
  after(() => Promise.all([own.close(), foreign.close()]));
  const sent = (target: Target) => target.requests.map(({ headers }) => headers.authorization);

  it('sends Basic in UTF-8 and a bearer token as they are', async () => {
    expectUp(await run(probes, own.url, { auth: { ...BASIC, password: 'pässwörd' } }));
    expectUp(await run(probes, own.url, { auth: BEARER }));
    expect(sent(own)).to.deep.equal([
      `Basic ${Buffer.from('robot:pässwörd').toString('base64')}`,
      'Bearer geheim-token-7',
    ]);
  });

  for (const auth of [BASIC, BEARER])
    it(`follows redirects within its origin with ${auth.type}, and goes to another origin without`, async () => {
      own.route('/a', redirectTo('/b'));
      own.route('/b', redirectTo(`${foreign.url}/c`));
      foreign.route('/c', redirectTo(`${own.url}/d`));
      expectUp(await run(probes, `${own.url}/a`, { auth }));
      const [first, second, third] = sent(own);
      expect([first, second]).to.deep.equal([first, first]);
      expect([third, ...sent(foreign)], 'nor back').to.deep.equal([undefined, undefined]);
    });

  it('hides its credentials in the evidence of a site that repeats them', async () => {
    own.route('/echo', ({ request, socket }) => {
      const { authorization } = request.headers;
      const body = `${authorization} ${Buffer.from(authorization!.split(' ')[1]!, 'base64').toString()}`;
      socket.end(`HTTP/1.1 500 Oops\r\nX-Echo: ${authorization}\r\nConnection: close\r\n\r\n${body}`);
    });
    const short = { ...BASIC, password: 'h5!x' };
    for (const auth of [BASIC, BEARER, short, { ...BASIC, password: 'пароль' }]) {
      const report = await run(probes, `${own.url}/echo`, { auth });
      expectDown(report, 'content', 'unexpected_status', /500/);
      const text = JSON.stringify(report);
      expect(text).to.include('***');
      const pairs = ['hunter2!x', 'h5!x', 'пароль'].flatMap((password) => [
        password,
        Buffer.from(`robot:${password}`).toString('base64'),
        Buffer.from(password).toString('base64').slice(0, 6),
      ]);
      for (const secret of [...pairs, 'geheim-token-7']) expect(text).not.to.include(secret);
    }
  });

  describe('with a client certificate', () => {
    let authority: TestAuthority;
    let client: ServerCertificate;
    let strict: Server;
    let trusting: Probes;
    let url: string;
    const certificateOf = ({ cert, key }: ServerCertificate) =>
      ({ type: 'clientCertificate', certificate: cert, key }) as const;
    const peers: (string | undefined)[] = [];

    before(async () => {
      authority = await createAuthority();
      client = await authority.issue({ usage: 'clientAuth', names: ['robot.example'] });
      trusting = testProbes({ extraCertificates: [authority.rootPem] });
      const server = await authority.issue();
      strict = createServer(
        { ...server, ca: authority.rootPem, requestCert: true, rejectUnauthorized: true },
        (request, response) => {
          const { subject } = (request.socket as TLSSocket).getPeerCertificate();
          peers.push(subject.CN as string);
          if (request.url!.startsWith('/to?')) response.writeHead(302, { location: request.url!.slice(4) }).end();
          else response.end('welcome');
        },
      ).listen(0, '127.0.0.1');
      await new Promise((listening) => strict.once('listening', listening));
      url = `https://127.0.0.1:${(strict.address() as AddressInfo).port}`;
    });
    after(() => strict.close());
    afterEach(() => peers.splice(0));

    it('is up where the server demands it, whether or not it verifies the certificate of the server', async () => {
      for (const verifyCertificate of [true, false])
        expectUp(await run(trusting, url, { auth: certificateOf(client), verifyCertificate }));
      expect(peers).to.deep.equal(['robot.example', 'robot.example']);
      expectDown(await run(trusting, url), 'tls', 'tls_failure', /asks for a client certificate\.$/);
    });

    it('is down where the server does not accept it', async () => {
      const other = await selfSigned({ usage: 'clientAuth' });
      // Node closes the connection without an alert.
      const report = await run(trusting, url, { auth: certificateOf(other) });
      expectDown(report, 'firstByte', 'protocol_error', /closed the connection without an answer\.$/);
      expect(peers).to.deep.equal([]);
    });

    it('presents it to no other origin', async () => {
      let presented: unknown = 'nothing asked';
      const curious = createServer(
        { ...(await authority.issue()), requestCert: true, rejectUnauthorized: false },
        (request, response) => {
          presented = (request.socket as TLSSocket).getPeerCertificate();
          response.end();
        },
      ).listen(0, '127.0.0.1');
      await new Promise((listening) => curious.once('listening', listening));
      const elsewhere = `https://127.0.0.1:${(curious.address() as AddressInfo).port}/`;
      expectUp(await run(trusting, `${url}/to?${elsewhere}`, { auth: certificateOf(client) }));
      expect(presented).to.deep.equal({});
      curious.close();
    });
  });
});
