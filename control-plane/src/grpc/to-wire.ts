import type { CheckKey, CheckKind, CheckSpec, EgressPolicyName } from '@watchpost/shared/check';
import {
  CheckKind as WireKind,
  EgressPolicy as WireEgress,
  type AssignmentUpdate,
  type CheckKey as WireKey,
  type CheckSpec as WireSpec,
} from '@watchpost/shared/gen/watchpost/agent/v1/agent';
import type { AssignmentMessage } from './agent-gateway.js';

export const PROTOCOL_VERSION = 1;

const KIND: Readonly<Record<CheckKind, WireKind>> = {
  http: WireKind.CHECK_KIND_HTTP,
  ssl: WireKind.CHECK_KIND_SSL,
  dns: WireKind.CHECK_KIND_DNS,
  tcpUdp: WireKind.CHECK_KIND_TCP_UDP,
};
const EGRESS: Readonly<Record<EgressPolicyName, WireEgress>> = {
  monitor: WireEgress.EGRESS_POLICY_MONITOR,
  public: WireEgress.EGRESS_POLICY_PUBLIC,
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
      const { revision, epoch, index, last, checks } = message;
      return {
        $case: 'snapshot',
        value: { revision: BigInt(revision), epoch, index, last, checks: checks.map(specToWire) },
      };
    }
    case 'delta': {
      const { revision, epoch, upserts, removes } = message;
      return {
        $case: 'delta',
        value: { revision: BigInt(revision), epoch, upserts: upserts.map(specToWire), removes: removes.map(keyToWire) },
      };
    }
    case 'runNow': {
      const { requestId, check, deadlineMs } = message;
      return { $case: 'runNow', value: { requestId, check: specToWire(check), deadlineMs: BigInt(deadlineMs) } };
    }
    case 'drain':
      return { $case: 'drain', value: { reason: message.reason } };
  }
}

function keyToWire(key: CheckKey): WireKey {
  return { monitorKey: BigInt(key.monitorKey), kind: KIND[key.kind] };
}

export function specToWire(spec: CheckSpec): WireSpec {
  const { target } = spec;
  return {
    key: keyToWire(spec.key),
    intervalMs: spec.intervalMs,
    timeoutMs: spec.timeoutMs,
    phaseMs: spec.phaseMs,
    changedAtMs: BigInt(spec.changedAtMs),
    target: {
      $case: 'http',
      value: {
        url: target.url,
        method: target.method,
        headers: target.headers.map(({ name, value }) => ({ name, value })),
        body: Buffer.from(target.body ?? ''),
        expectedStatus: target.expectedStatus.map(({ from, to }) => ({ from, to })),
        followRedirects: target.followRedirects,
        keyword: target.keyword?.text ?? '',
        keywordAbsent: target.keyword?.mode === 'absent',
        verifyCertificate: target.verifyCertificate,
        egress: EGRESS[target.egress],
      },
    },
  };
}
