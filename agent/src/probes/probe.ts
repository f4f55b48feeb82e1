import type { CheckSpec, EgressPolicyName, HttpTarget } from '@watchpost/shared/check';
import type { EgressPolicy } from '@watchpost/shared/egress';
import type { ProbeReport } from '@watchpost/shared/outcome';
import type { DeadlineClock } from './deadline-clock.js';
import type { ProbeFault } from './probe-fault.js';
import type { HttpRequest } from './request-head.js';
import type { ResolvConf } from '@watchpost/shared/names/resolv-conf';
import type { HostResolver } from './resolve-host.js';
import type { ResolverHealth } from './resolver-health.js';
import type { SecureContexts } from './secure-socket.js';

/** What all probes share: made once, for the life of the agent. */
export interface ProbeContext {
  resolve: HostResolver;
  /** Whether the machine's own resolver answers at all. */
  isResolverAlive: ResolverHealth;
  /** The machine's own name servers, as they are now. */
  ownServers(): ResolvConf['servers'];
  /** Where authoritative name servers listen. */
  dnsPort: number;
  egress: Readonly<Record<EgressPolicyName, EgressPolicy>>;
  tls: SecureContexts;
  clock: DeadlineClock;
  userAgent: string;
  /** A monitor's first request is the same at every check: it is written once for as long as its target lives. */
  requests: WeakMap<HttpTarget, HttpRequest | ProbeFault>;
}

/** As much of a check as a probe needs to know. */
export type ProbeSpec = Pick<CheckSpec, 'timeoutMs' | 'ownerKey' | 'siteKey'>;

/**
 * The whole seam of a probe: it finds out how a target does within the check's timeout. It answers when
 * the signal says that the agent stops, never throws for what a target does, and leaves nothing open.
 */
export type Probe<T> = (spec: ProbeSpec, target: T, context: ProbeContext, signal: AbortSignal) => Promise<ProbeReport>;
