import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedCall {
  method: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** The time of its complete arrival, by `performance.now()`. */
  atMs: number;
}

/** The behaviour of a receiver for a call. By default it answers 200. */
export type Behaviour = (call: ReceivedCall, response: ServerResponse, request: IncomingMessage) => unknown;

export interface WebhookReceiver {
  readonly url: string;
  readonly port: number;
  /** The calls in the order of their arrival. */
  readonly calls: ReceivedCall[];
  /** The answers to the next calls, in order. Later calls get 200. */
  next(...behaviours: Behaviour[]): void;
  /** The answer to every call from now on. */
  always(behaviour: Behaviour): void;
  /** Resolves once `count` calls have arrived. */
  received(count: number): Promise<ReceivedCall[]>;
  stop(): Promise<void>;
}

export const answer =
  (status: number, headers: Readonly<Record<string, string>> = {}, body = ''): Behaviour =>
  (_call, response) => {
    response.writeHead(status, headers).end(body);
  };
/** Takes the request and never answers. */
export const hang: Behaviour = () => {};
/** Takes the request and ends the connection. */
export const hangUp: Behaviour = (_call, _response, request) => request.socket.destroy();

export async function startWebhookReceiver(port = 0): Promise<WebhookReceiver> {
  const calls: ReceivedCall[] = [];
  let script: Behaviour[] = [];
  let otherwise: Behaviour = answer(200);
  let waiters: { count: number; resolve(calls: ReceivedCall[]): void }[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const call: ReceivedCall = {
        method: request.method!,
        path: request.url!,
        headers: request.headers as Record<string, string>,
        body: Buffer.concat(parts).toString('utf8'),
        atMs: performance.now(),
      };
      calls.push(call);
      (script.shift() ?? otherwise)(call, response, request);
      for (const waiter of waiters) if (calls.length >= waiter.count) waiter.resolve(calls);
      waiters = waiters.filter(({ count }) => calls.length < count);
    });
  });
  // The client ends idle connections: a request on one that the server has just ended would be lost.
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const { port: own } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${own}`,
    port: own,
    calls,
    next: (...behaviours) => void (script = behaviours),
    always: (behaviour) => void (otherwise = behaviour),
    received: (count) =>
      calls.length >= count
        ? Promise.resolve(calls)
        : new Promise((resolve) => {
            waiters.push({ count, resolve });
          }),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
