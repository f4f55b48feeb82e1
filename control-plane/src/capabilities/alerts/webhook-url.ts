import { BlockList, isIPv6 } from 'node:net';
import { dnsNameFault } from '@watchpost/shared/dns-name';
import { classifyHost, createEgressPolicy } from '@watchpost/shared/egress';
import { ownAddresses } from '@watchpost/shared/own-addresses';
import { parseUrl } from '@watchpost/shared/parse-url';

/** Says everything that is wrong with a URL that notifications are to be posted to, as the ends of sentences. */
export type WebhookUrlCheck = (url: string) => string[];

/** White space and control characters: URL parsers drop some of them without a word. */
const UNSEEN = /[\s\p{Cc}]/u;
const MASKED = /^https?:\/\/[^/]+\/\*\*\*.{0,4}$/i;
/** Of a shorter path, four characters would tell too much. */
const MIN_LENGTH_FOR_TAIL = 16;

/**
 * Names are taken as they are, and judged on the address that is connected to. Plain http would carry what is
 * sent, and its signature, in the open: only what the operator named as inside may be reached so.
 * @param allowCidrs WEBHOOK_ALLOW_CIDRS
 * @param own addresses of this machine, which are refused unless a range names them
 */
export function createWebhookUrlCheck(
  allowCidrs: readonly string[],
  own: () => readonly string[] = ownAddresses,
): WebhookUrlCheck {
  const egress = createEgressPolicy({ allowCidrs, ownAddresses: own });
  const inside = new BlockList();
  for (const cidr of allowCidrs) {
    const [address, bits] = cidr.split('/') as [string, string];
    inside.addSubnet(address, Number(bits), isIPv6(address) ? 'ipv6' : 'ipv4');
  }
  const isInside = (host: string): boolean => {
    const found = classifyHost(host);
    if (found.kind !== 'address') return found.kind === 'localhost' && egress.refusal(host) === null;
    return inside.check(found.address, isIPv6(found.address) ? 'ipv6' : 'ipv4');
  };
  return (url) => {
    if (UNSEEN.test(url)) return ['must not hold white space or control characters'];
    const parsed = parseUrl(url);
    if (!/^https?:\/\//i.test(url) || !parsed) return ['must be an https:// URL'];
    const { protocol, hostname, username, password, port } = parsed;
    const faults: string[] = [];
    if (username !== '' || password !== '') faults.push('must not hold credentials');
    if (port === '0') faults.push('must not have port 0');
    const nameFault = dnsNameFault(hostname);
    if (nameFault !== null) faults.push(nameFault);
    const refusal = egress.refusal(hostname);
    if (refusal !== null) {
      faults.push(`must be reachable under this service's egress policy (WEBHOOK_ALLOW_CIDRS): ${refusal}`);
    } else if (protocol === 'http:' && !isInside(hostname)) {
      faults.push('must have https://: plain http is for addresses inside WEBHOOK_ALLOW_CIDRS only');
    }
    return faults;
  };
}

/** What is shown of a URL that is a secret: its host and, of a long one, the last 4 characters. */
export function maskUrl(url: string): string {
  const { origin, pathname, search } = new URL(url);
  const tail = pathname + search;
  return `${origin}/***${tail.length < MIN_LENGTH_FOR_TAIL ? '' : tail.slice(-4)}`;
}

export function isMaskedUrl(url: string): boolean {
  return MASKED.test(url);
}
