import { constants } from 'node:crypto';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type Server as TlsServer, type TLSSocket } from 'node:tls';
import type { PeerCredential } from './certificates.js';
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

/** @throws Error with the system's `code` if the address cannot be bound */
export async function listenPlain(options: PlainListenerOptions): Promise<Listener> {
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on('error', () => {});
    options.onConnection(socket);
  });
  server.maxConnections = options.limits.plain;
  return { port: await listen(server, options), close: () => server.close() };
}

/**
 * A TLS listener that requests a client certificate and accepts connections without one. A connection without a valid
 * certificate is a stranger. The number of strangers is limited, in total and for each address, and so is their time.
 */
export class TlsListener implements Listener {
  /** By "address:port", which is how gRPC names the peer of a call. */
  private readonly credentials = new Map<string, PeerCredential>();
  /** Connections whose handshake is under way or over, by "address:port". */
  private readonly accepted = new Map<string, { raw: Socket; admit(): void }>();
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
      // `examine` classifies the certificate, so that an agent with an expired one can renew it.
      rejectUnauthorized: false,
      ALPNProtocols: ['h2'],
      handshakeTimeout: limits.handshakeMs,
      noDelay: true,
    });
    this.server.on('connection', (raw: Socket) => this.accept(raw));
    this.server.on('secureConnection', (socket) => this.secure(socket));
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

  /** Sets the server certificate for new connections. */
  present(identity: { certificate: string; key: string }): void {
    this.server.setSecureContext(contextOf({ ...this.options, identity }));
  }

  close(): void {
    this.server.close();
    this.strangers.destroyAll();
  }

  private accept(raw: Socket): void {
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
    /** Ends the limits for strangers. */
    const admit = () => {
      clearTimeout(timer);
      this.strangers.delete(raw);
      this.strangersByAddress.delete(address, raw);
    };
    this.accepted.set(peer, { raw, admit });
    raw.once('close', () => {
      admit();
      this.accepted.delete(peer);
      this.credentials.delete(peer);
    });
  }

  private secure(socket: TLSSocket): void {
    socket.on('error', () => {});
    const peer = peerOf(socket);
    const accepted = peer === undefined ? undefined : this.accepted.get(peer);
    if (peer === undefined || !accepted || socket.alpnProtocol !== 'h2') return void socket.destroy();
    const { raw, admit } = accepted;
    const der = socket.getPeerX509Certificate()?.raw;
    const credential: PeerCredential = der ? this.options.examine(der) : { kind: 'none' };
    this.credentials.set(peer, credential);
    if (credential.kind === 'valid') {
      admit();
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
    // A resumed session would present an old certificate. Agents gain nothing by resumption, because they stay connected.
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
      // The system may refuse a connection for lack of descriptors. The server continues with the next one.
      server.on('error', () => {});
      resolve();
    });
  });
  return (server.address() as AddressInfo).port;
}
