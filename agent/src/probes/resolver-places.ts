import { isIP } from 'node:net';
import type { DnsTarget } from '@watchpost/shared/checks/dns';
import { hostPort } from './connect-address.js';
import type { Deadline } from './deadline.js';
import type { ProbeContext } from './probe.js';
import { ProbeFault } from './probe-fault.js';

export interface ResolverPlace {
  ip: string;
  port: number;
  /** `ip:port`, for sentences. */
  text: string;
}

const DNS_PORT = 53;

/** Reads `host`, `host:port`, `[v6]:port` or a bare IPv6 address. @returns null for anything else */
export function parseResolver(text: string): { host: string; port: number } | null {
  if (isIP(text) !== 0) return { host: text, port: DNS_PORT };
  const match = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text);
  const port = Number(match?.[3] ?? DNS_PORT);
  const host = match?.[1] ?? match?.[2];
  if (host === undefined || port < 1 || port > 65_535 || (match?.[1] !== undefined && isIP(host) !== 6)) return null;
  return { host, port };
}

/** The resolvers of a monitor, after its egress policy; those of the agent, to which no policy applies, if it has none. */
export async function resolverPlaces(
  target: DnsTarget,
  context: ProbeContext,
  deadline: Deadline,
): Promise<ResolverPlace[] | ProbeFault> {
  if (target.resolvers.length === 0) {
    return context.ownServers().map(({ ip, port }) => placeOf(ip, port));
  }
  const policy = context.egress[target.egress];
  const places: ResolverPlace[] = [];
  let fault: ProbeFault | null = null;
  for (const text of target.resolvers) {
    const parsed = parseResolver(text);
    if (!parsed) return new ProbeFault('invalid_target', { why: `“${text.slice(0, 100)}” is not a resolver` });
    const resolved =
      isIP(parsed.host) === 0 ? await context.resolve(parsed.host, deadline) : { addresses: [parsed.host] };
    if (resolved instanceof ProbeFault) {
      fault ??= resolved.key === 'dns_not_found' ? new ProbeFault('resolver_unknown', { resolver: text }) : resolved;
      continue;
    }
    const allowed = resolved.addresses.find((ip) => policy.allows(ip));
    if (allowed !== undefined) places.push(placeOf(allowed, parsed.port));
    else
      fault ??= new ProbeFault('address_not_allowed', {
        host: parsed.host,
        why: policy.why(resolved.addresses[0] ?? parsed.host),
      });
  }
  return places.length > 0 || fault === null ? places : fault;
}

function placeOf(ip: string, port: number): ResolverPlace {
  return { ip, port, text: hostPort(ip, port) };
}
