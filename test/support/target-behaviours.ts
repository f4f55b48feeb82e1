import { STATUS_CODES } from 'node:http';
import type { Behaviour, Exchange } from './target-server.js';

export interface Answer {
  /** Default 200. */
  status?: number;
  /** Over the defaults `content-type: text/plain; charset=utf-8`, `content-length` and `connection: close`; null takes one out. */
  headers?: Record<string, string | readonly string[] | null>;
  /** Default `ok`. */
  body?: string | Buffer;
}

export function answer(options: Answer = {}): Behaviour {
  return (exchange) => {
    const body = Buffer.from(options.body ?? 'ok');
    writeHead(exchange, options, body.length);
    exchange.socket.end(exchange.request.method === 'HEAD' ? '' : body);
  };
}

/** Waits after the request has been read and counted, then continues with another behaviour. */
export function after(ms: number, behaviour: Behaviour): Behaviour {
  return async (exchange) => {
    await exchange.sleep(ms);
    await behaviour(exchange);
  };
}

export function redirectTo(location: string, status = 302): Behaviour {
  return answer({ status, headers: { location }, body: `to ${location}` });
}

/** Never answers. */
export const hang: Behaviour = () => undefined;

/** Ends the connection without an answer. */
export const closeAtOnce: Behaviour = ({ socket }) => {
  socket.end();
};

export const reset: Behaviour = ({ cut }) => cut();

/** Sends raw bytes, then ends the connection. */
export function raw(bytes: string | Buffer): Behaviour {
  return ({ socket }) => {
    socket.end(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  };
}

/** Sends raw bytes and leaves the connection open. */
export function rawThenHang(bytes: string | Buffer): Behaviour {
  return ({ socket }) => {
    socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  };
}

/** Sends one part after the other at intervals, then ends the connection. */
export function drip(parts: Iterable<string | Buffer>, everyMs: number): Behaviour {
  return async ({ socket, sleep }) => {
    for (const part of parts) {
      socket.write(part);
      await sleep(everyMs);
    }
    socket.end();
  };
}

/** Sends part of a body that it promised in full, then closes or resets. */
export function truncated(sent: string, promised: number, how: 'close' | 'reset' = 'close'): Behaviour {
  return async (exchange) => {
    writeHead(exchange, {}, promised);
    exchange.socket.write(sent);
    if (how === 'close') {
      exchange.socket.end();
      return;
    }
    // A reset overtakes what has been sent: the client is given time to read that.
    await exchange.sleep(30);
    exchange.cut();
  };
}

function writeHead({ request, socket }: Exchange, options: Answer, length: number): void {
  const status = options.status ?? 200;
  request.status = status;
  const headers = {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': String(length),
    connection: 'close',
    ...options.headers,
  };
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    value === null ? [] : [value].flat().map((one) => `${name}: ${one}\r\n`),
  );
  socket.write(
    Buffer.from(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Unknown'}\r\n${lines.join('')}\r\n`, 'latin1'),
  );
}
