import { connect, type ClientHttp2Session } from 'node:http2';
import { connect as connectSocket, createServer, type AddressInfo, type Socket } from 'node:net';
import { expect } from 'chai';
import { status } from '@grpc/grpc-js';
import fc from 'fast-check';
import { eventually, PATIENCE_MS } from '../../support/eventually.js';
import { FleetService } from './fleet-service.js';

describe('an agent that violates the contract', function () {
  let service: FleetService;
  beforeEach(async () => {
    service = await FleetService.start();
  });
  afterEach(() => service.stop());

  it('is refused permanently without a valid token', async () => {
    for (const token of ['', 'wpa_nobody', 'x'.repeat(1_000)]) {
      const stranger = service.client(token).connect();
      expect((await stranger.ended()).code).to.equal(status.UNAUTHENTICATED);
    }
  });

  it('is refused permanently if it can run no check or supports no version', async () => {
    const agent = await service.agent('vm-1');
    expect((await agent.connect({ protocolVersion: 0 }).ended()).code).to.equal(status.FAILED_PRECONDITION);
    expect((await agent.connect({ capabilities: ['telepathy'] }).ended()).code).to.equal(status.FAILED_PRECONDITION);
  });

  it('is accepted if its version is newer', async () => {
    await service.checks.add(1);
    const agent = (await service.agent('vm-1')).connect({ protocolVersion: 7, capabilities: ['http', 'telepathy'] });
    await agent.has(1);
  });

  it('is disconnected after a second hello or another first message', async () => {
    const agent = (await service.agent('vm-1')).connect();
    agent.send({
      $case: 'hello',
      value: { protocolVersion: 1, agentVersion: '1', capabilities: ['http'], lastRevision: 0n, assignmentEpoch: '' },
    });
    expect((await agent.ended()).code).to.equal(status.INVALID_ARGUMENT);
    const hasty = await service.agent('vm-2');
    hasty.connect({ protocolVersion: 1, capabilities: Array.from({ length: 100 }, () => 'http') });
    expect((await hasty.ended()).code).to.equal(status.INVALID_ARGUMENT);
  });

  it('is disconnected after malformed bytes, without an effect on other agents', async () => {
    await service.checks.add(1);
    const bystander = (await service.agent('vm-2')).connect();
    await bystander.has(1);
    const { token } = await service.agent('vm-1');
    const session = connect(`http://127.0.0.1:${service.port}`);
    try {
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom('PullAssignments', 'StreamResults'),
          fc.uint8Array({ minLength: 1, maxLength: 200 }),
          async (method, bytes) => {
            const code = await rawCall(session, method, token, bytes);
            // The bytes may happen to be a message. They must never cause INTERNAL.
            expect(code).to.be.oneOf([
              status.INVALID_ARGUMENT,
              status.FAILED_PRECONDITION,
              status.OK,
              status.ABORTED,
              'open',
            ]);
          },
        ),
        { numRuns: 100 },
      );
    } finally {
      session.destroy();
    }
    await service.checks.add(1);
    await bystander.has(2);
  });

  it('is disconnected when it no longer answers pings', async () => {
    await service.stop();
    service = await FleetService.start({ keepalive: { timeMs: 200, timeoutMs: 3_000 } });
    const relay = await startRelay(service.port);
    try {
      const { token } = await service.agent('vm-1');
      const agent = service.client(token, relay.port).connect();
      await eventually(
        'the connection',
        () => (service.fleet.connectedAgents().northeurope === 1 ? true : undefined),
        PATIENCE_MS,
        5,
      );
      relay.freeze();
      await eventually(
        'its departure',
        () => (service.fleet.connectedAgents().northeurope === 0 ? true : undefined),
        PATIENCE_MS,
        5,
      );
      expect(agent.status).to.equal(undefined);
    } finally {
      relay.stop();
    }
  });
});

/** Sends one raw message and returns the status of the stream a moment later. */
function rawCall(
  session: ClientHttp2Session,
  method: string,
  token: string,
  bytes: Uint8Array,
): Promise<number | 'open'> {
  return new Promise((resolve, reject) => {
    const stream = session.request({
      ':method': 'POST',
      ':path': `/watchpost.agent.v1.AgentService/${method}`,
      'content-type': 'application/grpc',
      te: 'trailers',
      authorization: `Bearer ${token}`,
    });
    const timer = setTimeout(() => {
      stream.close();
      resolve('open');
    }, 150);
    const settle = (headers: Record<string, unknown>) => {
      if (headers['grpc-status'] === undefined) return;
      clearTimeout(timer);
      stream.close();
      resolve(Number(headers['grpc-status']));
    };
    stream.on('response', settle);
    stream.on('trailers', settle);
    stream.on('error', reject);
    stream.resume();
    const frame = Buffer.alloc(5 + bytes.length);
    frame.writeUInt32BE(bytes.length, 1);
    frame.set(bytes, 5);
    stream.write(frame);
  });
}

/** A proxy. Once frozen, it keeps the connection open and forwards nothing, like a stopped process. */
async function startRelay(target: number): Promise<{ port: number; freeze(): void; stop(): void }> {
  const sockets: Socket[] = [];
  const server = createServer((client) => {
    const upstream = connectSocket(target, '127.0.0.1');
    sockets.push(client, upstream);
    for (const socket of [client, upstream]) socket.on('error', () => undefined);
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    freeze: () => sockets.forEach((socket) => socket.unpipe().pause()),
    stop: () => {
      sockets.forEach((socket) => socket.destroy());
      server.close();
    },
  };
}
