import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** Slow senders are cut off: they hold a connection and give nothing (slowloris). */
const SLOW_SENDERS = { headersMs: 10_000, requestMs: 25_000, checkedEveryMs: 2_000 };
/** Above what load balancers keep idle connections for (60 s), so that it is they who close. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/** A connection on which nothing moves either way; more than a request may take, and than an event stream is silent. */
const STALLED_MS = 120_000;
const MAX_HEADERS = 100;
const MAX_REQUESTS_PER_SOCKET = 10_000;

export interface ListenOptions {
  host: string;
  /** 0 for any free one. */
  port: number;
  /** How long a caller may take to send the headers, and the whole request. */
  slowSenders?: typeof SLOW_SENDERS;
  /** After how long a caller that does not read its answer is cut off: what it was to get is held in memory. */
  stalledMs?: number;
}

export interface HttpListener {
  readonly server: Server;
  readonly host: string;
  readonly port: number;
  /**
   * Stops accepting, lets running requests finish, closes idle connections at once.
   * @param deadlineMs after this, what still runs is cut off
   */
  close(deadlineMs: number): Promise<void>;
}

/**
 * Serves requests on a TCP port.
 * @throws the error of `listen`, such as EADDRINUSE
 */
export async function listenHttp(
  listener: (request: IncomingMessage, response: ServerResponse) => unknown,
  { host, port, slowSenders = SLOW_SENDERS, stalledMs = STALLED_MS }: ListenOptions,
): Promise<HttpListener> {
  const server = createServer(
    {
      headersTimeout: slowSenders.headersMs,
      requestTimeout: slowSenders.requestMs,
      connectionsCheckingInterval: slowSenders.checkedEveryMs,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    },
    (request, response) => void listener(request, response),
  );
  server.timeout = stalledMs;
  server.maxHeadersCount = MAX_HEADERS;
  server.maxRequestsPerSocket = MAX_REQUESTS_PER_SOCKET;
  const running = new Set<ServerResponse>();
  server.prependListener('request', (_request, response) => {
    running.add(response);
    response.once('close', () => running.delete(response));
  });
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return {
    server,
    host,
    port: (server.address() as AddressInfo).port,
    close: (deadlineMs) => drain(server, running, sockets, deadlineMs),
  };
}

async function drain(
  server: Server,
  running: ReadonlySet<ServerResponse>,
  sockets: ReadonlySet<Socket>,
  deadlineMs: number,
): Promise<void> {
  if (!server.listening) return;
  // A connection that is kept alive would otherwise go on taking requests, and hold up the closing.
  const closeAfter = (response: ServerResponse) => {
    if (!response.headersSent) response.setHeader('Connection', 'close');
  };
  running.forEach(closeAfter);
  server.prependListener('request', (_request, response) => closeAfter(response));
  server.keepAliveTimeout = 1;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => {
    for (const socket of sockets) socket.destroy();
  }, deadlineMs);
  await closed;
  clearTimeout(timer);
}
