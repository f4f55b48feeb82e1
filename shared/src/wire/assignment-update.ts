import type { CheckSpec, RunPurpose } from '../check.js';
import {
  RunPurpose as WirePurpose,
  type AssignmentUpdate,
  type CheckSpec as WireSpec,
  type Egress,
  type Handover as WireHandover,
} from '../gen/watchpost/agent/v1/agent.js';
import { keyFromWire, keyToWire, specFromWire, specToWire } from './check-spec.js';
import type { AssignmentMessage, Handover, PlaceEgress } from './messages.js';

const PURPOSES: Readonly<Record<RunPurpose, WirePurpose>> = {
  test: WirePurpose.RUN_PURPOSE_TEST,
  secondOpinion: WirePurpose.RUN_PURPOSE_SECOND_OPINION,
  public: WirePurpose.RUN_PURPOSE_PUBLIC,
};

/** @param serverTimeMs the server's clock, ms since the epoch; an agent derives its offset from it */
export function updateToWire(message: AssignmentMessage, serverTimeMs: number): AssignmentUpdate {
  return { serverTimeMs: BigInt(serverTimeMs), message: messageToWire(message) };
}

/** @returns undefined for a message that this build does not know */
export function updateFromWire({ message }: AssignmentUpdate): AssignmentMessage | undefined {
  switch (message?.$case) {
    case 'welcome': {
      const { settings, egress, ...welcome } = message.value;
      const { heartbeatMs = 0, maxBatchResults = 0, leaveWithinMs = 0 } = settings ?? {};
      return {
        kind: 'welcome',
        ...welcome,
        settings: { heartbeatMs, maxBatchResults, leaveWithinMs },
        ...(egress && { egress }),
      };
    }
    case 'snapshot': {
      const { revision, epoch, index, last, checks, handovers, handoversKnown } = message.value;
      return {
        kind: 'snapshot',
        revision: Number(revision),
        epoch,
        index,
        last,
        checks: specsFromWire(checks),
        handovers: handoversKnown ? handoversFromWire(handovers) : null,
      };
    }
    case 'delta': {
      const { revision, epoch, upserts, removes, handovers } = message.value;
      return {
        kind: 'delta',
        revision: Number(revision),
        epoch,
        upserts: specsFromWire(upserts),
        removes: removes.map(keyFromWire),
        handovers: handoversFromWire(handovers),
      };
    }
    case 'runNow': {
      const { requestId, check, deadlineMs, purpose } = message.value;
      return {
        kind: 'runNow',
        requestId,
        check: (check && specFromWire(check)) ?? null,
        deadlineMs: Number(deadlineMs),
        purpose: purposeFromWire(purpose),
      };
    }
    case 'drain':
      return { kind: 'drain', reason: message.value.reason };
    case 'egress':
      return { kind: 'egress', egress: message.value };
    case undefined:
      return undefined;
  }
}

function messageToWire(message: AssignmentMessage): AssignmentUpdate['message'] {
  switch (message.kind) {
    case 'welcome': {
      const { kind: _kind, egress, ...value } = message;
      return { $case: 'welcome', value: { ...value, egress: egress && egressToWire(egress) } };
    }
    case 'snapshot': {
      const { revision, epoch, index, last, checks, handovers } = message;
      return {
        $case: 'snapshot',
        value: {
          revision: BigInt(revision),
          epoch,
          index,
          last,
          checks: checks.map(specToWire),
          handovers: (handovers ?? []).map(handoverToWire),
          handoversKnown: handovers !== null,
        },
      };
    }
    case 'delta': {
      const { revision, epoch, upserts, removes, handovers } = message;
      return {
        $case: 'delta',
        value: {
          revision: BigInt(revision),
          epoch,
          upserts: upserts.map(specToWire),
          removes: removes.map(keyToWire),
          handovers: handovers.map(handoverToWire),
        },
      };
    }
    case 'runNow': {
      const { requestId, check, deadlineMs, purpose } = message;
      return {
        $case: 'runNow',
        value: {
          requestId,
          check: check ? specToWire(check) : undefined,
          deadlineMs: BigInt(deadlineMs),
          purpose: PURPOSES[purpose],
        },
      };
    }
    case 'drain':
      return { $case: 'drain', value: { reason: message.reason } };
    case 'egress':
      return { $case: 'egress', value: egressToWire(message.egress) };
  }
}

function egressToWire({ allowCidrs, denyCidrs }: PlaceEgress): Egress {
  return { allowCidrs: [...allowCidrs], denyCidrs: [...denyCidrs] };
}

function specsFromWire(specs: readonly WireSpec[]): CheckSpec[] {
  return specs.flatMap((spec) => specFromWire(spec) ?? []);
}

function handoverToWire({ key, completedThroughMs }: Handover): WireHandover {
  return { key: keyToWire(key), completedThroughMs: BigInt(completedThroughMs) };
}

function handoversFromWire(handovers: readonly WireHandover[]): Handover[] {
  return handovers.flatMap(({ key, completedThroughMs }) =>
    key ? [{ key: keyFromWire(key), completedThroughMs: Number(completedThroughMs) }] : [],
  );
}

function purposeFromWire(purpose: WirePurpose): RunPurpose {
  if (purpose === WirePurpose.RUN_PURPOSE_SECOND_OPINION) return 'secondOpinion';
  return purpose === WirePurpose.RUN_PURPOSE_PUBLIC ? 'public' : 'test';
}
