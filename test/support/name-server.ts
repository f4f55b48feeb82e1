import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import { createServer, isIPv6, type AddressInfo, type Socket } from 'node:net';
import {
  AUTHORITATIVE_ANSWER,
  decode,
  encode,
  streamEncode,
  type Answer,
  type DecodedPacket,
  type Packet,
  type Question,
} from 'dns-packet';

const RCODES = { NOERROR: 0, FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, NOTIMP: 4, REFUSED: 5 } as const;
const TRUNCATED = 1 << 9;

export interface NameAnswer {
  rcode?: keyof typeof RCODES;
  answers?: Answer[];
  authorities?: Answer[];
  /** Default true. */
  authoritative?: boolean;
  truncated?: boolean;
}

export interface Asked {
  id: number;
  question: Question;
  via: 'udp' | 'tcp';
  edns: boolean;
  recursive: boolean;
  /** The message as it was sent, over TCP without its length. */
  bytes: Buffer;
}

/** The behaviour of a name server for a question: an answer, raw bytes, or null for no answer. */
export type NameBehaviour = (asked: Asked) => NameAnswer | Buffer | null;

/** The same of one that asks another server first. */
export type LateBehaviour = (asked: Asked) => ReturnType<NameBehaviour> | Promise<ReturnType<NameBehaviour>>;

/** A name server on loopback, over UDP and TCP, which can send any wrong answer. */
export interface NameServer {
  host: string;
  port: number;
  asked: Asked[];
  /** The most TCP connections that were open at the same time. */
  readonly mostConnections: number;
  behave(behaviour: LateBehaviour): void;
  close(): Promise<void>;
}

export interface NameServerOptions {
  behaviour: LateBehaviour;
  host?: string;
  /** Default: one that is free for both UDP and TCP. */
  port?: number;
}

export async function startNameServer(options: NameServerOptions): Promise<NameServer> {
  for (;;) {
    try {
      return await listenForBoth(options);
    } catch (error) {
      if (options.port !== undefined || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
}

async function listenForBoth(options: NameServerOptions): Promise<NameServer> {
  const host = options.host ?? '127.0.0.1';
  let behaviour = options.behaviour;
  const asked: Asked[] = [];
  const reply = async (bytes: Buffer, via: 'udp' | 'tcp'): Promise<Packet | Buffer | null> => {
    const packet = decoded(bytes);
    const [question] = packet?.questions ?? [];
    if (!packet || !question) return null;
    const seen: Asked = {
      id: packet.id ?? 0,
      question,
      via,
      edns: (packet.additionals ?? []).some((one) => one.type === 'OPT'),
      recursive: packet.flag_rd,
      bytes,
    };
    asked.push(seen);
    const answer = await behaviour(seen);
    if (answer === null || Buffer.isBuffer(answer)) return answer;
    const flags =
      (answer.authoritative === false ? 0 : AUTHORITATIVE_ANSWER) |
      (answer.truncated ? TRUNCATED : 0) |
      RCODES[answer.rcode ?? 'NOERROR'];
    const { answers = [], authorities = [] } = answer;
    return { type: 'response', id: packet.id ?? 0, flags, questions: [question], answers, authorities };
  };

  const connections = new Set<Socket>();
  let mostConnections = 0;
  const tcp = createServer((socket) => {
    connections.add(socket);
    mostConnections = Math.max(mostConnections, connections.size);
    socket.on('close', () => connections.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.once('data', (bytes: Buffer) => {
      void reply(bytes.subarray(2), 'tcp').then((packet) => {
        if (packet !== null) socket.end(Buffer.isBuffer(packet) ? packet : streamEncode(packet));
      });
    });
  });
  tcp.listen(options.port ?? 0, host);
  await once(tcp, 'listening');
  const { port } = tcp.address() as AddressInfo;
  const udp = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
  let isOpen = true;
  udp.on('message', (bytes: Buffer, from: RemoteInfo) => {
    void reply(bytes, 'udp').then((packet) => {
      if (packet !== null && isOpen)
        udp.send(Buffer.isBuffer(packet) ? packet : encode(packet), from.port, from.address);
    });
  });
  udp.bind(port, host);
  await once(udp, 'listening').catch((error: unknown) => {
    tcp.close();
    throw error;
  });
  return {
    host,
    port,
    asked,
    get mostConnections() {
      return mostConnections;
    },
    behave(next) {
      behaviour = next;
    },
    close: async () => {
      isOpen = false;
      udp.close();
      for (const socket of connections) socket.destroy();
      tcp.close();
      await once(tcp, 'close');
    },
  };
}

/** @returns null for what is no DNS message */
function decoded(bytes: Buffer): DecodedPacket | null {
  try {
    return decode(bytes);
  } catch {
    return null;
  }
}

/** Answers from a list of records; NXDOMAIN for a name that has none. */
export function records(list: readonly Answer[]): NameBehaviour {
  return ({ question }) => {
    const own = list.filter((record) => record.name.toLowerCase() === question.name.toLowerCase());
    if (own.length === 0) return { rcode: 'NXDOMAIN' };
    return { answers: own.filter((record) => record.type === question.type || record.type === 'CNAME') };
  };
}
