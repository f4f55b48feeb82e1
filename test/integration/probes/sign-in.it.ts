import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { expect } from 'chai';
import { createAuthority, selfSigned, type ServerCertificate, type TestAuthority } from '../../support/certificates.js';
import { eventually } from '../../support/eventually.js';
import { answer, redirectTo } from '../../support/target-behaviours.js';
import { startTarget, type Target } from '../../support/target-server.js';
import { expectDown, expectUp, run, testProbes } from './probe-check.js';
import { step } from './step-check.js';
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

    /** A server that asks for a certificate, and notes whose it gets. */
    const curiousServer = async (redirect?: (path: string) => string | undefined) => {
      const seen: string[] = [];
      const server = createServer(
        {
          ...(await authority.issue({ names: ['shop.example', '127.0.0.1'] })),
          requestCert: true,
          rejectUnauthorized: false,
        },
        (request, response) => {
          const { subject } = (request.socket as TLSSocket).getPeerCertificate();
          seen.push(`${request.url} ${subject ? String(subject.CN) : 'none'}`);
          const to = redirect?.(request.url!);
          response.writeHead(to ? 302 : 200, to ? { location: to } : {}).end();
        },
      ).listen(0, '127.0.0.1');
      await new Promise((listening) => server.once('listening', listening));
      const { port } = server.address() as AddressInfo;
      let sockets = 0;
      server.on('connection', (socket) => {
        sockets++;
        socket.once('close', () => sockets--);
      });
      return { seen, port, url: `https://127.0.0.1:${port}`, open: () => sockets, close: () => server.close() };
    };

    it('presents it at the place that `connectTo` names, for its origin alone', async () => {
      const elsewhere = await curiousServer();
      const place = await curiousServer((path) =>
        path === '/a' ? '/b' : path === '/b' ? `${elsewhere.url}/c` : undefined,
      );
      try {
        const connectTo = { host: '127.0.0.1', port: place.port };
        const options = { auth: certificateOf(client), connectTo };
        expectUp(await run(trusting, 'https://shop.example/a', options));
        expect([...place.seen, ...elsewhere.seen]).to.deep.equal(['/a robot.example', '/b robot.example', '/c none']);
      } finally {
        place.close();
        elsewhere.close();
      }
    });

    it('presents that of each step to the origin of that step alone', async () => {
      const other = await authority.issue({ usage: 'clientAuth', names: ['other.example'] });
      const there = await curiousServer();
      const here = await curiousServer((path) => (path === '/away' ? `${there.url}/redirected` : undefined));
      try {
        const report = await run(trusting, `${here.url}/own`, {
          auth: certificateOf(client),
          steps: [
            step('none', `${here.url}/none`),
            step('other', `${here.url}/other`, { auth: certificateOf(other) }),
            step('away', `${here.url}/away`, { auth: certificateOf(other) }),
            step('there', `${there.url}/there`, { auth: certificateOf(client) }),
            step('last', `${there.url}/last`, { always: true }),
          ],
        });
        expectUp(report);
        expect(here.seen).to.deep.equal([
          '/own robot.example',
          '/none none',
          '/other other.example',
          '/away other.example',
        ]);
        expect(there.seen).to.deep.equal(['/redirected none', '/there robot.example', '/last none']);
      } finally {
        here.close();
        there.close();
      }
    });

    it('names what is wrong with one that cannot be used, and closes the connection', async () => {
      const weak = await authority.issue({ usage: 'clientAuth', key: 'RSA-768' });
      const other = await authority.issue({ usage: 'clientAuth' });
      const there = await curiousServer();
      const used = certificateOf(client);
      try {
        for (const [auth, why] of [
          [certificateOf(weak), /ee key too small/],
          [{ ...used, key: other.key }, /key values mismatch/],
          [{ ...used, key: 'no key' }, /./],
          [{ ...used, certificate: 'none' }, /./],
        ] as const) {
          const sentence = /^The check cannot be sent: its client certificate cannot be used \((.+)\)\.$/;
          const report = await run(trusting, there.url, { auth });
          expectDown(report, 'request', 'invalid_target', sentence);
          expect((report.outcome as { message: string }).message)
            .to.match(why)
            .and.not.match(/undefined|BEGIN/);
          const steps = [step('sign in', there.url, { auth }), step('leave', `${own.url}/leave`, { always: true })];
          const run2 = await run(trusting, own.url, { steps });
          expectDown(run2, 'request', 'invalid_target', /^Step “sign in”: The check cannot be sent: its client/);
          expect(run2.steps!.at(-1)!.wasAvailable, 'what always runs still does').to.equal(true);
        }
        await eventually('the connections are closed', () => there.open() === 0 || undefined);
        expect(there.seen).to.deep.equal([]);
      } finally {
        there.close();
      }
    });
  });
});
