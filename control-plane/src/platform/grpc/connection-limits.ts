import type { Socket } from 'node:net';

/** Limits on connections, above all on those without a valid agent certificate: strangers. */
export interface ConnectionLimits {
  /** Connections without a valid certificate, including those in the handshake and those of enrolling agents. */
  strangers: number;
  strangersOfOneAddress: number;
  /** A stranger is disconnected after this time. An enrolment takes well under a second. */
  strangerMs: number;
  handshakeMs: number;
  /** An agent has one connection, and two or three while it reconnects. */
  ofOneAgent: number;
  /** Connections without TLS, on loopback. */
  plain: number;
  /** Watches of the health protocol at once, over all connections. */
  healthWatches: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  strangers: 1_024,
  // A whole fleet may connect from one address, that of a load balancer, and all at once after a restart.
  strangersOfOneAddress: 512,
  strangerMs: 30_000,
  handshakeMs: 10_000,
  ofOneAgent: 8,
  plain: 10_000,
  healthWatches: 256,
};

/**
 * Connections that share a limit. Beyond the limit the oldest one is closed: during a flood of strangers, a handshake of an
 * agent, which takes only two round trips, succeeds before it becomes the oldest.
 */
export class ConnectionSet {
  private readonly sockets = new Set<Socket>();

  constructor(
    private readonly limit: number,
    private readonly onEvicted: () => void,
  ) {}

  get size(): number {
    return this.sockets.size;
  }

  add(socket: Socket): void {
    this.sockets.add(socket);
    if (this.sockets.size <= this.limit) return;
    const [oldest] = this.sockets;
    this.sockets.delete(oldest!);
    oldest!.destroy();
    this.onEvicted();
  }

  delete(socket: Socket): void {
    this.sockets.delete(socket);
  }

  destroyAll(): void {
    for (const socket of this.sockets) socket.destroy();
    this.sockets.clear();
  }
}

/** A set of connections for each key. */
export class ConnectionSets {
  private readonly sets = new Map<string, ConnectionSet>();

  constructor(
    private readonly limit: number,
    private readonly onEvicted: () => void,
  ) {}

  add(key: string, socket: Socket): void {
    const set = this.sets.get(key) ?? new ConnectionSet(this.limit, this.onEvicted);
    this.sets.set(key, set);
    set.add(socket);
  }

  delete(key: string, socket: Socket): void {
    const set = this.sets.get(key);
    set?.delete(socket);
    if (set?.size === 0) this.sets.delete(key);
  }
}
