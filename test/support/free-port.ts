import { randomInt } from 'node:crypto';
import { createServer, type Server } from 'node:net';

/** Below the ephemeral ports of operating systems and the ports of embedded PostgreSQL: another process may take one of those before the test listens on it. */
const FROM = 12_000;
const BLOCK = 50;
const BLOCKS = 160;

/** The last port that was given, of a block whose first port this process holds: no other test process gives ports of it. */
let last: Promise<number> | undefined;

/** @returns a port on loopback that is free, and that no other test process is given */
export function freePort(): Promise<number> {
  last = (last ?? claimBlock()).then(nextOf);
  return last;
}

async function nextOf(port: number): Promise<number> {
  const next = (port + 1 - FROM) % BLOCK === 0 ? (await claimBlock()) + 1 : port + 1;
  const server = await listen(next);
  if (!server) return nextOf(next);
  await new Promise((resolve) => server.close(resolve));
  return next;
}

/** @returns the first port of a block, which is held until this process ends */
async function claimBlock(): Promise<number> {
  for (;;) {
    const first = FROM + BLOCK * randomInt(BLOCKS);
    const server = await listen(first);
    if (!server) continue;
    server.unref();
    return first;
  }
}

async function listen(port: number): Promise<Server | undefined> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(undefined));
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}
