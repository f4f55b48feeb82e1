import 'reflect-metadata';
import { createPrivateKey, webcrypto } from 'node:crypto';
import { status, type ServiceError, type StatusObject } from '@grpc/grpc-js';
import {
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  SubjectAlternativeNameExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { certificateRequest } from '@watchpost/agent/sync/certificate-request';
import { reissueAgentToken, revokeAgent } from '@watchpost/control-plane/capabilities/fleet/index';
import { ManualClock } from '@watchpost/shared/clock';
import { DAY_MS, HOUR_MS } from '@watchpost/shared/time';
import { expect } from 'chai';
import fc from 'fast-check';
import { eventually, PATIENCE_MS } from '../../support/eventually.js';
import { FleetService } from './fleet-service.js';
import { newKey, SecureService, type Held } from './secure-service.js';

describe('an agent that enrols', function () {
  let service: SecureService;
  afterEach(() => service.stop());

  const refusedWith = async (attempt: Promise<unknown>): Promise<ServiceError> => {
    try {
      await attempt;
    } catch (error) {
      return error as ServiceError;
    }
    throw new Error('it was not refused');
  };
  const expectEnded = (end: { welcome: string } | StatusObject, code: status, details: RegExp): StatusObject => {
    expect(end).to.have.property('details').that.matches(details);
    expect((end as StatusObject).code).to.equal(code);
    return end as StatusObject;
  };
  const agentOf = ({ certificate }: Held) =>
    new X509Certificate(certificate).getExtension(SubjectAlternativeNameExtension)!.names.items[0]!.value;

  it('receives a certificate that names it and is valid since an hour ago, and is authenticated by it', async () => {
    service = await SecureService.start();
    const { agentId, secret } = await service.token('vm-1');
    const { held, answer } = await service.enroll(secret);
    const leaf = new X509Certificate(held.certificate);
    expect(agentOf(held)).to.equal(`urn:watchpost:agent:${agentId}`);
    expect(Date.now() - leaf.notBefore.getTime()).to.be.within(HOUR_MS - 60_000, HOUR_MS + 60_000);
    expect(leaf.notAfter.getTime()).to.equal(Number(answer.expiresAtMs));
    expect(Number(answer.renewAfterMs) - Date.now()).to.be.within(4 * DAY_MS, 5 * DAY_MS);
    expect(await service.pull(service.client(held))).to.deep.equal({ welcome: agentId });
    expect(await service.metric('watchpost_agent_enrolments_total')).to.contain('outcome="enrolled"} 1');
  });

  it('can use its token again with the same key, and with no other key', async () => {
    service = await SecureService.start();
    const { agentId, token, secret } = await service.token('vm-1');
    const key = newKey();
    await service.enroll(secret, { key });
    const { held } = await service.enroll(secret, { key });
    expect(await service.pull(service.client(held))).to.deep.equal({ welcome: agentId });
    const thief = await refusedWith(service.enroll(secret));
    expect([thief.code, thief.details]).to.deep.equal([status.UNAUTHENTICATED, thief.details]);
    expect(thief.details).to.contain('used before, with another key');
    expect(await service.plain.fleet.authenticate(token)).to.equal('spent');
  });

  it('is the only one to enrol if two use one token at the same time', async () => {
    service = await SecureService.start();
    const { secret } = await service.token('vm-1');
    const both = await Promise.allSettled(Array.from({ length: 6 }, () => service.enroll(secret)));
    expect(both.filter((one) => one.status === 'fulfilled')).to.have.length(1);
  });

  it('is refused with an unknown token, and with a malformed certificate request', async () => {
    service = await SecureService.start();
    const { agentId, secret } = await service.token('vm-1');
    expect((await refusedWith(service.enroll('wpa_nobody'))).code).to.equal(status.UNAUTHENTICATED);
    expect((await refusedWith(service.enroll(''))).code).to.equal(status.UNAUTHENTICATED);
    const good = certificateRequest(createPrivateKey(newKey()));
    const tampered = Buffer.from(good);
    // a changed byte of the public key, so that the signature no longer matches
    tampered[80]! ^= 1;
    const bad = {
      tampered,
      'of another curve': certificateRequest(createPrivateKey(newKey('P-384'))),
      cut: good.subarray(0, -1),
      empty: Buffer.alloc(0),
      long: Buffer.concat([good, Buffer.alloc(5_000)]),
    };
    for (const [what, csr] of Object.entries(bad))
      expect((await refusedWith(service.enroll(secret, { csr }))).code, what).to.equal(status.INVALID_ARGUMENT);
    const huge = await refusedWith(service.enroll(secret, { csr: Buffer.alloc(100_000) }));
    expect(huge.code).to.equal(status.RESOURCE_EXHAUSTED);
    await fc.assert(
      fc.asyncProperty(fc.nat(good.length - 1), fc.integer({ min: 1, max: 255 }), async (at, bits) => {
        const changed = Buffer.from(good);
        changed[at]! ^= bits;
        const { code } = await refusedWith(service.enroll(secret, { csr: changed })).catch(() => ({
          code: 'enrolled',
        }));
        // The encoding of lengths and tags is not signed and may vary. The signed content may not.
        expect(code).to.be.oneOf([status.INVALID_ARGUMENT, status.UNAUTHENTICATED, 'enrolled']);
      }),
      { numRuns: 40 },
    );
    const { secret: fresh, agentId: other } = await service.token('vm-2');
    await refusedWith(service.enroll(fresh, { csr: tampered }));
    expect(other).not.to.equal(agentId);
    await service.enroll(fresh);
  });

  it('renews its certificate, and both are valid until the old one expires', async () => {
    service = await SecureService.start();
    const { agentId, secret } = await service.token('vm-1');
    const { held } = await service.enroll(secret);
    const { held: renewed } = await service.enroll('', { held });
    expect(agentOf(renewed)).to.equal(agentOf(held));
    for (const one of [held, renewed])
      expect(await service.pull(service.client(one))).to.deep.equal({ welcome: agentId });
    let current = renewed;
    for (let round = 0; round < 6; round++) current = (await service.enroll('', { held: current })).held;
    const rows = await service.plain.test.sql('SELECT serial FROM agent_certificate');
    expect(rows.length).to.be.at.most(4);
    expectEnded(await service.pull(service.client(held)), status.UNAUTHENTICATED, /not valid any more/);
  });

  it('is asked to renew an expired certificate, and can only do that, for 30 days', async () => {
    const clock = new ManualClock(Date.now());
    service = await SecureService.start({ clock });
    const { agentId, secret } = await service.token('vm-1');
    const { held } = await service.enroll(secret);
    clock.advance(8 * DAY_MS);
    const end = expectEnded(await service.pull(service.client(held)), status.UNAUTHENTICATED, /expired at/);
    expect(end.metadata.get('watchpost-credential')).to.deep.equal(['expired']);
    clock.advance(28 * DAY_MS);
    const { held: renewed } = await service.enroll('', { held });
    expect(await service.pull(service.client(renewed))).to.deep.equal({ welcome: agentId });
    clock.advance(7 * DAY_MS + 31 * DAY_MS);
    const late = await refusedWith(service.enroll('', { held: renewed }));
    expect([late.code, late.details]).to.deep.equal([status.UNAUTHENTICATED, late.details]);
    expect(late.details).to.contain('agents reissue');
  });

  it('is refused with a certificate of another authority, of a server, or signed by an agent', async () => {
    service = await SecureService.start();
    const { agentId, secret } = await service.token('vm-1');
    const foreign = await foreignCertificate(agentId, service.authority);
    expectEnded(
      await service.pull(service.client(foreign)),
      status.UNAUTHENTICATED,
      /not issued to an agent by this control plane/,
    );
    expect((await refusedWith(service.enroll('', { held: foreign }))).code).to.equal(status.UNAUTHENTICATED);
    const { certificate, key } = await service.certificates.issueServerCertificate(['localhost']);
    const asServer = { key, certificate: certificate.slice(0, certificate.indexOf('-----BEGIN', 1)) };
    expectEnded(
      await service.pull(service.client(asServer)),
      status.UNAUTHENTICATED,
      /not issued to an agent by this control/,
    );
    const { held } = await service.enroll(secret);
    const byAgent = await signedByAgent(agentId, held);
    expectEnded(
      await service.pull(service.client(byAgent)),
      status.UNAUTHENTICATED,
      /not issued to an agent by this control plane/,
    );
    expectEnded(await service.pull(service.client()), status.UNAUTHENTICATED, /call Enroll with its token/);
  });

  it('is refused as soon as it is revoked, and its streams end soon after', async () => {
    service = await SecureService.start();
    const { agentId, secret } = await service.token('vm-1');
    const { held } = await service.enroll(secret);
    const client = service.client(held);
    const streams = [client.pullAssignments(), client.streamResults()];
    const ends: StatusObject[] = [];
    for (const stream of streams) {
      stream.on('error', () => {});
      stream.on('status', (end: StatusObject) => ends.push(end));
    }
    streams[0]!.on('data', () => {});
    client
      .pullAssignments()
      .on('error', () => {})
      .cancel();
    await eventually(
      'both streams',
      async () => ((await service.metric('watchpost_agent_streams')).match(/\} 1$/gm)?.length === 2 ? true : undefined),
      30_000,
    );
    // like the operators' command, which runs in another process without the bus
    await revokeAgent(
      { db: service.plain.test.database, clock: service.plain.deps.clock },
      { idOrName: agentId, region: null },
    );
    await eventually('both ends', () => (ends.length === 2 ? true : undefined), PATIENCE_MS, 5);
    expect(ends.map(({ code }) => code)).to.deep.equal([status.PERMISSION_DENIED, status.PERMISSION_DENIED]);
    expectEnded(await service.pull(service.client(held)), status.PERMISSION_DENIED, /revoked/);
    expect((await refusedWith(service.enroll('', { held }))).code).to.equal(status.PERMISSION_DENIED);
    expect((await refusedWith(service.enroll(secret))).code).to.equal(status.PERMISSION_DENIED);
  });

  it('invalidates all earlier certificates when it enrols with a new token', async () => {
    service = await SecureService.start();
    const { agentId, secret } = await service.token('vm-1');
    const { held: lost } = await service.enroll(secret);
    const { token } = await reissueAgentToken(service.plain.deps, { idOrName: agentId, region: null });
    expect(await service.pull(service.client(lost))).to.deep.equal({ welcome: agentId });
    const { held } = await service.enroll(token.split('.')[0]!);
    expect(await service.pull(service.client(held))).to.deep.equal({ welcome: agentId });
    expectEnded(await service.pull(service.client(lost)), status.UNAUTHENTICATED, /enrolled again since/);
  });

  it('ends the open streams of the former machine, and not its own', async () => {
    service = await SecureService.start();
    const { agentId, secret } = await service.token('vm-1');
    const { held: stolen } = await service.enroll(secret);
    const thief = service.client(stolen);
    const ends: StatusObject[] = [];
    for (const stream of [thief.pullAssignments(), thief.streamResults()]) {
      stream.on('error', () => {});
      stream.on('status', (end: StatusObject) => ends.push(end));
    }
    thief
      .pullAssignments()
      .on('error', () => {})
      .cancel();
    await eventually(
      'both streams',
      async () => ((await service.metric('watchpost_agent_streams')).match(/\} 1$/gm)?.length === 2 ? true : undefined),
      30_000,
    );
    const { token } = await reissueAgentToken(service.plain.deps, { idOrName: agentId, region: null });
    const { held } = await service.enroll(token.split('.')[0]!);
    const own = service.client(held).streamResults();
    const ownEnds: StatusObject[] = [];
    own.on('error', () => {});
    own.on('status', (end: StatusObject) => ownEnds.push(end));
    await eventually('both ends', () => (ends.length === 2 ? true : undefined), PATIENCE_MS, 5);
    expect(ends.map(({ code }) => code)).to.deep.equal([status.UNAUTHENTICATED, status.UNAUTHENTICATED]);
    expect(await service.pull(service.client(held))).to.deep.equal({ welcome: agentId });
    expect(ownEnds).to.deep.equal([]);
  });

  it('invalidates the certificates of a former machine that renews all the time', async () => {
    service = await SecureService.start();
    const { agentId, secret } = await service.token('vm-1');
    const { held: stolen } = await service.enroll(secret);
    const thief = { held: stolen, over: false };
    const renewing = Array.from({ length: 8 }, async () => {
      while (!thief.over) {
        const renewed = await service.enroll('', { held: thief.held }).catch(() => undefined);
        if (renewed) thief.held = renewed.held;
      }
    });
    /** Connects again, as agents do, where connections of the thief have taken the places of the agent. */
    const pull = async (held: typeof stolen) => {
      for (;;) {
        const answer = await service.pull(service.client(held));
        if (!('code' in answer) || answer.code !== status.UNAVAILABLE) return answer;
      }
    };
    for (let round = 0; round < 5; round++) {
      const { token } = await reissueAgentToken(service.plain.deps, { idOrName: agentId, region: null });
      const { held } = await service.enroll(token.split('.')[0]!);
      expectEnded(await pull(thief.held), status.UNAUTHENTICATED, /enrolled again since/);
      expect(await pull(held)).to.deep.equal({ welcome: agentId });
      thief.held = held;
    }
    thief.over = true;
    await Promise.all(renewing);
  });

  it('cannot use the former token in place of the new one', async () => {
    service = await SecureService.start();
    const { agentId, secret } = await service.token('vm-1');
    await service.enroll(secret);
    const over = new AbortController();
    const trying = Array.from({ length: 8 }, async () => {
      while (!over.signal.aborted) await service.enroll(secret).catch(() => undefined);
    });
    for (let round = 0; round < 10; round++) {
      const { token } = await reissueAgentToken(service.plain.deps, { idOrName: agentId, region: null });
      await service.enroll(token.split('.')[0]!);
    }
    over.abort();
    await Promise.all(trying);
  });

  it('reconnects with a new certificate when the old one expires during a stream', async () => {
    const clock = new ManualClock(Date.now());
    service = await SecureService.start({ clock });
    const { secret } = await service.token('vm-1');
    const { held, answer } = await service.enroll(secret);
    clock.advance(Number(answer.expiresAtMs) - clock.now() - 1_000);
    const stream = service.client(held).pullAssignments();
    const seen: (string | undefined)[] = [];
    stream.on('data', ({ message }) => seen.push(message?.$case));
    stream.on('error', () => {});
    const ended = new Promise<StatusObject>((resolve) => stream.on('status', resolve));
    stream.write({
      message: {
        $case: 'hello',
        value: { protocolVersion: 1, agentVersion: '1', capabilities: ['http'], lastRevision: 0n, assignmentEpoch: '' },
      },
    });
    const { code } = await ended;
    expect(code).to.equal(status.UNAVAILABLE);
    expect([seen[0], seen.at(-1)]).to.deep.equal(['welcome', 'drain']);
  });

  it('finds the same authority after a restart of the control plane, and in every process', async () => {
    service = await SecureService.start();
    const { agentId, secret } = await service.token('vm-1');
    const { held } = await service.enroll(secret);
    const first = service.authority;
    await service.close();
    service = await SecureService.start({ after: service.plain });
    expect(service.authority).to.equal(first);
    expect(await service.pull(service.client(held))).to.deep.equal({ welcome: agentId });
  });

  it('finds one authority after many processes started at once on a new database', async () => {
    const plain = await FleetService.start();
    const all = await Promise.all(Array.from({ length: 4 }, () => SecureService.start({ after: plain })));
    service = all[0]!;
    expect(new Set(all.map(({ authority }) => authority))).to.have.property('size', 1);
    for (const other of all.slice(1)) await other.close();
  });
});

