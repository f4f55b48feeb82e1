import { connect } from 'node:net';
import type pg from 'pg';
import { internalsOf } from './client-internals.js';

/** The code of a CancelRequest, which has no encrypted form in PostgreSQL before version 17. */
const CANCEL_REQUEST = 80_877_102;
const DEADLINE_MS = 2_000;

/**
 * Asks the server to cancel the running statement of a connection, over a connection of its own (PostgreSQL 18, "Canceling
 * Requests in Progress"). Resolves when the server has closed that one, after which it cancels no later statement. Never
 * rejects: what is not cancelled runs to its end.
 */
export function cancelStatement(client: pg.Client): Promise<void> {
  const { host, port, processID, secretKey } = internalsOf(client);
  const request = Buffer.alloc(16);
  request.writeInt32BE(16, 0);
  request.writeInt32BE(CANCEL_REQUEST, 4);
  request.writeInt32BE(processID, 8);
  request.writeInt32BE(secretKey, 12);
  return new Promise((resolve) => {
    const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    const end = () => {
      socket.destroy();
      resolve();
    };
    socket.setTimeout(DEADLINE_MS, end);
    socket.on('error', end).on('close', end).on('end', end);
    socket.on('connect', () => socket.write(request));
    socket.resume();
  });
}
