import { connect as connectHttp2 } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  credentials,
  loadPackageDefinition,
  status,
  type ServiceClientConstructor,
  type ServiceError,
} from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { expect } from 'chai';
import { createAuthority } from '../../support/certificates.js';
import { eventually, PATIENCE_MS } from '../../support/eventually.js';
import { LOOPBACK, secureChannel, SecureService } from './secure-service.js';

const HEALTH = fileURLToPath(new URL('../../../../proto/grpc/health/v1/health.proto', import.meta.url));

describe('a connection without a valid agent certificate', function () {
  let service: SecureService;
  const sockets: Socket[] = [];
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await service.stop();
  });

  const knock = async (): Promise<Socket> => {
    const socket = connect(service.port, '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => {});
    await new Promise((resolve) => socket.once('connect', resolve));
    return socket;
  };
  const closed = (reason: string, count: number) =>
    eventually(`${count} closed: ${reason}`, async () => {
      const text = await service.metric('watchpost_grpc_closed_connections_total');
      const closed = Number(new RegExp(`"${reason}"} (\\d+)`).exec(text)?.[1] ?? 0);
      return closed >= count ? true : undefined;
    });

  it('is closed after its time, whether it is silent, completes the handshake, or stays open', async () => {
    service = await SecureService.start({ limits: { strangerMs: 4_000, handshakeMs: 2_000 } });
    const ended = (one: { once(event: 'close', listener: () => void): unknown }) =>
      new Promise<void>((resolve) => void one.once('close', resolve));
    const silent = await knock();
    const ends = [ended(silent.resume())];
    const polite = await service.handshake();
    ends.push(ended(polite.resume()));
    const session = connectHttp2(`https://127.0.0.1:${service.port}`, { ca: service.authority });
    session.on('error', () => {});
    ends.push(ended(session));
    await Promise.all(ends);
    await closed('stranger_too_long', 2);
  });

  it('counts against a limit that closes the oldest one, so that agents get through a flood', async () => {
    service = await SecureService.start({ limits: { strangers: 20, strangersOfOneAddress: 20 } });
    const { agentId, secret } = await service.token('vm-1');
    const { held } = await service.enroll(secret);
    const client = service.client(held);
    expect(await service.pull(client)).to.deep.equal({ welcome: agentId });
    const flood = await Promise.all(Array.from({ length: 200 }, knock));
    await closed('too_many_strangers', 180 - 1);
    await eventually('those beyond the limit are gone', () =>
      flood.filter((socket) => !socket.destroyed && socket.resume()).length <= 20 ? true : undefined,
    );
    expect(Number(await gauge('watchpost_grpc_stranger_connections'))).to.be.at.most(20);
    // the authenticated agent keeps its connection, and a new one gets through the flood
    expect(await service.pull(client)).to.deep.equal({ welcome: agentId });
    expect(await service.pull(service.client(held))).to.deep.equal({ welcome: agentId });
    const { secret: second } = await service.token('vm-2');
    await service.enroll(second);
  });

  it('counts against a limit of its address, so that other addresses can connect', async () => {
    service = await SecureService.start({ limits: { strangers: 20, strangersOfOneAddress: 5 } });
    await Promise.all(Array.from({ length: 12 }, knock));
    await closed('too_many_strangers_of_one_address', 7);
    expect(Number(await gauge('watchpost_grpc_stranger_connections'))).to.be.at.most(5);
  });

  it('has a limit for each agent also with a valid certificate', async () => {
    service = await SecureService.start({ limits: { ofOneAgent: 3 } });
    const { secret } = await service.token('vm-1');
    const { held } = await service.enroll(secret);
    const many = await Promise.all(
      Array.from({ length: 6 }, () => service.handshake({ key: held.key, cert: held.certificate })),
    );
    sockets.push(...many);
    for (const socket of many) socket.resume();
    await closed('too_many_of_one_agent', 3);
  });

  it('is answered by the health protocol, and by nothing else', async () => {
    service = await SecureService.start();
    const { grpc } = loadPackageDefinition(loadSync(HEALTH)) as unknown as {
      grpc: { health: { v1: { Health: ServiceClientConstructor } } };
    };
    const client = new grpc.health.v1.Health(
      `127.0.0.1:${service.port}`,
      secureChannel(service.authority),
      LOOPBACK.options,
    );
    const check = (request: object) =>
      new Promise((resolve) =>
        client['check']!(request, { deadline: Date.now() + 60_000 }, (error: ServiceError | null, answer: unknown) =>
          resolve(error?.code ?? answer),
        ),
      );
    expect(await check({})).to.deep.equal({ status: 1 });
    expect(await check({ service: 'other' })).to.equal(status.NOT_FOUND);
    client.close();
    expect(await service.pull(service.client())).to.have.property('code', status.UNAUTHENTICATED);
  });

  it('is closed after plain text, another protocol or nonsense, without an effect on other connections', async () => {
    service = await SecureService.start();
    const plain = service.client(undefined, credentials.createInsecure());
    expect(await service.pull(plain)).to.have.property('code', status.UNAVAILABLE);
    const nonsense = await knock();
    nonsense.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await new Promise((resolve) => nonsense.resume().once('close', resolve));
    await closed('handshake_failed', 2);
    const http1 = await service.handshake({ ALPNProtocols: ['http/1.1'] }).catch(() => null);
    if (http1) await new Promise((resolve) => http1.resume().once('close', resolve));
    const { agentId, secret } = await service.token('vm-1');
    const { held } = await service.enroll(secret);
    expect(await service.pull(service.client(held))).to.deep.equal({ welcome: agentId });
  });

  it('receives the certificate of replaced files without a restart, and never half of a change', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'watchpost-tls-'));
    const authority = await createAuthority();
    const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    const first = await authority.issue();
    writeFileSync(certFile, first.cert);
    writeFileSync(keyFile, first.key);
    service = await SecureService.start({ source: { certFile, keyFile }, lookMs: 20 });
    const serial = async () => {
      const socket = await service.handshake({ ca: authority.rootPem });
      sockets.push(socket);
      return socket.getPeerCertificate().serialNumber;
    };
    const before = await serial();
    const second = await authority.issue();
    writeFileSync(certFile, second.cert);
    for (let look = 0; look < 5; look++) expect(await serial()).to.equal(before);
    writeFileSync(keyFile, second.key);
    await eventually(
      'the new certificate',
      async () => ((await serial()) === before ? undefined : true),
      PATIENCE_MS,
      20,
    );
    const { agentId, secret } = await service.token('vm-1');
    const { held } = await service.enroll(secret, { roots: authority.rootPem });
    const shown = secureChannel(authority.rootPem, held);
    expect(await service.pull(service.client(undefined, shown))).to.deep.equal({ welcome: agentId });
    rmSync(folder, { recursive: true });
  });

  it('receives a new certificate of the own authority before the former one expires', async () => {
    service = await SecureService.start({ times: { lifeMs: 3_000 }, lookMs: 50 });
    const serial = async () => {
      const socket = await service.handshake();
      sockets.push(socket);
      return socket.getPeerCertificate().serialNumber;
    };
    const before = await serial();
    await eventually(
      'another certificate',
      async () => ((await serial()) === before ? undefined : true),
      PATIENCE_MS,
      50,
    );
  });

  const gauge = async (name: string) => (await service.metric(name)).trim().split(' ').at(-1);
});
