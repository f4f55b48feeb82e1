import { constants } from 'node:crypto';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type Server as TlsServer, type TLSSocket } from 'node:tls';
import type { PeerCredential } from './certificate-gateway.js';
import { ConnectionSet, ConnectionSets, type ConnectionLimits } from './connection-limits.js';
import type { GrpcMetrics } from './grpc-metrics.js';

export interface PlainListenerOptions {
  host: string;
  port: number;
  limits: ConnectionLimits;
  onConnection(socket: Socket): void;
}

export interface TlsListenerOptions extends Omit<PlainListenerOptions, 'onConnection'> {
  /** PEM. */
  identity: { certificate: string; key: string };
  authorities(): readonly Buffer[];
  examine(certificate: Buffer): PeerCredential;
  metrics: GrpcMetrics;
  onConnection(socket: Socket, credential: PeerCredential): void;
}

export interface Listener {
  readonly port: number;
  close(): void;
}

/** @throws with the system's `code` where the address cannot be bound */
export async function listenPlain(options: PlainListenerOptions): Promise<Listener> {
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on('error', () => {});
    options.onConnection(socket);
  });
  server.maxConnections = options.limits.plain;
  return { port: await listen(server, options), close: () => server.close() };
}

/**
 * TLS that asks for a certificate and takes connections without: what these may do is decided behind. Who has none that is
 * valid is a stranger, and strangers are few, from one address fewer, and soon gone.
 */
export class TlsListener implements Listener {
  /** By "address:port", as gRPC names the peer of a call. */
  private readonly credentials = new Map<string, PeerCredential>();
  private readonly greeted = new Map<string, { raw: Socket; acquainted(): void }>();
  private readonly strangers: ConnectionSet;
  private readonly strangersByAddress: ConnectionSets;
  private readonly membersByAgent: ConnectionSets;
  private readonly server: TlsServer;

  private constructor(private readonly options: TlsListenerOptions) {
    const { limits, metrics } = options;
    const evicted = (reason: string) => () => metrics.closedConnections.inc({ reason });
    this.strangers = new ConnectionSet(limits.strangers, evicted('too_many_strangers'));
    this.strangersByAddress = new ConnectionSets(
      limits.strangersOfOneAddress,
      evicted('too_many_strangers_of_one_address'),
    );
    this.membersByAgent = new ConnectionSets(limits.ofOneAgent, evicted('too_many_of_one_agent'));
    metrics.showStrangers(() => this.strangers.size);
    this.server = createTlsServer({
      ...contextOf(options),
      requestCert: true,
      // Judged by `examine`, so that who has an expired one can be told, and can renew.
      rejectUnauthorized: false,
      ALPNProtocols: ['h2'],
      handshakeTimeout: limits.handshakeMs,
      noDelay: true,
    });
    this.server.on('connection', (raw: Socket) => this.greet(raw));
    this.server.on('secureConnection', (socket) => this.take(socket));
    this.server.on('tlsClientError', (_error, socket) => {
      metrics.closedConnections.inc({ reason: 'handshake_failed' });
      socket.destroy();
    });
  }

  static async start(options: TlsListenerOptions): Promise<TlsListener> {
    const listener = new TlsListener(options);
    await listen(listener.server, options);
    return listener;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  credentialOf(peer: string): PeerCredential {
    return this.credentials.get(peer) ?? { kind: 'none' };
  }

  /** For the connections that come from now on. */
  present(identity: { certificate: string; key: string }): void {
    this.server.setSecureContext(contextOf({ ...this.options, identity }));
  }

  close(): void {
    this.server.close();
    this.strangers.destroyAll();
  }

  private greet(raw: Socket): void {
    const peer = peerOf(raw);
    const address = raw.remoteAddress;
    raw.on('error', () => {});
    if (peer === undefined || address === undefined) return void raw.destroy();
    this.strangersByAddress.add(address, raw);
    this.strangers.add(raw);
    const timer = setTimeout(() => {
      this.options.metrics.closedConnections.inc({ reason: 'stranger_too_long' });
      raw.destroy();
    }, this.options.limits.strangerMs);
    const acquainted = () => {
      clearTimeout(timer);
      this.strangers.delete(raw);
      this.strangersByAddress.delete(address, raw);
    };
    this.greeted.set(peer, { raw, acquainted });
    raw.once('close', () => {
      acquainted();
      this.greeted.delete(peer);
      this.credentials.delete(peer);
    });
  }

  private take(socket: TLSSocket): void {
    socket.on('error', () => {});
    const peer = peerOf(socket);
    const greeted = peer === undefined ? undefined : this.greeted.get(peer);
    if (peer === undefined || !greeted || socket.alpnProtocol !== 'h2') return void socket.destroy();
    const { raw, acquainted } = greeted;
    const der = socket.getPeerX509Certificate()?.raw;
    const credential: PeerCredential = der ? this.options.examine(der) : { kind: 'none' };
    this.credentials.set(peer, credential);
    if (credential.kind === 'valid') {
      acquainted();
      this.membersByAgent.add(credential.agentId, raw);
      raw.once('close', () => this.membersByAgent.delete(credential.agentId, raw));
    }
    this.options.onConnection(socket, credential);
  }
}

function contextOf({ identity, authorities }: Pick<TlsListenerOptions, 'identity' | 'authorities'>) {
  return {
    cert: identity.certificate,
    key: identity.key,
    ca: authorities().map(
      (der) => `-----BEGIN CERTIFICATE-----\n${der.toString('base64')}\n-----END CERTIFICATE-----\n`,
    ),
    minVersion: 'TLSv1.2' as const,
    // A session taken up again would bring a certificate of before, and saves agents nothing: they stay connected.
    secureOptions: constants.SSL_OP_NO_TICKET,
  };
}

function peerOf(socket: Socket): string | undefined {
  return socket.remoteAddress === undefined ? undefined : `${socket.remoteAddress}:${socket.remotePort}`;
}

async function listen(server: Server, { host, port }: { host: string; port: number }): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      // The system can refuse a connection for want of descriptors: the next one is taken again.
      server.on('error', () => {});
      resolve();
    });
  });
  return (server.address() as AddressInfo).port;
}
