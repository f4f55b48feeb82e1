/** RFC 1035 §2.3.4, in octets; a name without its final dot. */
const MAX_LABEL = 63;
const MAX_NAME = 253;

/**
 * Why a host is no valid DNS name, as the end of a sentence; null where it is valid or an address.
 * @param host in ASCII, the output of a URL parser: other names are measured in punycode
 */
export function dnsNameFault(host: string): string | null {
  const name = host.endsWith('.') ? host.slice(0, -1) : host;
  const labels = name.split('.');
  if (labels.includes('')) return 'must not have a host name with two dots in a row, or one at its start';
  const longest = labels.reduce((most, { length }) => Math.max(most, length), 0);
  if (longest > MAX_LABEL)
    return `must have a host name whose parts between dots have at most ${MAX_LABEL} octets each; the longest has ${longest}${inPunycode(name)}`;
  if (name.length > MAX_NAME)
    return `must have a host name of at most ${MAX_NAME} octets; it has ${name.length}${inPunycode(name)}`;
  return null;
}

function inPunycode(name: string): string {
  return /(?:^|\.)xn--/.test(name) ? ' in ASCII (punycode)' : '';
}
