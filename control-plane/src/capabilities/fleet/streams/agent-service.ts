import type { Server, ServerDuplexStream, ServiceDefinition, handleBidiStreamingCall } from '@grpc/grpc-js';
import type { Clock } from '@watchpost/shared/clock';
import { AgentServiceService } from '@watchpost/shared/gen/watchpost/agent/v1/agent';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { decodePullRequest } from '@watchpost/shared/wire/decode-pull-request';
import { decodeResultBatch } from '@watchpost/shared/wire/decode-result-batch';
import { WireError } from '@watchpost/shared/wire/wire-error';
import type { Connections } from '../../../platform/grpc/index.js';
import type { AgentCertificates } from '../certificates/agent-certificates.js';
import { certificateAuthentication, tokenAuthentication } from './agent-credential.js';
import { enrollServer, refuseEnroll } from './serve-enroll.js';
import { servePullAssignments } from './serve-pull-assignments.js';
import { serveStreamResults } from './serve-stream-results.js';
import type { StreamDeps } from './stream-deps.js';
import { streamMetrics } from './stream-metrics.js';

export interface AgentServiceDeps extends Pick<StreamDeps, 'fleet' | 'resultSink'> {
  /** null where the port has no TLS. */
  certificates: AgentCertificates | null;
  clock: Clock;
  logger: Logger;
  registry: Registry;
}

/** What agents call: they enrol, pull assignments and stream results. */
export class AgentService {
  private readonly deps;
  private readonly enrolling;

  constructor({ registry, ...deps }: AgentServiceDeps) {
    const { certificates, clock } = deps;
    const logger = deps.logger.child({ module: 'grpc' });
    this.deps = { ...deps, logger, metrics: streamMetrics(registry) };
    this.enrolling = certificates && enrollServer({ certificates, clock, logger });
  }

  /** Serves connections of one kind. Without TLS, the token of an agent is its credential. */
  addTo(server: Server, { credentialOf, open }: Connections): void {
    const { certificates, logger, fleet } = this.deps;
    const authenticate = credentialOf
      ? certificateAuthentication(certificates!, credentialOf)
      : tokenAuthentication(fleet);
    const deps = { ...this.deps, authenticate, open };
    server.addService(agentServiceDefinition(), {
      enroll: credentialOf ? this.enrolling!(credentialOf) : refuseEnroll,
      pullAssignments: guarded((call) => servePullAssignments(call, deps), logger),
      streamResults: guarded((call) => serveStreamResults(call, deps), logger),
    });
  }
}

/**
 * The service definition of the contract, with deserializers that return domain types. A malformed frame is returned as a
 * WireError, which the stream reports. An exception would become INTERNAL in the library.
 */
function agentServiceDefinition(): ServiceDefinition {
  const { enroll, pullAssignments, streamResults } = AgentServiceService;
  return {
    enroll: { ...enroll, requestDeserialize: orWireError(orMalformed(enroll.requestDeserialize)) },
    pullAssignments: { ...pullAssignments, requestDeserialize: orWireError(decodePullRequest) },
    streamResults: { ...streamResults, requestDeserialize: orWireError(decodeResultBatch) },
  };
}

function orMalformed<T>(read: (frame: Buffer) => T): (frame: Buffer) => T {
  return (frame) => {
    try {
      return read(frame);
    } catch {
      throw new WireError('The request is not a message of the contract.');
    }
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

/** Ends a stream with INTERNAL, and logs the error, if its handler fails unexpectedly. */
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
