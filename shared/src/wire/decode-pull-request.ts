import { CHECK_KINDS, type CheckKind } from '../check.js';
import { PullRequest, Visibility as WireVisibility } from '../gen/watchpost/agent/v1/agent.js';
import { INT32_MAX, resultFromWire, safeInteger } from './decode-result.js';
import type { PullMessage, Visibility } from './messages.js';
import { storableText } from '../storable-text.js';
import { decodeFrame, WireError } from './wire-error.js';

const KIND_NAMES: ReadonlySet<string> = new Set(CHECK_KINDS);

/** @throws WireError */
export function decodePullRequest(frame: Uint8Array): PullMessage {
  const message = decodeFrame(PullRequest, frame).message;
  switch (message?.$case) {
    case 'hello': {
      const { protocolVersion, agentVersion, capabilities, lastRevision, assignmentEpoch, platform, canTrace } =
        message.value;
      if (capabilities.length > 64) throw new WireError('hello: more than 64 capabilities');
      const known = capabilities.filter((name): name is CheckKind => KIND_NAMES.has(name));
      return {
        kind: 'hello',
        protocolVersion,
        hello: {
          agentVersion: storableText(agentVersion, 64),
          ...(platform !== undefined && { platform: storableText(platform, 64) }),
          ...(canTrace !== undefined && { canTrace }),
          capabilities: [...new Set(known)],
          lastRevision: safeInteger(lastRevision, 'last_revision'),
          epoch: storableText(assignmentEpoch, 64),
        },
      };
    }
    case 'revisionAck':
      return { kind: 'revisionAck', revision: safeInteger(message.value.revision, 'revision') };
    case 'heartbeat': {
      const { spoolDepth, checks, lagP99Us, visibility } = message.value;
      const heartbeat = {
        spoolDepth: Math.min(spoolDepth, INT32_MAX),
        checks: Math.min(checks, INT32_MAX),
        lagP99Us: Math.min(lagP99Us, INT32_MAX),
        visibility: visibilityFromWire(visibility),
      };
      return { kind: 'heartbeat', heartbeat };
    }
    case 'leaving':
      return { kind: 'leaving' };
    case 'runResult': {
      const { requestId, result, refusal } = message.value;
      if (requestId.length > 64) throw new WireError('request_id is longer than 64 characters');
      if (result === undefined && refusal === '') throw new WireError('run_result has neither result nor refusal');
      return {
        kind: 'runResult',
        requestId,
        result: result ? resultFromWire(result) : null,
        refusal: storableText(refusal, 1_000),
      };
    }
    case undefined:
      throw new WireError('a message without a known body');
  }
}

/** A value that only a newer agent knows is read as unknown. */
function visibilityFromWire(visibility: WireVisibility): Visibility {
  if (visibility === WireVisibility.VISIBILITY_BLIND) return 'blind';
  return visibility === WireVisibility.VISIBILITY_SEEING ? 'seeing' : 'unknown';
}
