import { Server, ServerCredentials } from '@grpc/grpc-js';
import type { Clock } from '@watchpost/shared/clock';
import { isLoopbackHost } from '@watchpost/shared/loopback';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { listenPlain, TlsListener, type Listener } from './agent-listener.js';
import type { Certificates, PeerCredential } from './certificates.js';
import { CONNECTION_LIMITS, type ConnectionLimits } from './connection-limits.js';
import { GrpcMetrics } from './grpc-metrics.js';
import { healthService } from './serve-health.js';
import type { ServiceHealth } from './service-health.js';
import { keepServerIdentity, type ServerIdentitySource } from './server-identity.js';
import type { Stoppable } from './stoppable.js';

/** Longest message in either direction, bytes. */
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;
/** A connection without a valid certificate may only send a certificate request. */
const MAX_STRANGER_MESSAGE_BYTES = 16 * 1024;

/** Mutual TLS: the source of the server certificate, and the authority of the agents' certificates. */
export interface GrpcTls {
  source: ServerIdentitySource;
  certificates: Certificates;
  /** How often the server certificate is checked for renewal, ms. */
  lookMs?: number;
}

export interface Connections {
  /** Finds the client certificate of a peer ("address:port"); null without TLS. */
  credentialOf: ((peer: string) => PeerCredential) | null;
  /** The open streams, which end when the server stops. */
  open: Set<Stoppable>;
}

export interface GrpcServerOptions {
  host: string;
  /** 0 takes any free port. */
  port: number;
  /** null: without TLS, on loopback only, with tokens as the credential. */
  tls: GrpcTls | null;
  /** Opens a second port without TLS for an agent on this machine: any free port on loopback. */
  plainLoopback?: boolean;
  /** Called once for each kind of connections, with the server of these. */
  agents: { addTo(server: Server, connections: Connections): void };
  health: ServiceHealth;
  clock: Clock;
  logger: Logger;
  registry: Registry;
  /**
   * A peer that does not answer a ping is disconnected. Default: a ping every 6 s, answered within 4 s. The new owners of a
   * silent agent's checks then catch up within 15 s, which includes a second for the handover and a margin.
   */
  keepalive?: { timeMs: number; timeoutMs: number };
  limits?: Partial<ConnectionLimits>;
}

export interface GrpcServer {
  readonly port: number;
  /** The port without TLS: `port` itself without TLS, the second port beside TLS; null if there is none. */
  readonly plainPort: number | null;
  /** Stops reading, finishes running ingests and asks the agents to reconnect. Cuts open streams at the deadline. */
  stop(deadlineMs: number): Promise<void>;
}

/** @throws Error if TLS is off on a host other than loopback, or the address cannot be bound (with the system's `code`) */
export async function startGrpcServer(options: GrpcServerOptions): Promise<GrpcServer> {
  const { host, port, tls, clock, registry } = options;
  const logger = options.logger.child({ module: 'grpc' });
  if (!tls && !isLoopbackHost(host)) {
    throw new Error(
      `gRPC without TLS is served on loopback only, not on ${host}: agents would send their tokens unencrypted. ` +
        'Set GRPC_TLS_HOSTS to the names by which agents reach this port (it then has a certificate of its own authority), ' +
        'GRPC_TLS_CERT_FILE and GRPC_TLS_KEY_FILE, or HOST=127.0.0.1.',
    );
  }
  const metrics = new GrpcMetrics(registry);
  const open = new Set<Stoppable>();
  const limits = { ...CONNECTION_LIMITS, ...options.limits };
  const servers: Server[] = [];
  const closers: (() => void)[] = [];
  const health = await healthService({ health: options.health, metrics, open, maxWatches: limits.healthWatches });
  /** Starts a server for one kind of connections. Accepted connections are injected into it. */
  const serve = (
    credentialOf: Connections['credentialOf'],
    bounds: { maxMessageBytes: number; maxStreams: number },
  ) => {
    const server = new Server(serverOptions(options.keepalive, bounds));
    servers.push(server);
    options.agents.addTo(server, { credentialOf, open });
    server.addService(health.definition, health.implementation);
    return server.createConnectionInjector(ServerCredentials.createInsecure());
  };
  const agents = { maxMessageBytes: MAX_MESSAGE_BYTES, maxStreams: 32 };
  const startPlain = async (at: { host: string; port: number }): Promise<Listener> => {
    const injector = serve(null, agents);
    return await listenPlain({ ...at, limits, onConnection: (socket) => injector.injectConnection(socket) });
  };
  const startTls = async ({ source, certificates, lookMs }: GrpcTls): Promise<Listener> => {
    const identity = await keepServerIdentity({
      source,
      certificates,
      clock,
      logger,
      ...(lookMs === undefined ? {} : { lookMs }),
      onChange: (fresh) => listener.present(fresh),
    });
    closers.push(() => void identity.stop());
    metrics.showServerCertificate(() => identity.expiresMs());
    const credentialOf = (peer: string) => listener.credentialOf(peer);
    const members = serve(credentialOf, agents);
    const strangers = serve(credentialOf, { maxMessageBytes: MAX_STRANGER_MESSAGE_BYTES, maxStreams: 4 });
    const listener = await TlsListener.start({
      host,
      port,
      limits,
      identity: identity.first,
      authorities: () => certificates.authorities,
      examine: (certificate) => certificates.examine(certificate),
      metrics,
      onConnection: (socket, { kind }) => (kind === 'valid' ? members : strangers).injectConnection(socket),
    });
    return listener;
  };

  const cancel = () => {
    for (const close of closers) close();
    for (const server of servers) server.forceShutdown();
  };
  try {
    const main = tls ? await startTls(tls) : await startPlain({ host, port });
    closers.push(() => main.close());
    const beside = tls && options.plainLoopback ? await startPlain({ host: '127.0.0.1', port: 0 }) : null;
    closers.push(() => beside?.close());
    return {
      port: main.port,
      plainPort: tls ? (beside?.port ?? null) : main.port,
      stop: (deadlineMs) => stop(servers, closers, open, deadlineMs),
    };
  } catch (error) {
    cancel();
    throw error;
  }
}

function serverOptions(
  keepalive: GrpcServerOptions['keepalive'],
  { maxMessageBytes, maxStreams }: { maxMessageBytes: number; maxStreams: number },
) {
  const { timeMs, timeoutMs } = keepalive ?? { timeMs: 6_000, timeoutMs: 4_000 };
  return {
    'grpc.keepalive_time_ms': timeMs,
    'grpc.keepalive_timeout_ms': timeoutMs,
    'grpc.keepalive_permit_without_calls': 1,
    'grpc.max_receive_message_length': maxMessageBytes,
    'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
    'grpc.max_concurrent_streams': maxStreams,
    'grpc.enable_channelz': 0,
  };
}

async function stop(
  servers: readonly Server[],
  closers: readonly (() => void)[],
  open: Set<Stoppable>,
  deadlineMs: number,
): Promise<void> {
  for (const close of closers) close();
  let timer: NodeJS.Timeout | undefined;
  const graceful = (async () => {
    await Promise.all([...open].map((stream) => stream.stop('The control plane stops.')));
    await Promise.all(servers.map((server) => new Promise<void>((resolve) => server.tryShutdown(() => resolve()))));
  })();
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      for (const server of servers) server.forceShutdown();
      resolve();
    }, deadlineMs);
  });
  await Promise.race([graceful, late]);
  clearTimeout(timer);
}
