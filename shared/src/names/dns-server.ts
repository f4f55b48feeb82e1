import { randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import type { AtOnce } from '../queues/at-once.js';
import { HEADER_BYTES, queryBytes } from './dns-message.js';
import { readReply, type Question, type Reply } from './dns-reply.js';
import { askOverTcp } from './dns-over-tcp.js';

interface Waiting {
  question: Question;
  startedAt: number;
  settle(reply: Reply | Truncated): void;
}

/** The number of attempts before a server counts as silent. */
export const ATTEMPTS = 2;
const RESPONSE_BIT = 0x80;
const TRUNCATED_BIT = 0x02;
const OVER_TCP: Readonly<Record<Exclude<Reply['kind'], 'answer'>, string>> = {
  silent: 'does not answer',
  refused: 'has its port closed',
  garbled: 'sends an invalid response',
  unreachable: 'cannot be reached',
  cut: 'sends no more',
};

export interface DnsServerOptions {
  ip: string;
  port: number;
  /** true for resolvers, false for authoritative servers. */
  recursive: boolean;
  /** The time after which a query is repeated or, after the last attempt, abandoned. */
  patienceMs: number;
  /** The waits after each attempt; default: `patienceMs`, twice. */
  waitsMs?: readonly number[];
  /** Shared by servers that together open a limited number of connections; default: no limit. */
  connections?: AtOnce;
  /** The socket does not keep the process alive. */
  unref?: boolean;
}

/** A response over UDP that does not fit into a packet. */
interface Truncated {
  kind: 'truncated';
}

/** Queries one name server, over one UDP socket, and over TCP for long responses. */
export class DnsServer {
  readonly #socket: Socket;
  readonly #waiting = new Map<number, Waiting>();
  readonly #endings = new Set<() => void>();
  /** Queries from before the socket was ready. */
  #queued: (() => void)[] | null = [];
  #sent = false;
  #broken: Reply | null = null;
  #isClosed = false;

  readonly #waitsMs: readonly number[];

  constructor(private readonly options: DnsServerOptions) {
    this.#waitsMs = options.waitsMs ?? Array<number>(ATTEMPTS).fill(options.patienceMs);
    this.#socket = createSocket(isIPv6(options.ip) ? 'udp6' : 'udp4');
    if (options.unref) this.#socket.unref();
    this.#socket.on('message', this.#onMessage);
    this.#socket.on('error', this.#onError);
    this.#socket.once('connect', () => {
      for (const send of this.#queued ?? []) send();
      this.#queued = null;
    });
    // On a connected socket the kernel drops packets of others and reports refusals. Without a callback, faults are error events.
    this.#socket.connect(options.port, options.ip);
  }

  /** Whether the socket is closed or cannot send any more. */
  get isBroken(): boolean {
    return this.#broken !== null;
  }

  /** @returns the reply; `silent` also if the check ended first */
  async ask(question: Question): Promise<Reply> {
    const reply = await this.#ask(question, true);
    // RFC 6891 §7: a server without EDNS returns an error for the question.
    const isWithoutEdns = reply.kind === 'answer' && ['FORMERR', 'NOTIMP'].includes(reply.message.rcode);
    return isWithoutEdns ? this.#ask(question, false) : reply;
  }

  async #ask(question: Question, edns: boolean): Promise<Reply> {
    const reply = await this.#askOverUdp(question, edns);
    if (reply.kind !== 'truncated') return reply;
    const { connections } = this.options;
    const whole = await (connections
      ? connections.run(() => this.#askOverTcp(question, edns))
      : this.#askOverTcp(question, edns));
    return whole.kind === 'answer' ? whole : { kind: 'cut', why: OVER_TCP[whole.kind] };
  }

  /** Ends all open queries with `silent`. */
  close(): void {
    this.#isClosed = true;
    this.#fail({ kind: 'silent' });
    for (const end of this.#endings) end();
  }

  async #askOverTcp(question: Question, edns: boolean): Promise<Reply> {
    // The check can end while the query waits for a connection.
    if (this.#isClosed) return { kind: 'silent' };
    let end: (() => void) | undefined;
    const reply = await askOverTcp(this.options, this.#query(question, edns), question, (how) => {
      end = how;
      this.#endings.add(how);
    });
    if (end) this.#endings.delete(end);
    return reply;
  }

  #askOverUdp(question: Question, edns: boolean): Promise<Reply | Truncated> {
    return new Promise((resolve) => {
      if (this.#broken) {
        resolve(this.#broken);
        return;
      }
      const bytes = this.#query(question, edns);
      const id = bytes.readUInt16BE(0);
      let attempts = 0;
      let timer: NodeJS.Timeout | undefined;
      const settle = (reply: Reply | Truncated): void => {
        clearTimeout(timer);
        this.#waiting.delete(id);
        resolve(reply);
      };
      const send = (): void => {
        if (!this.#waiting.has(id)) return;
        const waitMs = this.#waitsMs[attempts++];
        if (waitMs === undefined) {
          settle({ kind: 'silent' });
          return;
        }
        timer = setTimeout(send, waitMs);
        this.#socket.send(bytes, (error) => {
          if (error) this.#onError(error);
          else this.#sent = true;
        });
      };
      this.#waiting.set(id, { question, startedAt: performance.now(), settle });
      if (this.#queued) this.#queued.push(send);
      else send();
    });
  }

  #query(question: Question, edns: boolean): Buffer {
    let id = randomInt(65_536);
    while (this.#waiting.has(id)) id = randomInt(65_536);
    return queryBytes(id, question, { edns, recursive: this.options.recursive });
  }

  readonly #onMessage = (bytes: Buffer): void => {
    const waiting = bytes.length >= 2 ? this.#waiting.get(bytes.readUInt16BE(0)) : undefined;
    if (!waiting) return;
    if (isTruncated(bytes)) return waiting.settle({ kind: 'truncated' });
    const message = readReply(bytes, bytes.readUInt16BE(0), waiting.question);
    // The kernel delivers packets of this server only: an invalid one with this id is its fault.
    waiting.settle(
      message
        ? { kind: 'answer', message, us: Math.round((performance.now() - waiting.startedAt) * 1_000) }
        : { kind: 'garbled' },
    );
  };

  readonly #onError = (error: NodeJS.ErrnoException): void => {
    const code = error.code ?? 'unknown';
    this.#fail(code === 'ECONNREFUSED' ? { kind: 'refused' } : { kind: 'unreachable', code, ours: !this.#sent });
  };

  #fail(reply: Reply): void {
    if (this.#broken) return;
    this.#broken = reply;
    for (const waiting of [...this.#waiting.values()]) waiting.settle(reply);
    this.#socket.close();
  }
}

/**
 * Whether a packet is a truncated response, from its header alone: servers cut packets without correcting the counts of
 * their records, so that the rest cannot be decoded.
 */
function isTruncated(bytes: Buffer): boolean {
  return bytes.length >= HEADER_BYTES && (bytes[2]! & RESPONSE_BIT) !== 0 && (bytes[2]! & TRUNCATED_BIT) !== 0;
}
