import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface DeafServer {
  port: number;
  stop(): void;
}

/** A listening port whose queue is full: another connection gets no answer at all. */
export async function startDeafServer(host = '127.0.0.1', atPort = 0): Promise<DeafServer> {
  const script = `
    const { createServer } = require('node:net');
    const server = createServer().listen({ port: ${atPort}, host: '${host}', backlog: 1 }, () => {
      process.send(server.address().port, () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));
    });`;
  const child = fork('-', [], { execArgv: ['-e', script], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const [port] = (await once(child, 'message')) as [number];
  const fillers: Socket[] = [];
  // As many as are taken; the first that is not shows that the queue is full. Where this process stood still meanwhile,
  // a connection that was taken is only about to be heard of.
  const heardOfAll = async () => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
    return false;
  };
  for (;;) {
    const socket = connect(port, host);
    socket.on('error', () => undefined);
    fillers.push(socket);
    const taken = await Promise.race([once(socket, 'connect').then(() => true), heardOfAll()]);
    if (!taken) break;
  }
  return {
    port,
    stop() {
      for (const socket of fillers) socket.destroy();
      child.kill('SIGKILL');
    },
  };
}
