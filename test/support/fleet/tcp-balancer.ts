import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A balancer in front of several control-plane processes: each new connection goes to the next one that accepts it. */
export interface TcpBalancer {
  readonly port: number;
  stop(): Promise<void>;
}

export async function startTcpBalancer(targets: readonly number[]): Promise<TcpBalancer> {
  const sockets = new Set<Socket>();
  let turn = 0;
  const server = createServer({ pauseOnConnect: true }, (client) => {
    keep(client);
    const first = turn++;
    const attempt = (number: number) => {
      if (number === targets.length || client.destroyed) return void client.destroy();
      const upstream = connect(targets[(first + number) % targets.length]!, '127.0.0.1');
      const next = () => attempt(number + 1);
      upstream.once('error', next);
      upstream.once('connect', () => {
        upstream.off('error', next);
        keep(upstream);
        for (const [one, other] of [
          [client, upstream],
          [upstream, client],
        ] as const) {
          one.on('close', () => other.destroy());
          one.pipe(other);
        }
        client.resume();
      });
    };
    attempt(0);
  });
  function keep(socket: Socket): void {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
