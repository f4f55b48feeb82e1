import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A TCP relay on loopback that can be cut, slowed down and silenced like a cable. */
export interface TcpProxy {
  readonly port: number;
  /** Accepted until now. */
  readonly connections: number;
  /** Resets what is open and refuses what comes, until `restore`. */
  cut(): void;
  /** Each packet takes this much longer in each direction, until `restore`. */
  delay(ms: number): void;
  /**
   * Loses every byte without closing anything: what is open stays silent for good, as when a router forgot the connection,
   * and new connections are silent until `restore`.
   */
  silence(): void;
  restore(): void;
  stop(): Promise<void>;
}

/** After this long without an answer a server's kernel gives a connection up, with the keepalive that the product asks for. */
const SERVER_NOTICES_MS = 14_000;

export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  let isCut = false;
  let isSilent = false;
  let delayMs = 0;
  let connections = 0;
  /** Whether each leads to the server. */
  const sockets = new Map<Socket, boolean>();
  const silent = new WeakSet<Socket>();
  const hush = (socket: Socket, isToServer: boolean): void => {
    silent.add(socket);
    if (isToServer) setTimeout(() => socket.resetAndDestroy(), SERVER_NOTICES_MS).unref();
  };
  const relay = (from: Socket, to: Socket): void => {
    const write = (bytes: Buffer): void => {
      if (silent.has(from) || to.destroyed) return;
      if (!to.write(bytes)) {
        from.pause();
        to.once('drain', () => from.resume());
      }
    };
    from.on('data', (bytes: Buffer) => {
      if (delayMs === 0 || silent.has(from)) return write(bytes);
      from.pause();
      setTimeout(() => {
        from.resume();
        write(bytes);
      }, delayMs);
    });
    from.on('end', () => {
      if (!silent.has(from)) to.end();
    });
  };
  const server = createServer((client) => {
    if (isCut) return void client.resetAndDestroy();
    connections++;
    const upstream = connect(targetPort, '127.0.0.1');
    for (const socket of [client, upstream]) {
      sockets.set(socket, socket === upstream);
      if (isSilent) hush(socket, socket === upstream);
      socket.setNoDelay(true);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        // Nobody learns of the end of a silent connection, except through this relay itself.
        if (silent.has(socket)) return;
        client.destroy();
        upstream.destroy();
      });
    }
    relay(client, upstream);
    relay(upstream, client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    get connections() {
      return connections;
    },
    cut() {
      isCut = true;
      for (const socket of sockets.keys()) socket.resetAndDestroy();
    },
    delay(ms) {
      delayMs = ms;
    },
    silence() {
      isSilent = true;
      for (const [socket, isToServer] of sockets) if (!silent.has(socket)) hush(socket, isToServer);
    },
    restore() {
      isCut = false;
      isSilent = false;
      delayMs = 0;
    },
    async stop() {
      for (const socket of sockets.keys()) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
