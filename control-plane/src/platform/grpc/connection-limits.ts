import type { Socket } from 'node:net';

/** What connections may cost before anybody knows who they are from. */
export interface ConnectionLimits {
  /** Without a valid certificate: in the handshake, enrolling, or lost. */
  strangers: number;
  strangersOfOneAddress: number;
  /** A stranger is gone after so long: an enrolment takes well under a second. */
  strangerMs: number;
  handshakeMs: number;
  /** An agent has one, and two or three while it changes over. */
  ofOneAgent: number;
  /** Without TLS, on loopback. */
  plain: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  strangers: 1_024,
  // A whole fleet can come from one address, that of a load balancer, and all at once after a restart.
  strangersOfOneAddress: 512,
  strangerMs: 30_000,
  handshakeMs: 10_000,
  ofOneAgent: 8,
  plain: 10_000,
};

/**
 * Connections that share a limit. Beyond it the oldest one goes, not the newest: a flood of strangers then costs those
 * that linger, and an honest handshake, which takes two round trips, gets through.
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

/** A set for each key, there while it has connections. */
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
