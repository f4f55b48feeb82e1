import { connect } from 'node:net';
import { readReply, type Question, type Reply } from './dns-reply.js';

/**
 * Queries over TCP (RFC 7766), for responses that do not fit into a packet.
 * @param onStart gets a function that ends the connection early; the reply is then `silent`
 */
export function askOverTcp(
  server: { ip: string; port: number; patienceMs: number },
  query: Buffer,
  question: Question,
  onStart: (end: () => void) => void,
): Promise<Reply> {
  return new Promise((resolve) => {
    const startedAt = performance.now();
    const chunks: Buffer[] = [];
    let received = 0;
    /** Length of the response, with the two bytes of the length itself. */
    let expected: number | null = null;
    const socket = connect({ host: server.ip, port: server.port });
    const settle = (reply: Reply): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(reply);
    };
    const timer = setTimeout(() => settle({ kind: 'silent' }), 2 * server.patienceMs);
    onStart(() => settle({ kind: 'silent' }));
    socket.once('connect', () =>
      socket.write(Buffer.concat([Buffer.from([query.length >> 8, query.length & 0xff]), query])),
    );
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      received += chunk.length;
      // The length has two bytes: no response is longer than 64 KiB.
      if (expected === null && received >= 2) expected = Buffer.concat(chunks).readUInt16BE(0) + 2;
      if (expected === null || received < expected) return;
      const answer = readReply(Buffer.concat(chunks).subarray(2, expected), query.readUInt16BE(0), question);
      settle(
        answer
          ? { kind: 'answer', message: answer, us: Math.round((performance.now() - startedAt) * 1_000) }
          : { kind: 'garbled' },
      );
    });
    socket.on('error', (error: NodeJS.ErrnoException) =>
      settle(
        error.code === 'ECONNREFUSED'
          ? { kind: 'refused' }
          : { kind: 'unreachable', code: error.code ?? 'unknown', ours: false },
      ),
    );
    socket.once('end', () => settle({ kind: 'garbled' }));
  });
}
