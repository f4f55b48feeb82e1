import type { RunPurpose } from '@watchpost/shared/check';
import {
  RunPurpose as WirePurpose,
  type AssignmentUpdate,
  type Arrear as WireArrear,
} from '@watchpost/shared/gen/watchpost/agent/v1/agent';
import type { Arrear, AssignmentMessage } from './agent-gateway.js';
import { keyToWire, specToWire } from '@watchpost/shared/wire/spec-to-wire';

export const PROTOCOL_VERSION = 1;
const PURPOSES: Readonly<Record<RunPurpose, WirePurpose>> = {
  test: WirePurpose.RUN_PURPOSE_TEST,
  secondOpinion: WirePurpose.RUN_PURPOSE_SECOND_OPINION,
  public: WirePurpose.RUN_PURPOSE_PUBLIC,
};

/** @param nowMs the server's clock, from which the agent derives its offset */
export function toWire(message: AssignmentMessage, nowMs: number): AssignmentUpdate {
  return { serverTimeMs: BigInt(nowMs), message: body(message) };
}

function body(message: AssignmentMessage): AssignmentUpdate['message'] {
  switch (message.kind) {
    case 'welcome': {
      const { agentId, region, settings } = message;
      return { $case: 'welcome', value: { agentId, region, protocolVersion: PROTOCOL_VERSION, settings } };
    }
    case 'snapshot': {
      const { revision, epoch, index, last, checks, arrears } = message;
      return {
        $case: 'snapshot',
        value: {
          revision: BigInt(revision),
          epoch,
          index,
          last,
          checks: checks.map(specToWire),
          arrears: (arrears ?? []).map(arrearToWire),
          arrearsKnown: arrears !== null,
        },
      };
    }
    case 'delta': {
      const { revision, epoch, upserts, removes } = message;
      return {
        $case: 'delta',
        value: {
          revision: BigInt(revision),
          epoch,
          upserts: upserts.map(specToWire),
          removes: removes.map(keyToWire),
          arrears: message.arrears.map(arrearToWire),
        },
      };
    }
    case 'runNow': {
      const { requestId, check, deadlineMs, purpose } = message;
      return {
        $case: 'runNow',
        value: { requestId, check: specToWire(check), deadlineMs: BigInt(deadlineMs), purpose: PURPOSES[purpose] },
      };
    }
    case 'drain':
      return { $case: 'drain', value: { reason: message.reason } };
  }
}

function arrearToWire({ key, doneThroughMs }: Arrear): WireArrear {
  return { key: keyToWire(key), doneThroughMs: BigInt(doneThroughMs) };
}
