import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect } from 'chai';
import { DAY_MS } from '@watchpost/shared/time';
import { createAuthority, selfSigned, type ServerCertificate, type TestAuthority } from '../../support/certificates.js';
import { answer, redirectTo, truncated } from '../../support/target-behaviours.js';
import { startTarget, type Target, type TargetOptions } from '../../support/target-server.js';
import { expectDown, expectUp, run, testProbes } from './probe-check.js';
import type { Probes } from '@watchpost/agent/probes/index';

const HELLO_ALERTS = {
  unrecognizedName: 112,
  handshakeFailure: 40,
  protocolVersion: 70,
  noApplicationProtocol: 120,
  internalError: 80,
  unknownCa: 48,
  certificateExpired: 45,
};

describe('a website over TLS', () => {
  let authority: TestAuthority;
  let good: ServerCertificate;
  let probes: Probes;
  const targets: Target[] = [];
  const serve = async (tls: TargetOptions['tls'], options: Partial<TargetOptions> = {}): Promise<Target> => {
    const target = await startTarget({ behaviour: answer(), ...(tls ? { tls } : {}), ...options });
    targets.push(target);
    return target;
  };

  before(async () => {
    authority = await createAuthority();
    good = await authority.issue();
    probes = testProbes({ extraCertificates: [authority.rootPem], lookup: (_host, done) => done(null, ['127.0.0.1']) });
  });
  after(() => Promise.all(targets.map((target) => target.close())));

  it('is up if its certificate is valid, by name and by address', async () => {
    const target = await serve(good);
    const report = await run(probes, target.url);
    expectUp(report);
    expect(report.timings.tlsUs).to.be.above(0);
    expectUp(await run(probes, `https://localhost:${target.port}/`));
    expect(target.requests.map((request) => request.servername)).to.deep.equal([null, 'localhost']);
  });

  it('gets a first message that fits one packet, on each version of Node.js', async () => {
    let hello = 0;
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', (record) => {
        hello = record.readUInt16BE(3);
        socket.destroy();
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    await run(probes, `https://www.shop.example:${(server.address() as AddressInfo).port}/`);
    server.close();
    expect(hello).to.be.within(100, 1_200);
  });

  it('is requested by the name in the URL, including international names and those with a final dot', async () => {
    const target = await serve(await authority.issue({ names: ['xn--bcher-kva.example', '*.shop.example'] }));
    for (const [host, servername, header] of [
      ['bücher.example', 'xn--bcher-kva.example', 'xn--bcher-kva.example'],
      ['WWW.Shop.example', 'www.shop.example', 'www.shop.example'],
      ['www.shop.example.', 'www.shop.example', 'www.shop.example.'],
    ]) {
      expectUp(await run(probes, `https://${host}:${target.port}/`));
      const seen = target.requests.at(-1)!;
      expect([seen.servername, seen.headers.host]).to.deep.equal([servername, `${header}:${target.port}`]);
    }
    expectDown(
      await run(probes, `https://a.b.shop.example:${target.port}/`),
      'tls',
      'certificate_invalid',
      /is not for a\.b\.shop\.example, but for xn--bcher-kva\.example, \*\.shop\.example\.$/,
    );
  });

  it('has the certificate that was not accepted in the evidence of that check', async () => {
    const target = await serve(await authority.issue({ names: ['other.example', '*.other.example'] }));
    const { evidence } = await run(probes, target.url);
    expect(evidence!.certificate).to.deep.include({
      subject: 'CN=other.example',
      issuer: 'CN=Watchpost Test Intermediate',
      subjectAltNames: ['other.example', '*.other.example'],
    });
    expect(evidence!.certificate!.fingerprint256).to.match(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/);
    const refused = await run(probes, (await serve(good, { behaviour: answer({ status: 500 }) })).url);
    expect(refused.evidence).to.not.have.property('certificate');
  });

  it('has a verified response only if every hop was verified and the response is complete', async () => {
    const broken = await serve(good, { behaviour: answer({ status: 500 }) });
    const plain = await serve(undefined, { behaviour: redirectTo(broken.url) });
    const endless = await serve(good, { behaviour: answer({ headers: { 'content-length': null } }) });
    const cut = await serve(good, { behaviour: truncated('half', 100) });
    const stranger = await serve(await authority.issue({ names: ['other.example'] }));
    const keyword = { keyword: { text: 'sold out', mode: 'present' } } as const;
    for (const [url, options, expected] of [
      [broken.url, {}, 'verified'],
      [broken.url, { verifyCertificate: false }, 'complete'],
      [plain.url, {}, 'complete'],
      [(await serve(good)).url, keyword, 'verified'],
      [endless.url, keyword, 'complete'],
      [cut.url, {}, undefined],
      [stranger.url, {}, undefined],
      ['http://127.0.0.1:1/', {}, undefined],
    ] as const) {
      const report = await run(probes, url, options);
      expect(report.outcome.kind, url).to.equal('down');
      expect(report.answer, `${url} ${JSON.stringify(options)}`).to.equal(expected);
      // Only a response that is complete and not verified is compared with those of other sites.
      const isCompared = expected === 'complete' && url !== endless.url;
      expect(report.answerDigest !== undefined, url).to.equal(isCompared);
    }
    expect((await run(probes, (await serve(good)).url)).answer, 'of what is up nobody asks').to.equal(undefined);
  });

  it('is checked with a full handshake each time', async () => {
    const target = await serve(good);
    const reports = [];
    for (let index = 0; index < 3; index++) reports.push(await run(probes, target.url));
    expect(target.connections).to.equal(3);
    for (const report of reports) expectUp(report);
  });

  describe('with a bad certificate', () => {
    const cases: {
      name: string;
      make: () => Promise<ServerCertificate>;
      message: (target: Target) => string | RegExp;
    }[] = [
      {
        name: 'expired',
        make: () =>
          authority.issue({
            notBefore: new Date(Date.now() - 30 * DAY_MS),
            notAfter: new Date('2026-01-02T03:04:05Z'),
          }),
        message: () => 'The certificate of 127.0.0.1 has expired: localhost was valid until 2026-01-02 03:04 UTC.',
      },
      {
        name: 'not valid yet',
        make: () =>
          authority.issue({ notBefore: new Date('2040-05-06T07:08:09Z'), notAfter: new Date('2041-01-01T00:00:00Z') }),
        message: () =>
          'The certificate of 127.0.0.1 is not valid yet: localhost becomes valid on 2040-05-06 07:08 UTC.',
      },
      {
        name: 'for another host',
        make: () => authority.issue({ names: ['a.example', 'b.example', '192.0.2.1'] }),
        message: (target) =>
          `The certificate at 127.0.0.1:${target.port} is not for 127.0.0.1, but for a.example, b.example, 192.0.2.1.`,
      },
      {
        name: 'without alternative names',
        make: () => authority.issue({ names: [] }),
        message: (target) =>
          `The certificate at 127.0.0.1:${target.port} is not for 127.0.0.1: it has no subject alternative name.`,
      },
      {
        name: 'not meant for servers',
        make: () => authority.issue({ usage: 'clientAuth' }),
        message: () =>
          'The certificate of 127.0.0.1 cannot be accepted: it, or one in its chain, is not meant for servers.',
      },
      {
        name: 'self-signed',
        make: () => selfSigned(),
        message: () => 'The certificate of 127.0.0.1 is self-signed: no authority issued it.',
      },
      {
        name: 'sent without its intermediate',
        make: () => authority.issue({ chain: 'leaf' }),
        message: (target) =>
          `The server at 127.0.0.1:${target.port} does not send the intermediate certificate Watchpost Test Intermediate, without which the certificate of 127.0.0.1 cannot be verified.`,
      },
      {
        name: 'of an unknown authority',
        make: async () => (await createAuthority('Somebody')).issue(),
        message: () =>
          'The certificate of 127.0.0.1 is issued by Somebody Intermediate, which is not a trusted authority.',
      },
    ];
    for (const { name, make, message } of cases) {
      it(`${name}: is down with the reason, and up if the monitor does not verify`, async () => {
        const certificate = await make();
        const target = await serve(certificate);
        const report = await run(probes, target.url);
        expectDown(report, 'tls', 'certificate_invalid', message(target));
        expect(report.address).to.equal(`127.0.0.1:${target.port}`);
        expect(report.timings.tlsUs).to.be.above(0);
        expect(target.requests, 'no request is sent to an unverified server').to.deep.equal([]);
        expectUp(await run(probes, target.url, { verifyCertificate: false }));
      });
    }
  });

  it('is accepted without secure renegotiation (RFC 5746), with and without verification', async () => {
    // A ServerHello of TLS 1.2 without any extension, and then the alert internal_error.
    const hello = [2, 0, 0, 38, 3, 3, ...Array<number>(32).fill(7), 0, 0xc0, 0x2f, 0];
    const bytes = Buffer.from([0x16, 3, 3, 0, hello.length, ...hello, 0x15, 3, 3, 0, 2, 2, HELLO_ALERTS.internalError]);
    const target = await serve(undefined, {
      onConnection: (socket) => {
        socket.once('data', () => socket.end(bytes));
        return true;
      },
    });
    const url = target.url.replace('http:', 'https:');
    for (const verifyCertificate of [true, false]) {
      const report = await run(probes, url, { verifyCertificate });
      // The handshake goes on after the ServerHello.
      expectDown(report, 'tls', 'tls_failure', /failed \(ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR\)\.$/);
    }
  });

  describe('that fails the handshake', () => {
    it('because it uses plain HTTP', async () => {
      const target = await serve(undefined);
      expectDown(
        await run(probes, target.url.replace('http:', 'https:')),
        'tls',
        'tls_failure',
        `The server at 127.0.0.1:${target.port} does not speak TLS on this port.`,
      );
    });

    it('because it supports old TLS only; it is up if the monitor does not verify', async () => {
      const target = await serve({
        ...(await authority.issue({ key: 'RSA-2048' })),
        minVersion: 'TLSv1',
        maxVersion: 'TLSv1.1',
        ciphers: 'DEFAULT:@SECLEVEL=0',
      });
      expectDown(
        await run(probes, target.url),
        'tls',
        'tls_failure',
        `The server at 127.0.0.1:${target.port} has no TLS version in common with the check, which offers 1.2 and 1.3.`,
      );
      expectUp(await run(probes, target.url, { verifyCertificate: false }));
    });

    it('because it has no cipher in common', async () => {
      const target = await serve({ ...good, maxVersion: 'TLSv1.2', ciphers: 'ECDHE-RSA-AES128-GCM-SHA256' });
      expectDown(
        await run(probes, target.url),
        'tls',
        'tls_failure',
        /^The server at .* refused the TLS handshake: .*HANDSHAKE_FAILURE\)\.$/,
      );
    });

    it('because it asks for a client certificate, in TLS 1.3 and 1.2', async () => {
      const strict = await serve({ ...good, requestCert: true, maxVersion: 'TLSv1.3' });
      expectDown(
        await run(probes, strict.url),
        'tls',
        'tls_failure',
        `The server at 127.0.0.1:${strict.port} asks for a client certificate.`,
      );
      const old = await serve({ ...good, requestCert: true, maxVersion: 'TLSv1.2' });
      expectDown(await run(probes, old.url), 'tls', 'tls_failure', /refused the TLS handshake/);
    });

    it('because it supports HTTP/2 only', async () => {
      const target = await serve({ ...good, ALPNProtocols: ['h2'] });
      expectDown(
        await run(probes, target.url),
        'tls',
        'tls_failure',
        `The server at 127.0.0.1:${target.port} does not offer HTTP/1.1 over TLS (ALPN).`,
      );
    });

    for (const [alert, message] of [
      ['unrecognizedName', /does not know the name 127\.0\.0\.1/],
      ['handshakeFailure', /refused the TLS handshake/],
      ['protocolVersion', /has no TLS version in common/],
      ['unknownCa', /does not accept the client certificate \(ERR_SSL_\w+_UNKNOWN_CA\)\.$/],
      ['certificateExpired', /does not accept the client certificate \(ERR_SSL_\w+_EXPIRED\)\.$/],
      ['internalError', /TLS connection with .* failed \(ERR_SSL_\w+\)\.$/],
    ] as const) {
      it(`with the alert ${alert}`, async () => {
        const target = await serve(undefined, {
          onConnection: (socket) => {
            socket.once('data', () => socket.end(Buffer.from([0x15, 3, 3, 0, 2, 2, HELLO_ALERTS[alert]])));
            return true;
          },
        });
        expectDown(await run(probes, target.url.replace('http:', 'https:')), 'tls', 'tls_failure', message);
      });
    }

    it('by closing or resetting the connection', async () => {
      for (const how of ['end', 'resetAndDestroy'] as const) {
        const target = await serve(undefined, {
          onConnection: (socket) => {
            socket.once('data', () => socket[how]());
            return true;
          },
        });
        expectDown(
          await run(probes, target.url.replace('http:', 'https:')),
          'tls',
          'tls_failure',
          `The server at 127.0.0.1:${target.port} cut the connection during the TLS handshake.`,
        );
      }
    });

    it('by not answering', async () => {
      const target = await serve(undefined, { onConnection: () => true });
      const report = await run(probes, target.url.replace('http:', 'https:'), { timeoutMs: 1_500 });
      expectDown(
        report,
        'tls',
        'timeout',
        `The TLS handshake with 127.0.0.1:${target.port} was not finished within 1.5 s.`,
      );
      expect(report.timings.tlsUs).to.be.above(0);
    });

    it('by cutting a record after the handshake', async () => {
      const target = await serve(good);
      target.behave(({ socket }) => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf', () => socket.destroy());
      });
      expectDown(
        await run(probes, target.url),
        'transfer',
        'protocol_error',
        /in the middle of the answer, after 4 bytes/,
      );
    });
  });

  it('is down because of an expired intermediate', async () => {
    const stale = await createAuthority('Stale', { notAfter: new Date('2026-02-03T00:00:00Z') });
    const target = await serve(await stale.issue());
    const trusting = testProbes({ extraCertificates: [stale.rootPem] });
    expectDown(
      await run(trusting, target.url),
      'tls',
      'certificate_invalid',
      'An intermediate or root certificate of 127.0.0.1 has expired.',
    );
  });

  describe('by a clock of the machine that differs from that of the control plane', () => {
    const at = (days: number) =>
      testProbes({ extraCertificates: [authority.rootPem], now: () => Date.now() + days * DAY_MS });
    const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);
    const disputed = {
      kind: 'inconclusive',
      reason: 'agent_overloaded',
      message:
        'The clocks of the agent’s machine and of the control plane differ: by only one of them the certificate of 127.0.0.1 is valid.',
    };

    it('is not down if its certificate is valid by one of the two', async () => {
      const expired = await serve(await authority.issue({ notBefore: inDays(-30), notAfter: inDays(-2) }));
      const early = await serve(await authority.issue({ notBefore: inDays(2), notAfter: inDays(30) }));
      expect((await run(at(-5), expired.url)).outcome).to.deep.equal(disputed);
      expect((await run(at(5), early.url)).outcome).to.deep.equal(disputed);
      const isIntermediate = await createAuthority('Stale', { notAfter: inDays(-2) });
      const target = await serve(await isIntermediate.issue());
      const by = testProbes({ extraCertificates: [isIntermediate.rootPem], now: () => Date.now() - 5 * DAY_MS });
      expect((await run(by, target.url)).outcome).to.deep.equal(disputed);
    });

    it('is up if its certificate is valid by both, and down if it is by neither', async () => {
      const target = await serve(await authority.issue({ notBefore: inDays(-3), notAfter: inDays(3) }));
      expectUp(await run(at(2), target.url));
      expect((await run(at(5), target.url)).outcome).to.deep.include({ ...disputed });
      expect((await run(at(-5), target.url)).outcome).to.deep.include({ ...disputed });
      const expired = await serve(await authority.issue({ notBefore: inDays(-30), notAfter: inDays(-6) }));
      expectDown(await run(at(-5), expired.url), 'tls', 'certificate_invalid', /has expired/);
    });
  });

  it('is verified after a redirect from plain HTTP', async () => {
    const target = await serve(await selfSigned());
    const plain = await serve(undefined, { behaviour: answer({ status: 301, headers: { location: target.url } }) });
    const report = await run(probes, plain.url);
    expectDown(report, 'tls', 'certificate_invalid', /self-signed/);
    expect(report.evidence!.hops).to.have.length(2);
  });
});
