import type { CheckKind, CheckSpec } from '@watchpost/shared/check';
import type { EgressPolicy } from '@watchpost/shared/egress';
import type { ProbeReport } from '@watchpost/shared/outcome';
import { maskReport } from '@watchpost/shared/secrets/mask-report';
import { createSecretMask } from '@watchpost/shared/secrets/secret-mask';
import { SystemNames, type Lookup } from '@watchpost/shared/names/system-names';
import { DeadlineClock } from './deadline-clock.js';
import { probeDns } from './dns-probe.js';
import { probeHttp } from './http-probe.js';
import type { ProbeContext, ProbeSpec } from './probe.js';
import { ProbeFault } from './probe-fault.js';
import { createHostResolver, type NameQueue, type NameQueueCause } from './resolve-host.js';
import { createResolverHealth, type ResolverHealth } from './resolver-health.js';
import { createSecureContexts } from './secure-socket.js';
import { probeSsl } from './ssl-probe.js';
import { probeTcp } from './tcp-probe.js';
import { probeUdp } from './udp-probe.js';

export interface ProbesOptions {
  /** For monitors, and their one-off tests and confirming runs. */
  monitorEgress: EgressPolicy;
  /** For the anonymous check. */
  publicEgress: EgressPolicy;
  /** The agent's own, for `User-Agent`. */
  version: string;
  /** Where the operator of a checked site can read who is asking; goes into `User-Agent`. */
  contactUrl?: string;
  /** PEM of authorities to trust beside the public ones. */
  extraCertificates?: readonly string[];
  /** The system's resolver; default: as resolv.conf has it. */
  names?: SystemNames;
  /** In place of the system's resolver. */
  lookup?: Lookup;
  isResolverAlive?: ResolverHealth;
  /** Where authoritative name servers listen; default 53. */
  dnsPort?: number;
  /** A check whose name was not looked up in time, because others were in the way. */
  onNameGivenUp?: (cause: NameQueueCause) => void;
  /** Told of errors in the probes' own code; such a check comes out inconclusive. */
  onError?: (error: unknown) => void;
}

/** As much of a check as running it takes. */
export type RunnableSpec = ProbeSpec & Pick<CheckSpec, 'target'>;

export interface Probes {
  /** Check kinds that can be run, as the agent tells the control plane. */
  capabilities: CheckKind[];
  /**
   * Runs one check. Never rejects: a target that is down and an agent that is at fault are both outcomes.
   * @param signal aborted when the agent stops: the check then comes out inconclusive at once
   */
  run(spec: RunnableSpec, signal: AbortSignal): Promise<ProbeReport>;
  /** Names that are being looked up, and those that wait for it. */
  names: NameQueue;
  /** No check is sent after this; those under way end by their own signals and deadlines. */
  close(): void;
}

export function createProbes(options: ProbesOptions): Probes {
  const names = options.names ?? new SystemNames();
  const isResolverAlive = options.isResolverAlive ?? createResolverHealth(names);
  const { resolve, queue } = createHostResolver({
    isResolverAlive,
    lookup: options.lookup ?? names.lookup,
    ...(options.onNameGivenUp ? { onGivenUp: options.onNameGivenUp } : {}),
  });
  const context: ProbeContext = {
    resolve,
    isResolverAlive,
    ownServers: () => names.servers,
    dnsPort: options.dnsPort ?? 53,
    egress: { monitor: options.monitorEgress, public: options.publicEgress },
    tls: createSecureContexts(options.extraCertificates),
    clock: new DeadlineClock(),
    requests: new WeakMap(),
    userAgent: `Watchpost/${options.version}${options.contactUrl === undefined ? '' : ` (+${options.contactUrl})`}`,
  };
  let closed = false;
  return {
    capabilities: ['http', 'ssl', 'dns', 'tcpUdp'],
    names: queue,
    async run(spec, signal) {
      const startedAtMs = Date.now();
      if (closed) return blankReport(new ProbeFault('agent_stopping'), startedAtMs);
      try {
        return withoutSecrets(spec, await probe(spec, context, signal));
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

function probe(spec: RunnableSpec, context: ProbeContext, signal: AbortSignal): Promise<ProbeReport> {
  const { target } = spec;
  switch (target.kind) {
    case 'http':
      return probeHttp(spec, target, context, signal);
    case 'ssl':
      return probeSsl(spec, target, context, signal);
    case 'dns':
      return probeDns(spec, target, context, signal);
    case 'tcpUdp':
      return target.protocol === 'tcp'
        ? probeTcp(spec, target, context, signal)
        : probeUdp(spec, target, context, signal);
  }
}

/** Here it is known what was really sent, also where the monitor is changing. */
function withoutSecrets({ target }: RunnableSpec, report: ProbeReport): ProbeReport {
  if (target.kind !== 'http' || report.outcome.kind === 'up') return report;
  const mask = createSecretMask(target.headers);
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
