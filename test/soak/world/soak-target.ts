import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { readFileSync } from 'node:fs';
import { startNameServer } from '../../support/name-server.js';
import type { OutageMode } from '../draw/draw-outages.js';

/** One check as the target saw it: what was checked, from which address, when (ms since the epoch), and whether it was answered well. */
export type TargetRequest = [subject: string, from: string, atMs: number, isGood: boolean];
export interface TargetPorts {
  http: number;
  https: number;
  tcp: number;
  dns: number;
}

const ANSWER_AFTER_MS = 30;
/** The names of DNS monitors are below this one. */
export const ZONE = 'soak.test';

/**
 * A separate process with all targets: a site over HTTP and HTTPS whose paths are subjects, a TCP service whose subjects
 * are the addresses of loopback on which it is asked, and a name server whose subjects are names.
 * `POST /control/outages` sets which subjects fail and how; `GET /control/seen?from=N` returns requests from the N-th on.
 * Prints one line of JSON when ready. Arguments: the files of key and certificate.
 */
async function main(): Promise<void> {
  const seen: TargetRequest[] = [];
  let outages = new Map<string, OutageMode>();
  const note = (subject: string, from: string): OutageMode | undefined => {
    const mode = outages.get(subject);
    seen.push([subject, from, Date.now(), mode === undefined]);
    return mode;
  };
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    const mode = note(request.url!, socket.remoteAddress ?? '');
    if (mode === 'reset') return void socket.destroy();
    if (mode === 'silent') return;
    // A delay, so that a kill finds some checks running.
    setTimeout(() => response.writeHead(mode ? 500 : 200, { connection: 'close' }).end('hello'), ANSWER_AFTER_MS);
  };
  const control = (request: IncomingMessage, response: ServerResponse): void => {
    const url = new URL(request.url!, 'http://target');
    if (url.pathname === '/control/seen') {
      response.end(JSON.stringify(seen.slice(Number(url.searchParams.get('from') ?? 0))));
      return;
    }
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => (text += part));
    request.on('end', () => {
      outages = new Map(JSON.parse(text) as [string, OutageMode][]);
      response.end();
    });
  };
  const [, , keyFile, certFile] = process.argv;
  const http = createHttpServer((request, response) =>
    request.url!.startsWith('/control/') ? control(request, response) : serve(request, response),
  );
  const https = createHttpsServer({ key: readFileSync(keyFile!), cert: readFileSync(certFile!) }, serve);
  const tcp = createServer((socket: Socket) => {
    socket.on('error', () => socket.destroy());
    const mode = note(`tcp ${socket.localAddress}`, socket.remoteAddress ?? '');
    if (mode === undefined) socket.end('READY\r\n');
    else if (mode === 'silent') socket.resume();
    else socket.resetAndDestroy();
  });
  const dns = await startNameServer({
    behaviour: ({ question }) => {
      const mode = note(`dns ${question.name.toLowerCase()}`, '');
      if (mode === 'silent') return null;
      if (mode !== undefined) return { rcode: 'SERVFAIL' };
      return { answers: question.type === 'A' ? [{ name: question.name, type: 'A', data: '192.0.2.7' }] : [] };
    },
  });
  const listen = (server: Server): Promise<number> =>
    new Promise((resolve) => {
      server.listen(0, '0.0.0.0', () => resolve((server.address() as AddressInfo).port));
    });
  const ports: TargetPorts = {
    http: await listen(http),
    https: await listen(https),
    tcp: await listen(tcp),
    dns: dns.port,
  };
  process.stdout.write(`${JSON.stringify(ports)}\n`);
}

if (process.argv[1] === import.meta.filename) await main();
