import {
  CHECK_KINDS,
  type CheckKind,
  type CheckSpec,
  type ProbeTarget,
  type ProbeTargets,
} from '@watchpost/shared/check';
import type { EgressPolicy } from '@watchpost/shared/egress';
import type { ProbeReport } from '@watchpost/shared/outcome';
import { maskReport } from '@watchpost/shared/secrets/mask-report';
import { sentSecretsMask } from '@watchpost/shared/secrets/sent-secrets';
import { SystemNames, type Lookup } from '@watchpost/shared/names/system-names';
import { BodyMemory } from './body-memory.js';
import { DeadlineClock } from './deadline-clock.js';
import { probeDns } from './dns-probe.js';
import { probeHttp } from './http-probe.js';
import type { Probe, ProbeContext, ProbeSpec } from './probe.js';
import { probeEach } from './probe-each.js';
import { ProbeFault } from './probe-fault.js';
import { parseRootAnchors } from './dnssec/root-anchors.js';
import { TrustChains } from './dnssec/trust-chains.js';
import type { KeyDigest } from './dnssec/zone-key.js';
import { createHostResolver, type NameQueue, type NameQueueCause } from './resolve-host.js';
import { createResolverHealth, type ResolverHealth } from './resolver-health.js';
import { createSecureContexts } from './secure-socket.js';
import { probeSsl } from './ssl-probe.js';
import { probeTcp } from './tcp-probe.js';
import { probeUdp } from './udp-probe.js';

const PROBES: { readonly [Kind in CheckKind]: Probe<ProbeTargets[Kind]> } = {
  http: probeHttp,
  ssl: probeSsl,
  dns: probeDns,
  tcpUdp: (spec, target, context, signal) =>
    (target.protocol === 'tcp' ? probeTcp : probeUdp)(spec, target, context, signal),
  // Loaded at the first check: most agents run none.
  ping: async (...check) => (await import('./ping-probe.js')).probePing(...check),
  grpc: async (...check) => (await import('./grpc-probe.js')).probeGrpc(...check),
  webSocket: async (...check) => (await import('./web-socket-probe.js')).probeWebSocket(...check),
};

export interface ProbesOptions {
  /** For monitors, their one-off tests and second opinions. */
  monitorEgress: EgressPolicy;
  /** For checks of visitors without an account. */
  publicEgress: EgressPolicy;
  /** The version of the agent, for `User-Agent`. */
  version: string;
  /** The memory for bodies that are searched for a keyword; default 128 MiB. */
  bodyBytes?: number;
  /** The time by which the dates of certificates and the lifetimes of tokens are judged; default: that of the machine. */
  now?: () => number;
  /** PEM of authorities to trust beside the public ones. */
  extraCertificates?: readonly string[];
  /** Name resolution; default: from resolv.conf. */
  names?: SystemNames;
  /** Replaces the lookup of `names`. */
  lookup?: Lookup;
  isResolverAlive?: ResolverHealth;
  /** The port of authoritative name servers; default 53. */
  dnsPort?: number;
  /** A program that `canPing`; default: there is none. */
  pingProgram?: string | null;
  /** Digests of keys of the root zone; default: those of IANA. */
  rootAnchors?: readonly KeyDigest[] | undefined;
  /** A name was not looked up in time because of other lookups. */
  onLookupAbandoned?: (cause: NameQueueCause) => void;
  /** An unexpected error in a probe; the check is inconclusive. */
  onError?: (error: unknown) => void;
}

/** The part of a check that a run needs. */
export type RunnableSpec = ProbeSpec & Pick<CheckSpec, 'target'>;

export interface Probes {
  capabilities: CheckKind[];
  /**
   * Runs one check. Never rejects: a target that is down and an agent that is at fault are both outcomes.
   * @param signal aborted when the agent stops: the check is then inconclusive at once
   */
  run(spec: RunnableSpec, signal: AbortSignal): Promise<ProbeReport>;
  /** The names that are being looked up, and those that wait. */
  names: NameQueue;
  /** Starts no more checks; running ones end by their signals and deadlines. */
  close(): void;
}

export function createProbes(options: ProbesOptions): Probes {
  const names = options.names ?? new SystemNames();
  const isResolverAlive = options.isResolverAlive ?? createResolverHealth(names);
  const { resolve, queue } = createHostResolver({
    isResolverAlive,
    lookup: options.lookup ?? names.lookup,
    ...(options.onLookupAbandoned ? { onAbandoned: options.onLookupAbandoned } : {}),
  });
  const now = options.now ?? Date.now;
  const context: ProbeContext = {
    resolve,
    isResolverAlive,
    ownServers: () => names.servers,
    dnsPort: options.dnsPort ?? 53,
    trustChains: new TrustChains(options.rootAnchors ?? parseRootAnchors()!),
    egress: { monitor: options.monitorEgress, public: options.publicEgress },
    tls: createSecureContexts(options.extraCertificates ?? [], now),
    bodies: new BodyMemory(options.bodyBytes),
    pingProgram: options.pingProgram ?? null,
    clock: new DeadlineClock(),
    now,
    tokens: new WeakMap(),
    requests: new WeakMap(),
    userAgent: `Watchpost/${options.version}`,
  };
  let closed = false;
  return {
    capabilities: CHECK_KINDS.filter((kind) => kind !== 'ping' || context.pingProgram !== null),
    names: queue,
    async run(spec, signal) {
      const startedAtMs = Date.now();
      const { target } = spec;
      if (closed) return blankReport(new ProbeFault('agent_stopping'), startedAtMs);
      if (target.kind === 'unsupported') return blankReport(new ProbeFault('agent_unsupported'), startedAtMs);
      try {
        const probe = PROBES[target.kind] as Probe<ProbeTarget>;
        const report =
          'addresses' in target && target.addresses === 'each'
            ? await probeEach(probe, spec, target, context, signal)
            : await probe(spec, target, context, signal);
        return withoutSecrets(target, report);
      } catch (error) {
        options.onError?.(error);
        return blankReport(new ProbeFault('agent_broken'), startedAtMs);
      }
    },
    close() {
      closed = true;
    },
  };
}

/** Masks secrets here, where it is known what was sent. */
function withoutSecrets(target: ProbeTarget, report: ProbeReport): ProbeReport {
  if (report.outcome.kind === 'up' && report.evidence === null) return report;
  const mask = sentSecretsMask(target);
  return mask ? maskReport(report, mask) : report;
}

function blankReport(fault: ProbeFault, startedAtMs: number): ProbeReport {
  const timings = { dnsUs: 0, connectUs: 0, tlsUs: 0, firstByteUs: 0, transferUs: 0 };
  return {
    outcome: fault.toOutcome(),
    startedAtMs,
    totalUs: 0,
    timings,
    statusCode: null,
    address: null,
    evidence: null,
  };
}
