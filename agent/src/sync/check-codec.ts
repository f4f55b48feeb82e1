import {
  CHECK_KIND_CODES,
  type CheckKey,
  type CheckKind,
  type CheckSpec,
  type HttpTarget,
} from '@watchpost/shared/check';
import {
  EgressPolicy,
  type CheckKey as WireKey,
  type CheckSpec as WireSpec,
  type HttpTarget as WireHttp,
} from '@watchpost/shared/gen/watchpost/agent/v1/agent';

const KINDS = new Map<number, CheckKind>(
  Object.entries(CHECK_KIND_CODES).map(([kind, code]) => [code, kind as CheckKind]),
);
const NO_HEADERS: HttpTarget['headers'] = [];

/** Values that nearly all checks have in common are kept once: an agent holds ten thousand specs. */
const shared = new Map<string, HttpTarget['expectedStatus'] | string>();
const MAX_SHARED = 1_000;

function once<T extends HttpTarget['expectedStatus'] | string>(name: string, value: T): T {
  const known = shared.get(name) as T | undefined;
  if (known !== undefined) return known;
  if (shared.size < MAX_SHARED) shared.set(name, value);
  return value;
}

/** @returns undefined for a kind that this agent does not know */
export function fromWireKey(key: WireKey | undefined): CheckKey | undefined {
  const kind = KINDS.get(key?.kind ?? 0);
  return key && kind && { monitorKey: Number(key.monitorKey), kind };
}

/** @returns undefined for a check that this agent cannot run: of a newer kind, or one that makes no sense */
export function fromWireSpec(spec: WireSpec): CheckSpec | undefined {
  const key = fromWireKey(spec.key);
  if (!key || key.kind !== 'http' || spec.target?.$case !== 'http' || spec.intervalMs === 0 || spec.timeoutMs === 0)
    return undefined;
  return {
    key,
    intervalMs: spec.intervalMs,
    timeoutMs: spec.timeoutMs,
    phaseMs: spec.phaseMs % spec.intervalMs,
    changedAtMs: Number(spec.changedAtMs),
    target: fromWireHttp(spec.target.value),
  };
}

function fromWireHttp(http: WireHttp): HttpTarget {
  const status = http.expectedStatus.map(({ from, to }) => ({ from, to }));
  return {
    kind: 'http',
    url: http.url,
    method: once(`method ${http.method}`, http.method),
    headers: http.headers.length === 0 ? NO_HEADERS : http.headers.map(({ name, value }) => ({ name, value })),
    body: http.body.length === 0 ? null : http.body.toString('utf8'),
    expectedStatus: once(`status ${JSON.stringify(status)}`, status),
    followRedirects: http.followRedirects,
    keyword: http.keyword === '' ? null : { text: http.keyword, mode: http.keywordAbsent ? 'absent' : 'present' },
    verifyCertificate: http.verifyCertificate,
    // a policy that is not known is the strict one
    egress: http.egress === EgressPolicy.EGRESS_POLICY_MONITOR ? 'monitor' : 'public',
  };
}

export function toWireSpec(spec: CheckSpec): WireSpec {
  const { target } = spec;
  return {
    key: { monitorKey: BigInt(spec.key.monitorKey), kind: CHECK_KIND_CODES[spec.key.kind] },
    intervalMs: spec.intervalMs,
    timeoutMs: spec.timeoutMs,
    phaseMs: spec.phaseMs,
    changedAtMs: BigInt(spec.changedAtMs),
    target: {
      $case: 'http',
      value: {
        url: target.url,
        method: target.method,
        headers: [...target.headers],
        body: Buffer.from(target.body ?? ''),
        expectedStatus: [...target.expectedStatus],
        followRedirects: target.followRedirects,
        keyword: target.keyword?.text ?? '',
        keywordAbsent: target.keyword?.mode === 'absent',
        verifyCertificate: target.verifyCertificate,
        egress: target.egress === 'monitor' ? EgressPolicy.EGRESS_POLICY_MONITOR : EgressPolicy.EGRESS_POLICY_PUBLIC,
      },
    },
  };
}
