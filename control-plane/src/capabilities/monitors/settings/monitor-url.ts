import { isIP } from 'node:net';
import { getDomain } from 'tldts';
import { factsOf, type MonitorType, type MonitorUrlKind, URL_KINDS } from '@watchpost/shared/monitor-types';
import { dnsNameFault } from '@watchpost/shared/dns-name';
import type { EgressPolicy } from '@watchpost/shared/egress';
import { parseUrl } from '@watchpost/shared/parse-url';

/** White space and control characters, some of which URL parsers drop silently. */
const UNSEEN = /[\s\p{Cc}]/u;

const [LAST_SCHEME, ...SCHEMES] = URL_KINDS.filter((kind) => kind !== 'hostname')
  .map((kind) => `${kind}://`)
  .toReversed();
const URL_WORDS = `an ${SCHEMES.toReversed().join(', ')} or ${LAST_SCHEME} URL, or a host name for Dns or Domain, or a host name or address for Ping`;

interface ReadUrl {
  kind: MonitorUrlKind;
  /** As the parser of http:// URLs returns it: in ASCII and lower case, with brackets around an IPv6 address. */
  host: string;
  /** As in the URL; empty for the default port of the scheme. */
  port: string;
}

export interface MonitorPlace {
  kind: MonitorUrlKind;
  /** A name in ASCII or an address, without brackets. */
  host: string;
  /** Null for a host name alone. */
  port: number | null;
}

