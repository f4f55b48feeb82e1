import { X509Certificate } from 'node:crypto';
import { expect } from 'chai';
import { sslCheck, type SslTarget } from '@watchpost/shared/checks/ssl';
import type { ProbeReport, SslDetail } from '@watchpost/shared/outcome';
import { DAY_MS } from '@watchpost/shared/time';
import type { Probes } from '@watchpost/agent/probes/index';
import { createAuthority, selfSigned, type ServerCertificate, type TestAuthority } from '../../support/certificates.js';
import { answer } from '../../support/target-behaviours.js';
import { startTarget, type Target, type TargetOptions } from '../../support/target-server.js';
import { ocspAnswer } from './ocsp-answer.js';
import { expectDown, expectUp, run, testProbes } from './probe-check.js';

const inDays = (days: number): Date => new Date(Date.now() + days * DAY_MS + 3_600_000);

describe('a certificate', () => {
  let authority: TestAuthority;
  let probes: Probes;
  const targets: Target[] = [];
  before(async () => {
    authority = await createAuthority();
    probes = testProbes({ extraCertificates: [authority.rootPem], lookup: (_host, done) => done(null, ['127.0.0.1']) });
  });
  after(() => Promise.all(targets.map((target) => target.close())));

  const serve = async (tls: TargetOptions['tls'], options: Partial<TargetOptions> = {}): Promise<Target> => {
    const target = await startTarget({ behaviour: answer(), ...(tls ? { tls } : {}), ...options });
    targets.push(target);
    return target;
  };
  const look = (
    port: number,
    options: Partial<SslTarget> & { timeoutMs?: number; by?: Probes } = {},
  ): Promise<ProbeReport> => {
    const { timeoutMs = 5_000, by = probes, ...target } = options;
    return by.run(
      { timeoutMs, target: sslCheck.target.parse({ host: '127.0.0.1', port, incidentDays: 7, ...target }) },
      new AbortController().signal,
    );
  };
  const lookAt = async (
    certificate: ServerCertificate,
    options: Partial<SslTarget> & { by?: Probes } = {},
  ): Promise<ProbeReport> => look((await serve(certificate)).port, options);
  const detailOf = (report: ProbeReport): SslDetail => {
    expect(report.detail?.kind).to.equal('ssl');
    return report.detail as SslDetail;
  };

  it('that is valid is described with its chain', async () => {
    const report = await lookAt(
      await authority.issue({ names: ['shop.example', '*.shop.example', '127.0.0.1'], notAfter: inDays(30) }),
    );
    expectUp(report);
    expect(report.timings.tlsUs).to.be.above(0);
    const detail = detailOf(report);
    expect(detail).to.deep.include({
      isValid: true,
      daysUntilExpiry: 30,
      subject: 'CN=shop.example',
      issuer: 'CN=Watchpost Test Intermediate',
      subjectAltNames: ['shop.example', '*.shop.example', '127.0.0.1'],
      keyType: 'ec',
      keyBits: 256,
      signatureAlgorithm: 'ecdsa-with-SHA256',
      protocol: 'TLSv1.3',
      chainTrusted: true,
      hostnameMatches: true,
      ocspStapled: false,
      ocsp: null,
    });
    expect(detail.cipher).to.match(/^TLS_AES_/);
    expect(detail.fingerprint256).to.match(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/);
    expect(detail.validTo).to.match(/^\d{4}-\d\d-\d\dT.*Z$/);
    expect(detail.chain.map((one) => one.subject).slice(0, 2)).to.deep.equal([
      'CN=shop.example',
      'CN=Watchpost Test Intermediate',
    ]);
  });

  it('is checked for the host, including wildcards and international names', async () => {
    const target = await serve(await authority.issue({ names: ['xn--bcher-kva.example', '*.Shop.example'] }));
    const { port } = target;
    for (const host of ['xn--bcher-kva.example', 'www.shop.example', 'www.shop.example.', 'foo_bar.shop.example']) {
      expectUp(await look(port, { host }));
      expectUp(await run(probes, `https://${host}:${port}/`));
    }
    const wrong = await look(port, { host: 'a.b.shop.example' });
    expectDown(
      wrong,
      'tls',
      'certificate_invalid',
      `The certificate at 127.0.0.1:${port} is not for a.b.shop.example, but for xn--bcher-kva.example, *.Shop.example.`,
    );
    expect(detailOf(wrong)).to.include({ isValid: false, hostnameMatches: false, chainTrusted: true });
  });

  it('is valid for an address only if it contains that address', async () => {
    const named = await serve(await authority.issue({ names: ['shop.example', '127.0.0.9'] }));
    expectDown(
      await look(named.port),
      'tls',
      'certificate_invalid',
      `The certificate at 127.0.0.1:${named.port} is not for 127.0.0.1, but for shop.example, 127.0.0.9.`,
    );
    const { port } = await serve(await authority.issue({ names: ['127.0.0.1'] }));
    expectUp(await look(port));
  });

  it('is valid for its alternative names only, as in browsers, and a wildcard matches one whole label', async () => {
    const unnamed = await serve(await authority.issue({ names: [] }));
    const nobody = await look(unnamed.port, { host: 'nobody' });
    expectDown(
      nobody,
      'tls',
      'certificate_invalid',
      `The certificate at 127.0.0.1:${unnamed.port} is not for nobody: it has no subject alternative name.`,
    );
    expect(detailOf(nobody)).to.include({ hostnameMatches: false, chainTrusted: true });
    const partial = await serve(await authority.issue({ names: ['w*.shop.example'] }));
    expectDown(await look(partial.port, { host: 'www.shop.example' }), 'tls', 'certificate_invalid', /is not for www/);
  });

  it('that is trusted itself is invalid after its expiry, too', async () => {
    const own = await selfSigned({ notAfter: new Date(Date.now() - DAY_MS) });
    const by = testProbes({ extraCertificates: [own.cert], lookup: (_host, done) => done(null, ['127.0.0.1']) });
    expectDown(await lookAt(own, { by }), 'tls', 'certificate_invalid', /has expired: localhost was valid until/);
  });

  it('with invalid dates, or with such an issuer, is not accepted', async () => {
    // a month that the year does not have, in the intermediate: no server looks at that one
    const timeless = await serve(damaged(await authority.issue(), /(?<=\D\d\d)\d\d(?=\d{8}Z\D{2}\d{12}Z)/, '77'));
    expectDown(
      await look(timeless.port),
      'tls',
      'certificate_invalid',
      'The certificate of 127.0.0.1 cannot be accepted: the date of its end, or of one in its chain, is invalid.',
    );
  });

  it('is judged by the clock of the machine and that of the control plane, and by neither where they disagree', async () => {
    const at = (days: number) =>
      testProbes({ extraCertificates: [authority.rootPem], now: () => Date.now() + days * DAY_MS });
    const { port } = await serve(await authority.issue({ notBefore: inDays(-60), notAfter: inDays(-10) }));
    const report = await look(port, { by: at(-30) });
    expect(report.outcome).to.deep.include({ kind: 'inconclusive', reason: 'agent_overloaded' });
    expect(report.detail).to.equal(undefined);
    expectDown(await look(port, { by: at(-70) }), 'tls', 'certificate_invalid', /is not valid yet/);
    expectDown(await look(port, { by: at(0) }), 'tls', 'certificate_invalid', /has expired/);
  });

  it('that is not for servers is not accepted, even if it expires soon', async () => {
    const certificate = await authority.issue({ usage: 'clientAuth', notAfter: inDays(3) });
    const report = await lookAt(certificate);
    expectDown(
      report,
      'tls',
      'certificate_invalid',
      'The certificate of 127.0.0.1 cannot be accepted: it, or one in its chain, is not meant for servers.',
    );
    expect(detailOf(report)).to.include({ isValid: false, chainTrusted: true, hostnameMatches: true });
  });

  it('is judged by the chain that leads to a root, whatever else the server sends', async () => {
    for (const days of [30, 3]) {
      const report = await lookAt(await authority.issue({ chain: 'duplicate', notAfter: inDays(days) }));
      if (days === 30) expectUp(report);
      else expectDown(report, 'tls', 'certificate_expiring', /^The certificate of 127\.0\.0\.1 expires in 3 days/);
      const sent = detailOf(report).chain.map(({ subject, validTo }) => [subject, Date.parse(validTo) > Date.now()]);
      expect(sent).to.deep.equal([
        ['CN=localhost', true],
        ['CN=Watchpost Test Intermediate', false],
        ['CN=Watchpost Test Intermediate', true],
        ['CN=Watchpost Test Root', true],
      ]);
    }
    const strange = damaged(await selfSigned({ names: [] }), /(?<=\D\d\d)\d\d(?=\d{8}Z\D{2}\d{12}Z)/, '77', 0);
    const certificate = await authority.issue();
    expectUp(await lookAt({ ...certificate, cert: `${certificate.cert}\n${strange.cert}` }));
  });

  it('with a forgeable signature or key in its chain is refused, as by HTTP checks; the signature of a root does not count', async () => {
    const middle = await createAuthority('Weak', { digest: 'SHA-1' });
    for (const [issuer, options, subject] of [
      [authority, { digest: 'SHA-1' }, 'localhost'],
      [middle, {}, 'Weak Intermediate'],
    ] as const) {
      const by = testProbes({ extraCertificates: [issuer.rootPem] });
      const target = await serve({ ...(await issuer.issue(options)), ciphers: 'DEFAULT:@SECLEVEL=0' });
      const message = `The certificate ${subject}, in the chain of 127.0.0.1, is signed with SHA-1, which browsers no longer accept.`;
      const report = await look(target.port, { by });
      expectDown(report, 'tls', 'certificate_invalid', message);
      expect(detailOf(report)).to.include({ isValid: false, chainTrusted: true, hostnameMatches: true });
      expectDown(await run(by, target.url), 'tls', 'certificate_invalid', message);
      expectUp(await run(by, target.url, { verifyCertificate: false }));
    }
    const short = await serve({ ...(await authority.issue({ key: 'RSA-768' })), ciphers: 'DEFAULT:@SECLEVEL=0' });
    const message = 'The certificate localhost, in the chain of 127.0.0.1, has a key of 768 bits, which is too short.';
    for (const report of [await look(short.port), await run(probes, short.url)])
      expectDown(report, 'tls', 'certificate_invalid', message);
    const enough = await serve({ ...(await authority.issue({ key: 'RSA-1024' })), ciphers: 'DEFAULT:@SECLEVEL=1' });
    for (const report of [await look(enough.port), await run(probes, enough.url)]) expectUp(report);
    const own = await selfSigned({ digest: 'SHA-1' });
    const target = await serve({ ...own, ciphers: 'DEFAULT:@SECLEVEL=0' });
    const by = testProbes({ extraCertificates: [own.cert] });
    expectUp(await look(target.port, { by }));
    expectUp(await run(by, target.url));
  });

  it('that OpenSSL refuses without a code of Node is refused in the words of OpenSSL', async () => {
    const target = await serve(await authority.issue({ isStrange: true }));
    for (const report of [await look(target.port), await run(probes, target.url)])
      expectDown(
        report,
        'tls',
        'certificate_invalid',
        'The certificate of 127.0.0.1 cannot be accepted: unhandled critical extension.',
      );
  });

  it('is found in a chain among many other certificates', async () => {
    const { key, cert } = await authority.issue();
    const [leaf, intermediate] = cert.split(/(?<=-----END CERTIFICATE-----)\s+/) as [string, string];
    const others = await Promise.all(Array.from({ length: 20 }, async () => (await selfSigned()).cert));
    const report = await lookAt({ key, cert: [leaf, ...others, intermediate].join('\n') });
    expectUp(report);
    expect(detailOf(report).chain).to.have.length(13);
  });

  it('is not valid before those above it are', async () => {
    const early = await createAuthority('Early', { notBefore: inDays(2) });
    const by = testProbes({ extraCertificates: [early.rootPem] });
    const target = await serve(await early.issue());
    for (const report of [await look(target.port, { by }), await run(by, target.url)])
      expectDown(report, 'tls', 'certificate_invalid', /is not valid yet: Early Intermediate becomes valid on /);
  });

  it('that is trusted itself, or sent with more certificates than its chain, is accepted', async () => {
    const own = await selfSigned();
    const by = testProbes({ extraCertificates: [own.cert, authority.rootPem] });
    expectUp(await lookAt(own, { by }));
    const [certificate, stranger] = [await authority.issue(), await selfSigned()];
    expectUp(await lookAt({ ...certificate, cert: `${certificate.cert}\n${stranger.cert}` }, { by }));
  });

  it('that expires soon is reported in time, and is still valid', async () => {
    const certificate = await authority.issue({ notAfter: inDays(6) });
    const report = await lookAt(certificate);
    expectDown(
      report,
      'tls',
      'certificate_expiring',
      /^The certificate of 127\.0\.0\.1 expires in 6 days, on \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$/,
    );
    expect(detailOf(report)).to.include({ isValid: true, daysUntilExpiry: 6 });
    expectUp(await lookAt(certificate, { incidentDays: 5 }));
    expectDown(
      await lookAt(await authority.issue({ notAfter: inDays(1) })),
      'tls',
      'certificate_expiring',
      /expires in 1 day,/,
    );
    expectDown(
      await lookAt(await authority.issue({ notAfter: inDays(0) })),
      'tls',
      'certificate_expiring',
      /expires in less than a day,/,
    );
  });

  it('of any lifetime is reported when little of it is left, unless the monitor has days of its own', async () => {
    const hours = (count: number) => new Date(Date.now() + count * 3_600_000);
    const lived = (lifetime: number, left: number) =>
      authority.issue({ notBefore: hours(left - lifetime), notAfter: hours(left) });
    const byLifetime = { incidentDays: null };
    for (const [lifetime, left] of [
      [160, 159],
      [160, 25],
      [45 * 24, 163],
      [90 * 24, 169],
    ] as const)
      expectUp(await lookAt(await lived(lifetime, left), byLifetime));
    for (const [lifetime, left, days] of [
      [160, 23, 'less than a day'],
      [45 * 24, 161, '6 days'],
      [90 * 24, 167, '6 days'],
    ] as const)
      expectDown(
        await lookAt(await lived(lifetime, left), byLifetime),
        'tls',
        'certificate_expiring',
        new RegExp(`expires in ${days},`),
      );
    expectDown(await lookAt(await lived(160, 159)), 'tls', 'certificate_expiring', /expires in 6 days/);
    const middle = await createAuthority('Middle', { notAfter: inDays(6) });
    const by = testProbes({ extraCertificates: [middle.rootPem] });
    expectDown(
      await lookAt(await middle.issue(), { by, ...byLifetime }),
      'tls',
      'certificate_expiring',
      /in the chain/,
    );
  });

  it('that has expired, or is not valid yet, is reported before any other fault', async () => {
    const expired = await lookAt(
      await authority.issue({ notBefore: inDays(-30), notAfter: inDays(-2), names: ['other.example'] }),
    );
    expectDown(
      expired,
      'tls',
      'certificate_invalid',
      /^The certificate of 127\.0\.0\.1 has expired: other\.example was valid until .* UTC\.$/,
    );
    expect(detailOf(expired)).to.include({
      isValid: false,
      daysUntilExpiry: -2,
      chainTrusted: true,
      hostnameMatches: false,
    });
    expectDown(
      await lookAt(await authority.issue({ notBefore: inDays(3), notAfter: inDays(30) })),
      'tls',
      'certificate_invalid',
      /is not valid yet/,
    );
  });

  it('with a broken chain is reported as self-signed, without its intermediate, or of an unknown authority', async () => {
    const own = await lookAt(await selfSigned());
    expectDown(
      own,
      'tls',
      'certificate_invalid',
      'The certificate of 127.0.0.1 is self-signed: no authority issued it.',
    );
    expect(detailOf(own)).to.include({ chainTrusted: false, hostnameMatches: true });
    expectDown(
      await lookAt(await authority.issue({ chain: 'leaf' })),
      'tls',
      'certificate_invalid',
      /does not send the intermediate certificate Watchpost Test Intermediate, without which/,
    );
    const stranger = await createAuthority('Somebody');
    expectDown(
      await lookAt(await stranger.issue()),
      'tls',
      'certificate_invalid',
      'The certificate of 127.0.0.1 is issued by Somebody Root, which is not a trusted authority.',
    );
  });

  it('of an unknown authority is untrusted even if it has expired', async () => {
    const stranger = await createAuthority('Somebody');
    const report = await lookAt(await stranger.issue({ notBefore: inDays(-30), notAfter: inDays(-1) }));
    expectDown(report, 'tls', 'certificate_invalid', /has expired/);
    expect(detailOf(report).chainTrusted).to.equal(false);
  });

  it('is invalid if the intermediate above it is', async () => {
    for (const [days, reason, message] of [
      [-1, 'certificate_invalid', /^An intermediate or root certificate of 127\.0\.0\.1 has expired\.$/],
      [
        4,
        'certificate_expiring',
        /^The certificate Middle Intermediate, in the chain of 127\.0\.0\.1, expires in 4 days/,
      ],
    ] as const) {
      const middle = await createAuthority('Middle', { notAfter: inDays(days) });
      const by = testProbes({ extraCertificates: [middle.rootPem] });
      expectDown(await lookAt(await middle.issue(), { by }), 'tls', reason, message);
    }
  });

  it('is read from a server with old TLS and weak keys', async () => {
    const certificate = await authority.issue({ key: 'RSA-1024' });
    const { port } = await serve({
      ...certificate,
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1',
      ciphers: 'DEFAULT:@SECLEVEL=0',
    });
    const report = await look(port);
    expectUp(report);
    expect(detailOf(report)).to.include({ protocol: 'TLSv1', keyType: 'rsa', keyBits: 1024 });
  });

  it('has the revocation status that the server staples, if any', async () => {
    const thisUpdate = new Date('2026-11-01T00:00:00Z');
    const certificate = await authority.issue();
    const { serialNumber } = new X509Certificate(certificate.cert);
    const good = await serve({
      ...certificate,
      ocsp: ocspAnswer({ status: 'good', serialNumber, thisUpdate, nextUpdate: new Date('2026-11-08T00:00:00Z') }),
    });
    expect(detailOf(await look(good.port))).to.deep.include({
      ocspStapled: true,
      ocsp: {
        status: 'good',
        thisUpdate: '2026-11-01T00:00:00.000Z',
        nextUpdate: '2026-11-08T00:00:00.000Z',
        revokedAt: null,
      },
    });
    const revoked = await serve({
      ...certificate,
      ocsp: ocspAnswer({ status: 'revoked', serialNumber, thisUpdate, revokedAt: new Date('2026-10-31T12:00:00Z') }),
    });
    const report = await look(revoked.port);
    expectDown(
      report,
      'tls',
      'certificate_invalid',
      'The certificate of 127.0.0.1 was revoked, according to the OCSP response of the server.',
    );
    expect(detailOf(report).ocsp).to.deep.equal({
      status: 'revoked',
      thisUpdate: '2026-11-01T00:00:00.000Z',
      nextUpdate: null,
      revokedAt: '2026-10-31T12:00:00.000Z',
    });
    const foreign = await serve({
      ...(await authority.issue()),
      ocsp: ocspAnswer({ status: 'revoked', serialNumber, thisUpdate }),
    });
    const ofAnother = await look(foreign.port);
    expectUp(ofAnother);
    expect(detailOf(ofAnother).ocsp!.status).to.equal('unreadable');
    const garbled = await serve({ ...(await authority.issue()), ocsp: Buffer.from('no ocsp') });
    const unclear = await look(garbled.port);
    expectUp(unclear);
    expect(detailOf(unclear).ocsp!.status).to.equal('unreadable');
  });

  it('cannot be inspected without a handshake, and the reason is reported', async () => {
    const plain = await serve(undefined);
    expectDown(
      await look(plain.port),
      'tls',
      'tls_failure',
      `The server at 127.0.0.1:${plain.port} does not speak TLS on this port.`,
    );
    const silent = await serve(undefined, { onConnection: () => true });
    expectDown(await look(silent.port, { timeoutMs: 1_500 }), 'tls', 'timeout', /was not finished within 1\.5 s/);
    const cutting = await serve(undefined, {
      onConnection: (socket) => {
        socket.once('data', () => socket.destroy());
        return true;
      },
    });
    expectDown(await look(cutting.port), 'tls', 'tls_failure', /cut the connection during the TLS handshake/);
    const refused = await look(1);
    expectDown(refused, 'connect', 'connection_refused', 'The server at 127.0.0.1:1 refused the connection.');
    expect(refused).not.to.have.property('detail');
    expectDown(await look(plain.port, { egress: 'public' }), 'egress', 'address_not_allowed', /loopback/);
  });
});

/** The same certificates with some bytes of one replaced, by default of the intermediate. */
function damaged({ key, cert }: ServerCertificate, from: RegExp, to: string, index = 1): ServerCertificate {
  const pems = cert.split(/(?<=-----END CERTIFICATE-----)\s+/);
  const der = Buffer.from(pems[index]!.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64').toString('latin1');
  const wrong = der.replace(from, to);
  expect(wrong).to.not.equal(der);
  const lines = Buffer.from(wrong, 'latin1')
    .toString('base64')
    .match(/.{1,64}/g)!;
  pems[index] = ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----'].join('\n');
  return { key, cert: pems.join('\n') };
}
