import { connect } from 'node:net';
import { streamEncode, type Packet } from 'dns-packet';
import { readReply, type Question, type Reply } from './dns-reply.js';

/**
 * Asks over TCP (RFC 7766) what did not fit into a packet.
 * @param onStart is given what ends the connection early; the answer is then `silent`
 */
export function askOverTcp(
  server: { ip: string; port: number; patienceMs: number },
  packet: Packet,
  question: Question,
  onStart: (end: () => void) => void,
): Promise<Reply> {
  return new Promise((resolve) => {
    const startedAt = performance.now();
    let received: Buffer = Buffer.alloc(0);
    const socket = connect({ host: server.ip, port: server.port });
    const settle = (reply: Reply): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(reply);
    };
    const timer = setTimeout(() => settle({ kind: 'silent' }), 2 * server.patienceMs);
    onStart(() => settle({ kind: 'silent' }));
    socket.once('connect', () => socket.write(streamEncode(packet)));
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      // The length comes first, in two bytes: no answer is longer than 64 KiB.
      if (received.length < 2 || received.length < received.readUInt16BE(0) + 2) return;
      const answer = readReply(received.subarray(2, received.readUInt16BE(0) + 2), packet.id!, question);
      settle(
        answer
          ? { kind: 'answer', packet: answer, us: Math.round((performance.now() - startedAt) * 1_000) }
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