/** @returns undefined if it is neither a URL with a known scheme nor a host name */
function read(url: string): ReadUrl | undefined {
  const parsed = url.includes('://') ? parseUrl(url) : undefined;
  if (!parsed) {
    const given = isIP(url) === 6 ? `[${url}]` : url;
    const host = given === url && /[/:?#@\\]/.test(url) ? undefined : asHttpHost(given);
    return host === undefined ? undefined : { kind: 'hostname', host, port: '' };
  }
  const { protocol, hostname, port } = parsed;
  const kind = URL_KINDS.find((one) => `${one}:` === protocol);
  if (!kind || hostname === '') return undefined;
  const host = isService(kind) ? asHttpHost(hostname) : hostname;
  return host === undefined ? undefined : { kind, host, port };
}

/** The URLs with a path, by their scheme, and the port that they have without one. */
const DEFAULT_PORTS: { readonly [Kind in MonitorUrlKind]?: number } = { http: 80, https: 443, ws: 80, wss: 443 };

/** Whether such a URL names a host and a port, and nothing else. */
function isService(kind: MonitorUrlKind): boolean {
  return kind !== 'hostname' && DEFAULT_PORTS[kind] === undefined;
}

/** A host in the form that http:// URLs have, for any scheme. */
function asHttpHost(host: string): string | undefined {
  return parseUrl(`http://${host}/`)?.hostname;
}

/** @returns undefined if it is not a valid URL of a monitor */
export function placeOfUrl(url: string): MonitorPlace | undefined {
  const parsed = read(url);
  if (!parsed) return undefined;
  const { kind, host, port } = parsed;
  return {
    kind,
    host: host.replace(/^\[|\]$/g, ''),
    port: port === '' ? (DEFAULT_PORTS[kind] ?? null) : Number(port),
  };
}

/** The host, which is the default name of a monitor. */
export function hostOfUrl(url: string): string {
  return read(url)?.host ?? url;
}

/**
 * All faults of a monitor's URL independent of its types, as the ends of sentences.
 * @param egress absent where the places that check it decide on that
 */
export function urlFaults(url: string, egress?: EgressPolicy): string[] {
  if (UNSEEN.test(url)) return ['must not hold white space or control characters'];
  const parsed = read(url);
  if (!parsed) return [`must be ${URL_WORDS}`];
  const faults: string[] = [];
  if (parsed.kind !== 'hostname') {
    const { username, password, port, pathname, search, hash } = new URL(url);
    if (username !== '' || password !== '') {
      const field = parsed.kind.startsWith('ws') ? 'webSocket' : 'http';
      faults.push(`must not hold credentials: put them into \`${field}.headers\`, where they are stored encrypted`);
    }
    if (port === '0') faults.push('must not have port 0');
    if (isService(parsed.kind)) {
      if (port === '') faults.push(`must name a port, like ${parsed.kind}://host:1234`);
      if (!['', '/'].includes(pathname) || search !== '' || hash !== '')
        faults.push('must have nothing after the port');
    }
  }
  return [...faults, ...hostFaults(parsed.host, egress)];
}

/** All faults of a name to look up, as the ends of sentences. */
export function hostnameFaults(text: string): string[] {
  const parsed = UNSEEN.test(text) ? undefined : read(text);
  if (parsed?.kind !== 'hostname' || isIP(parsed.host.replace(/^\[|\]$/g, '')) !== 0)
    return ['must be a host name, like example.com'];
  return urlFaults(text);
}

/** The reason why a valid URL does not suit these types. */
export function urlTypeFaults(url: string, types: readonly MonitorType[]): string[] {
  const parsed = read(url);
  if (!parsed) return [];
  // No URL suits all of them; that fault is reported elsewhere.
  if (!isOneMonitor(types)) return [];
  const faults = types
    .map((type) => ({ type, ...factsOf(type).url }))
    .flatMap(({ type, kinds, words }) => (kinds.includes(parsed.kind) ? [] : [`${type} needs ${words}`]));
  const host = parsed.host.replace(/^\[|\]$/g, '');
  if (types.includes('Domain') && domainOfUrl(url) === null)
    faults.push('Domain needs a domain that somebody can register, not an address or a public suffix');
  if (types.includes('Dns') && isIP(host) !== 0) faults.push('Dns needs a host name, not an address');
  return faults;
}

/**
 * The registered domain that a URL or a host name lies in, by the public suffixes of registries: `a.example.co.uk` gives
 * `example.co.uk`. In ASCII and lower case; null where there is none.
 */
export function domainOfUrl(url: string): string | null {
  return getDomain(placeOfUrl(url)?.host ?? '')?.replace(/\.$/, '') ?? null;
}

/** Whether no other type suits the URLs of this one, so that it is a monitor of its own, in no service group. */
export function isAlone(type: MonitorType): boolean {
  return factsOf(type).isAlone === true;
}

/** Whether one URL can suit all of these types: some types are alone, and Heartbeat has none. */
export function isOneMonitor(types: readonly MonitorType[]): boolean {
  return !types.includes('Heartbeat') && (types.length < 2 || !types.some(isAlone));
}

/** Ports of mail submission and relay (RFC 5321, 8314 and 6409), where sent data could be a mail. */
const MAIL_PORTS: ReadonlySet<number> = new Set([25, 465, 587]);

/** The port of a `tcp://` or `udp://` URL that nothing may be sent to; null for any other URL. */
export function mailPortOf(url: string): number | null {
  const place = placeOfUrl(url);
  if (place?.kind !== 'tcp' && place?.kind !== 'udp') return null;
  return place.port !== null && MAIL_PORTS.has(place.port) ? place.port : null;
}

/** All faults of a DNS resolver given as `host` or `host:port`, as the ends of sentences. */
export function resolverFaults(text: string): string[] {
  const place = placeOf(isIP(text) === 6 ? `[${text}]` : text);
  return place ? hostFaults(place.host) : ['must be a host or host:port'];
}

/** All faults of `http.connectTo`, as the ends of sentences. */
export function connectToFaults(text: string): string[] {
  if (text.includes('://')) return ['must be host:port without a scheme: whether TLS is used follows from `url`'];
  const place = placeOf(text);
  if (!place?.port)
    return [
      'must be host:port with a port from 1 to 65535 and an IPv6 address in brackets, like shop.example:8443 or [2001:db8::1]:443',
    ];
  return hostFaults(place.host);
}

/** Reads `host` or `host:port`; undefined where it is neither. */
function placeOf(text: string): ReadUrl | undefined {
  const place = UNSEEN.test(text) || /[/?#@\\]/.test(text) ? undefined : read(`tcp://${text}`);
  return place?.port === '0' ? undefined : place;
}

function hostFaults(host: string, egress?: EgressPolicy): string[] {
  return [dnsNameFault(host), egress ? egressFault(host, egress) : null].filter((fault) => fault !== null);
}

/** Why the regions may not check a host, as the end of a sentence; null where they may. */
export function egressFault(host: string, egress: EgressPolicy): string | null {
  const refusal = egress.refusal(host);
  return refusal && `must be reachable under this service's egress policy (PROBE_ALLOW_CIDRS): ${refusal}`;
}
