import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, TLSSocket, type SecureVersion } from 'node:tls';
import type { ServerCertificate } from './certificates.js';

export interface SeenRequest {
  /** Wall-clock time of its last header byte, ms since the epoch. */
  at: number;
  method: string;
  path: string;
  /** As sent: name and value, in order. */
  rawHeaders: [string, string][];
  /** Names in lower case; the last of several. */
  headers: Record<string, string>;
  body: Buffer;
  /** The server name of the TLS handshake. */
  servername: string | null;
  /** The status of the answer, once it is sent. */
  status: number | null;
}

/** The input of a behaviour: the raw socket, so that any wrong answer is possible. */
export interface Exchange {
  request: SeenRequest;
  socket: Socket;
  /** Resets the TCP connection, under TLS too. */
  cut(): void;
  /** Rejects when the target closes or the client goes, so that no test waits for a drip. */
  sleep(ms: number): Promise<void>;
}

export type Behaviour = (exchange: Exchange) => void | Promise<void>;

export interface TargetOptions {
  /** Default `127.0.0.1`. */
  host?: string;
  port?: number;
  /** Answers of every path without its own. */
  behaviour: Behaviour;
  tls?: ServerCertificate & {
    minVersion?: SecureVersion;
    maxVersion?: SecureVersion;
    ALPNProtocols?: string[];
    ciphers?: string;
    /** Without `ca`, one that nobody trusts is refused. */
    requestCert?: boolean;
    /** The authority of client certificates, as PEM. */
    ca?: string;
    /** Stapled to the handshake where the client asks for it. */
    ocsp?: Buffer;
  };
  /** Before anything is read, TLS included. True: the connection is dealt with, leave it alone. */
  onConnection?: (socket: Socket) => boolean;
}

/** A web server on loopback that records its requests, and whose answers a test can change while it runs. */
export interface Target {
  host: string;
  port: number;
  /** `http://127.0.0.1:PORT` or `https://…`, without a slash at the end. */
  url: string;
  requests: SeenRequest[];
  connections: number;
  /** Open now. */
  openSockets: number;
  behave(behaviour: Behaviour): void;
  /** For one path alone, as in the request line without its query. */
  route(path: string, behaviour: Behaviour): void;
  close(): Promise<void>;
}

export async function startTarget(options: TargetOptions): Promise<Target> {
  const routes = new Map<string, Behaviour>();
  const sockets = new Set<Socket>();
  let behaviour = options.behaviour;

  const serve = (socket: Socket): void => {
    socket.on('error', () => socket.destroy());
    readRequests(socket, (request) => {
      target.requests.push(request);
      const chosen = routes.get(request.path.split('?')[0]!) ?? behaviour;
      const gone = new AbortController();
      socket.once('close', () => gone.abort());
      const sleep = (ms: number): Promise<void> =>
        new Promise((resolve, reject) => {
          const onGone = () => {
            clearTimeout(timer);
            reject(new Error('the client has gone'));
          };
          const timer = setTimeout(() => {
            gone.signal.removeEventListener('abort', onGone);
            resolve();
          }, ms);
          gone.signal.addEventListener('abort', onGone);
        });
      const cut = (): unknown => [...sockets].find((raw) => raw.remotePort === socket.remotePort)?.resetAndDestroy();
      void Promise.resolve(chosen({ request, socket, cut: () => void cut(), sleep })).catch(() => socket.destroy());
    });
  };
  const server = createServer({ pauseOnConnect: options.tls !== undefined }, (raw) => {
    target.connections++;
    sockets.add(raw);
    raw.on('close', () => sockets.delete(raw));
    raw.on('error', () => raw.destroy());
    if (options.onConnection?.(raw)) return;
    if (tlsServer) tlsServer.emit('connection', raw);
    else serve(raw);
  });
  const tlsServer = options.tls
    ? createTlsServer(options.tls, serve)
        .on('tlsClientError', (_error, socket) => socket.destroy())
        .on(
          'OCSPRequest',
          (_certificate: Buffer, _issuer: Buffer, done: (error: Error | null, staple: Buffer) => void) =>
            done(null, options.tls?.ocsp ?? Buffer.alloc(0)),
        )
    : null;

  const host = options.host ?? '127.0.0.1';
  await listen(server, options.port ?? 0, host);
  const { port } = server.address() as AddressInfo;
  const target: Target = {
    host,
    port,
    url: `${options.tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`,
    requests: [],
    connections: 0,
    get openSockets() {
      return sockets.size;
    },
    behave(next) {
      behaviour = next;
    },
    route(path, own) {
      routes.set(path, own);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
  return target;
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
}

/** Reads requests off a socket, one after the other, by hand: a behaviour needs the socket as it is. */
function readRequests(socket: Socket, onRequest: (request: SeenRequest) => void): void {
  let buffered = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    buffered = Buffer.concat([buffered, chunk]);
    // A TLS handshake on a port for plain HTTP: web servers answer with an error.
    if (buffered[0] === 0x16) socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n');
    for (;;) {
      const end = buffered.indexOf('\r\n\r\n');
      if (end < 0) return;
      const [requestLine = '', ...lines] = buffered.subarray(0, end).toString('latin1').split('\r\n');
      const rawHeaders = lines.map((line): [string, string] => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon), line.slice(colon + 1).trim()];
      });
      const headers = Object.fromEntries(rawHeaders.map(([name, value]) => [name.toLowerCase(), value]));
      const bodyEnd = end + 4 + Number(headers['content-length'] ?? 0);
      if (buffered.length < bodyEnd) return;
      const [method = '', path = ''] = requestLine.split(' ');
      const body = Buffer.from(buffered.subarray(end + 4, bodyEnd));
      buffered = buffered.subarray(bodyEnd);
      onRequest({
        at: Date.now(),
        method,
        path,
        rawHeaders,
        headers,
        body,
        servername: servernameOf(socket),
        status: null,
      });
    }
  });
}

function servernameOf(socket: Socket): string | null {
  if (!(socket instanceof TLSSocket)) return null;
  const name: unknown = (socket as TLSSocket & { servername?: unknown }).servername;
  return typeof name === 'string' ? name : null;
}
