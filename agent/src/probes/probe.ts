import type { CheckSpec } from '@watchpost/shared/check';
import type { EgressPolicyName } from '@watchpost/shared/checks/define-check';
import type { HttpTarget } from '@watchpost/shared/checks/http';
import type { EgressPolicy } from '@watchpost/shared/egress';
import type { ProbeReport } from '@watchpost/shared/outcome';
import type { TokenMemory } from './auth/token-memory.js';
import type { BodyMemory } from './body-memory.js';
import type { DeadlineClock } from './deadline-clock.js';
import type { TrustChains } from './dnssec/trust-chains.js';
import type { ProbeFault } from './probe-fault.js';
import type { HttpRequest } from './request-head.js';
import type { ResolvConf } from '@watchpost/shared/names/resolv-conf';
import type { HostResolver } from './resolve-host.js';
import type { ResolverHealth } from './resolver-health.js';
import type { SecureContexts } from './secure-socket.js';

/** Shared by all probes, for the lifetime of the agent. */
export interface ProbeContext {
  resolve: HostResolver;
  /** Whether the machine's own resolver answers at all. */
  isResolverAlive: ResolverHealth;
  /** The present name servers of the machine. */
  ownServers(): ResolvConf['servers'];
  /** The port of authoritative name servers. */
  dnsPort: number;
  trustChains: TrustChains;
  egress: Readonly<Record<EgressPolicyName, EgressPolicy>>;
  tls: SecureContexts;
  bodies: BodyMemory;
  /** Null: this machine cannot ping. */
  pingProgram: string | null;
  clock: DeadlineClock;
  userAgent: string;
  /** ms since the epoch, by the control plane. */
  now(): number;
  tokens: TokenMemory;
  /** The first request of each target, which is the same at every check. */
  requests: WeakMap<HttpTarget, HttpRequest | ProbeFault>;
}

export type ProbeSpec = Pick<CheckSpec, 'timeoutMs' | 'ownerKey' | 'siteKey' | 'isTest'>;

/**
 * Examines a target within the timeout of the check. It ends when the signal aborts, never throws for a fault of the
 * target, and leaves no connection open.
 */
export type Probe<T> = (spec: ProbeSpec, target: T, context: ProbeContext, signal: AbortSignal) => Promise<ProbeReport>;