const SIGNING = { name: 'ECDSA', hash: 'SHA-256' } as const;

/** Like a certificate of the control plane, also by the authority's name, but signed by another key. */
async function foreignCertificate(agentId: string, authority: string): Promise<Held> {
  const { issuer } = new X509Certificate(authority);
  const keys = await webcrypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify']);
  return await certify(agentId, issuer, keys.privateKey);
}

async function signedByAgent(agentId: string, agent: Held): Promise<Held> {
  const der = createPrivateKey(agent.key).export({ type: 'pkcs8', format: 'der' });
  const key = await webcrypto.subtle.importKey('pkcs8', der, { name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign']);
  const made = await certify(agentId, new X509Certificate(agent.certificate).subject, key);
  return { key: made.key, certificate: `${made.certificate}\n${agent.certificate}` };
}

async function certify(agentId: string, issuer: string, signingKey: webcrypto.CryptoKey): Promise<Held> {
  const keys = await webcrypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.create({
    subject: `CN=${agentId}`,
    issuer,
    notBefore: new Date(Date.now() - HOUR_MS),
    notAfter: new Date(Date.now() + DAY_MS),
    publicKey: keys.publicKey,
    signingKey,
    signingAlgorithm: SIGNING,
    extensions: [
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.clientAuth]),
      new SubjectAlternativeNameExtension([{ type: 'url', value: `urn:watchpost:agent:${agentId}` }]),
    ],
  });
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey));
  const key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' }).export({ format: 'pem', type: 'pkcs8' });
  return { key: key.toString(), certificate: certificate.toString('pem') };
}
