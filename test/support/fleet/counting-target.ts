import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One check as the site saw it: which path, from which address, and when (ms since the epoch). */
export type SeenCheck = [path: string, from: string, atMs: number];

const ANSWER_AFTER_MS = 50;

/**
 * A separate process: a site with many paths on every address of loopback, which records all requests.
 * `POST /control/break` names the paths that answer 500, `POST /control/cut` the addresses whose connections break;
 * `GET /control/seen` returns all requests. Prints one line of JSON when ready.
 */
function main(): void {
  const seen: SeenCheck[] = [];
  const controls: Record<string, Set<string>> = { '/control/break': new Set(), '/control/cut': new Set() };
  const server = createServer((request, response) => {
    const path = request.url!;
    const control = controls[path];
    if (control) {
      let text = '';
      request.setEncoding('utf8').on('data', (part: string) => (text += part));
      request.on('end', () => {
        control.clear();
        for (const one of JSON.parse(text) as string[]) control.add(one);
        response.end();
      });
    } else if (path === '/control/seen') {
      response.end(JSON.stringify(seen));
    } else {
      seen.push([path, request.socket.remoteAddress ?? '', Date.now()]);
      const status = controls['/control/break']!.has(path) ? 500 : 200;
      // A delay, so that a kill finds some checks running.
      setTimeout(() => response.writeHead(status).end('hello'), ANSWER_AFTER_MS);
    }
  });
  server.on('connection', (socket) => {
    if (controls['/control/cut']!.has(socket.remoteAddress ?? '')) socket.resetAndDestroy();
  });
  server.listen(0, '0.0.0.0', () => {
    process.stdout.write(`${JSON.stringify({ port: (server.address() as AddressInfo).port })}\n`);
  });
}

if (process.argv[1] === import.meta.filename) main();
