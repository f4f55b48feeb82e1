import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { systemClock } from '@watchpost/shared/clock';
import { expect } from 'chai';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { startGrpcServer } from './grpc-server.js';
import { ServiceHealth } from './service-health.js';

describe('The port for agents', () => {
  const refusal = (host: string, port: number): Promise<unknown> => {
    const health = new ServiceHealth({ services: {}, isReady: () => Promise.resolve(true) });
    const options = {
      host,
      port,
      tls: null,
      agents: { addTo: () => undefined },
      health,
      clock: systemClock,
      registry: new Registry(),
    };
    return startGrpcServer({ ...options, logger: pino({ level: 'silent' }) }).catch((caught: unknown) => caught);
  };

  it('reports with the code of the system that another program uses it', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const error = await refusal('127.0.0.1', port);
    other.close();
    expect(error).to.be.instanceOf(Error).with.property('code', 'EADDRINUSE');
  });

  it('refuses to receive tokens unencrypted from other machines', async () => {
    for (const host of ['0.0.0.0', '::', '10.1.2.3', '::ffff:10.1.2.3', 'agents.example', '127.evil.example'])
      expect(await refusal(host, 0), host)
        .to.be.instanceOf(Error)
        .with.property('message')
        .that.includes('loopback');
  });
});
