import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the ephemeral ports of operating systems and the ports of embedded PostgreSQL: another process may take one of those before the test listens on it. */
const FROM = 12_000;
const TO = 20_000;
const given = new Set<number>();

/** @returns a port on loopback that is free and unlikely to be taken */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FROM, TO);
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const listens = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => resolve(true));
  });
  if (listens) await new Promise((resolve) => server.close(resolve));
  return listens;
}
