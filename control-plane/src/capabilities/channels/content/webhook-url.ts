import { isInRanges, parseCidrs } from '@watchpost/shared/address-ranges';
import { dnsNameFault } from '@watchpost/shared/dns-name';
import { classifyHost, createEgressPolicy } from '@watchpost/shared/egress';
import { ownAddresses } from '@watchpost/shared/own-addresses';
import { parseUrl } from '@watchpost/shared/parse-url';

/** Returns the faults of a webhook URL, each as the end of a sentence. */
export type WebhookUrlCheck = (url: string) => string[];

/** White space and control characters: URL parsers silently remove some of them. */
const INVISIBLE = /[\s\p{Cc}]/u;

/**
 * Creates the check of webhook URLs. Host names are not resolved: the address is checked when connecting. Plain http
 * would transmit messages and signatures unencrypted, so it is only allowed for the ranges that the operator allows.
 * @param allowCidrs WEBHOOK_ALLOW_CIDRS
 * @param own the addresses of this machine, which are refused unless a range contains them
 */
export function createWebhookUrlCheck(
  allowCidrs: readonly string[],
  own: () => readonly string[] = ownAddresses,
): WebhookUrlCheck {
  const egress = createEgressPolicy({ allowCidrs, ownAddresses: own });
  const allowed = parseCidrs(allowCidrs);
  const isInside = (host: string): boolean => {
    const found = classifyHost(host);
    if (found.kind !== 'address') return found.kind === 'localhost' && egress.refusal(host) === null;
    return isInRanges(allowed, found.address);
  };
  return (url) => {
    if (INVISIBLE.test(url)) return ['must not contain white space or control characters'];
    const parsed = parseUrl(url);
    if (!/^https?:\/\//i.test(url) || !parsed) return ['must be an https:// URL'];
    const { protocol, hostname, username, password, port } = parsed;
    const faults: string[] = [];
    if (username !== '' || password !== '') faults.push('must not contain credentials');
    if (port === '0') faults.push('must not have port 0');
    const nameFault = dnsNameFault(hostname);
    if (nameFault !== null) faults.push(nameFault);
    const refusal = egress.refusal(hostname);
    if (refusal !== null) {
      faults.push(`must be reachable under this service's egress policy (WEBHOOK_ALLOW_CIDRS): ${refusal}`);
    } else if (protocol === 'http:' && !isInside(hostname)) {
      faults.push('must begin with https://: plain http is only allowed for addresses in WEBHOOK_ALLOW_CIDRS');
    }
    return faults;
  };
}
