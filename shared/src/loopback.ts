import { BlockList, isIP } from 'node:net';

/** 127.0.0.0/8 (RFC 1122 §3.2.1.3) and ::1 (RFC 4291 §2.5.3); the list knows IPv4 addresses in IPv6 spelling too. */
const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/**
 * Whether what is served at, or comes from, this host stays on this machine: `localhost`, or a loopback address, as an
 * address is written (`::1`) or as it stands in a URL (`[::1]`). Other names are not, whatever they resolve to.
 * @param host without a port
 */
export function isLoopbackHost(host: string): boolean {
  if (host.toLowerCase() === 'localhost') return true;
  const address = /^\[(.*:.*)\]$/.exec(host)?.[1] ?? host;
  const family = isIP(address);
  return family !== 0 && LOOPBACK.check(address, family === 6 ? 'ipv6' : 'ipv4');
}
