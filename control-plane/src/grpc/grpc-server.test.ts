import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { systemClock } from '@watchpost/shared/clock';
import { expect } from 'chai';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { startGrpcServer, type GrpcServerOptions } from './grpc-server.js';

describe('The port for agents', () => {
  it('says by the code of the system that another program has it', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const gateway = {} as GrpcServerOptions['gateway'];
    const options = { host: '127.0.0.1', port, tls: null, gateway, clock: systemClock, registry: new Registry() };
    const refused = startGrpcServer({ ...options, logger: pino({ level: 'silent' }) });
    const error: unknown = await refused.catch((caught: unknown) => caught);
    other.close();
    expect(error).to.be.instanceOf(Error).with.property('code', 'EADDRINUSE');
  });
});
