import type { ServerDuplexStream, ServiceDefinition, handleBidiStreamingCall } from '@grpc/grpc-js';
import { AgentServiceService } from '@watchpost/shared/gen/watchpost/agent/v1/agent';
import type { Logger } from 'pino';
import { decodePullRequest } from '@watchpost/shared/wire/decode-pull-request';
import { decodeResultBatch } from '@watchpost/shared/wire/decode-result-batch';
import { WireError } from '@watchpost/shared/wire/wire-error';

/**
 * The service definition of the contract, with deserializers that return domain types. A malformed frame is returned as a
 * WireError, which the stream reports. An exception would become INTERNAL in the library.
 */
export function agentServiceDefinition(): ServiceDefinition {
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
export function guarded<In, Out>(
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
