import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import {
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type ServiceDefinition,
  type UntypedServiceImplementation,
  type handleBidiStreamingCall,
} from '@grpc/grpc-js';
import type { Clock } from '@watchpost/shared/clock';
import { AgentServiceService } from '@watchpost/shared/gen/watchpost/agent/v1/agent';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { AgentGateway } from './agent-gateway.js';
import { pullMessageFromWire, resultBatchFromWire } from './from-wire.js';
import { GrpcMetrics } from './grpc-metrics.js';
import { servePull } from './pull-assignments.js';
import { serveResults, type Stoppable } from './stream-results.js';
import { WireError } from './wire-error.js';

/** Longest message in either direction, bytes. */
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

export interface GrpcServerOptions {
  host: string;
  /** 0 takes any free one. */
  port: number;
  /** PEM files; null: plain text, which is served on loopback only. */
  tls: { certFile: string; keyFile: string } | null;
  gateway: AgentGateway;
  clock: Clock;
  logger: Logger;
  registry: Registry;
  /**
   * A peer that answers no ping is gone. Default: a ping every 8 s, answered within 4 s, so that a silent agent's checks
   * run elsewhere within 15 s, the hand-over included.
   */
  keepalive?: { timeMs: number; timeoutMs: number };
}

export interface GrpcServer {
  readonly port: number;
  /** Takes no more, finishes what is being ingested, sends the agents elsewhere; cuts what is left at the deadline. */
  stop(deadlineMs: number): Promise<void>;
}

/** @throws Error where plain text is asked for on a host that is not loopback, or the address cannot be bound (`code` says why) */
export async function startGrpcServer(options: GrpcServerOptions): Promise<GrpcServer> {
  const { host, tls, gateway, clock, registry } = options;
  const logger = options.logger.child({ module: 'grpc' });
  if (!tls && !isLoopback(host)) {
    throw new Error(
      `gRPC without TLS is served on loopback only, not on ${host}: agents would send their tokens in the clear. ` +
        'Set GRPC_TLS_CERT_FILE and GRPC_TLS_KEY_FILE, or HOST=127.0.0.1.',
    );
  }
  const credentials = tls ? await tlsCredentials(tls) : ServerCredentials.createInsecure();
  const { timeMs, timeoutMs } = options.keepalive ?? { timeMs: 8_000, timeoutMs: 4_000 };
  const server = new Server({
    'grpc.keepalive_time_ms': timeMs,
    'grpc.keepalive_timeout_ms': timeoutMs,
    'grpc.keepalive_permit_without_calls': 1,
    'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
    'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
    'grpc.max_concurrent_streams': 32,
    'grpc.enable_channelz': 0,
  });
  const open = new Set<Stoppable>();
  const deps = { gateway, clock, logger, metrics: new GrpcMetrics(registry), open };
  const implementation: UntypedServiceImplementation = {
    pullAssignments: guarded((call) => servePull(call, deps), logger),
    streamResults: guarded((call) => serveResults(call, deps), logger),
  };
  server.addService(serviceDefinition(), implementation);
  const port = await new Promise<number>((resolve, reject) => {
    const address = isIP(host) === 6 ? `[${host}]:${options.port}` : `${host}:${options.port}`;
    server.bindAsync(address, credentials, (error, bound) => (error ? reject(bindFault(error)) : resolve(bound)));
  });
  return { port, stop: (deadlineMs) => stop(server, open, deadlineMs) };
}

/** The library has the system's code in its sentence only. */
function bindFault(error: Error): Error {
  const code = /\b(EADDRINUSE|EACCES|EADDRNOTAVAIL)\b/.exec(error.message)?.[1];
  return code ? Object.assign(error, { code }) : error;
}

/**
 * The contract's service, with frames turned into domain types where they are decoded: a frame that is none
 * becomes a value, for which the stream has an answer, instead of an INTERNAL of the library.
 */
function serviceDefinition(): ServiceDefinition {
  const { pullAssignments, streamResults } = AgentServiceService;
  return {
    pullAssignments: { ...pullAssignments, requestDeserialize: orWireError(pullMessageFromWire) },
    streamResults: { ...streamResults, requestDeserialize: orWireError(resultBatchFromWire) },
  };
}

function orWireError<T>(read: (frame: Buffer) => T): (frame: Buffer) => T | WireError {
  return (frame) => {
    try {
      return read(frame);
    } catch (error) {
      if (error instanceof WireError) return error;
      throw error;
    }
  };
}

function guarded<In, Out>(
  serve: (call: ServerDuplexStream<In, Out>) => Promise<void>,
  logger: Logger,
): handleBidiStreamingCall<In, Out> {
  return (call) => {
    serve(call).catch((error: unknown) => {
      logger.error({ err: error }, 'a stream failed');
      call.emit('error', new Error('internal error'));
    });
  };
}

async function tlsCredentials({
  certFile,
  keyFile,
}: {
  certFile: string;
  keyFile: string;
}): Promise<ServerCredentials> {
  const [certificate, key] = await Promise.all([readFile(certFile), readFile(keyFile)]);
  return ServerCredentials.createSsl(null, [{ cert_chain: certificate, private_key: key }], false);
}

async function stop(server: Server, open: Set<Stoppable>, deadlineMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const graceful = (async () => {
    await Promise.all([...open].map((stream) => stream.stop()));
    await new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
  })();
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      server.forceShutdown();
      resolve();
    }, deadlineMs);
  });
  await Promise.race([graceful, late]);
  clearTimeout(timer);
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
