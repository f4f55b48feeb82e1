import { isIP } from 'node:net';
import type { EgressPolicy } from '@watchpost/shared/egress';
import type { FaultDetail } from '@watchpost/shared/fault';
import { withoutPlaceholders } from '@watchpost/shared/steps/placeholders';
import { egressFault, placeOfUrl } from './monitor-url.js';

interface Request {
  url?: string | null | undefined;
  auth?: { type?: string | null | undefined; tokenUrl?: string | null | undefined } | null | undefined;
}

export interface NamingSettings extends Pick<Request, 'url'> {
  http?: (Request & { connectTo?: string | null | undefined; steps?: readonly Request[] | undefined }) | undefined;
  dns?: { resolvers?: readonly unknown[] | undefined } | undefined;
}

export interface NamedHost {
  /** The setting that names it, such as `http.steps.0.url`. */
  path: string;
  host: string;
}

/** The hosts that settings name. Where a check connects after that, the agent decides. */
export function namedHosts({ url, http, dns }: NamingSettings): NamedHost[] {
  const steps = http?.steps ?? [];
  const named: [string, unknown][] = [
    ['url', url],
    ['http.connectTo', http?.connectTo && `tcp://${http.connectTo}`],
    ['http.auth.tokenUrl', http?.auth?.tokenUrl],
    ...steps.flatMap(({ url: to, auth }, at): [string, unknown][] => [
      [`http.steps.${at}.url`, to && withoutPlaceholders(to)],
      [`http.steps.${at}.auth.tokenUrl`, auth?.tokenUrl],
    ]),
    ...(dns?.resolvers ?? []).map((resolver, at): [string, unknown] => [
      `dns.resolvers.${at}`,
      typeof resolver === 'string' && `tcp://${isIP(resolver) === 6 ? `[${resolver}]` : resolver}`,
    ]),
  ];
  return named.flatMap(([path, text]) => {
    const host = typeof text === 'string' ? placeOfUrl(text)?.host : undefined;
    return host === undefined ? [] : [{ path, host }];
  });
}

/** The hosts that regions may not check. */
export function regionalFaults(hosts: readonly NamedHost[], egress: EgressPolicy): FaultDetail[] {
  return hosts.flatMap(({ path, host }) => {
    const message = egressFault(host, egress);
    return message === null ? [] : [{ path, message }];
  });
}
