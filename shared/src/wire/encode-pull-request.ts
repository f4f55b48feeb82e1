import { Visibility as WireVisibility, type PullRequest } from '../gen/watchpost/agent/v1/agent.js';
import { resultToWire } from './encode-result.js';
import type { PullMessage, Visibility } from './messages.js';

const VISIBILITY: Readonly<Record<Visibility, WireVisibility>> = {
  unknown: WireVisibility.VISIBILITY_UNSPECIFIED,
  seeing: WireVisibility.VISIBILITY_SEEING,
  blind: WireVisibility.VISIBILITY_BLIND,
};

/** What an agent sends on its assignment stream, as the wire contract has it. */
export function pullRequestToWire(message: PullMessage): PullRequest {
  switch (message.kind) {
    case 'hello': {
      const { agentVersion, platform, canTrace, capabilities, lastRevision, epoch } = message.hello;
      const { protocolVersion } = message;
      const value = {
        protocolVersion,
        agentVersion,
        platform,
        canTrace,
        capabilities,
        lastRevision: BigInt(lastRevision),
        assignmentEpoch: epoch,
      };
      return { message: { $case: 'hello', value } };
    }
    case 'revisionAck':
      return { message: { $case: 'revisionAck', value: { revision: BigInt(message.revision) } } };
    case 'heartbeat': {
      const { visibility, ...figures } = message.heartbeat;
      return { message: { $case: 'heartbeat', value: { ...figures, visibility: VISIBILITY[visibility] } } };
    }
    case 'leaving':
      return { message: { $case: 'leaving', value: {} } };
    case 'runResult': {
      const { requestId, result, refusal } = message;
      return {
        message: {
          $case: 'runResult',
          value: { requestId, result: result ? resultToWire(result) : undefined, refusal },
        },
      };
    }
  }
}
