import type { ServerDuplexStream, ServiceDefinition, handleBidiStreamingCall } from '@grpc/grpc-js';
import { AgentServiceService } from '@watchpost/shared/gen/watchpost/agent/v1/agent';
import type { Logger } from 'pino';
import { decodePullRequest } from '@watchpost/shared/wire/decode-pull-request';
import { decodeResultBatch } from '@watchpost/shared/wire/decode-result-batch';
import { WireError } from '@watchpost/shared/wire/wire-error';

/**
 * The contract's service, with frames turned into domain types where they are decoded: a frame that is none
 * becomes a value, for which the stream has an answer, instead of an INTERNAL of the library.
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
      throw new WireError('The request is no message of the contract.');
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

/** A stream that fails by a fault of ours ends with INTERNAL, and in the log. */
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
