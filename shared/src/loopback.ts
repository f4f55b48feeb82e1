import { BlockList, isIP } from 'node:net';

/** 127.0.0.0/8 (RFC 1122 §3.2.1.3) and ::1 (RFC 4291 §2.5.3), including IPv4 addresses in IPv6 notation. */
const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/**
 * Whether a host is this machine: `localhost`, or a loopback address, with brackets (`[::1]`) or without. Other names are
 * not, whatever they resolve to.
 * @param host without a port
 */
export function isLoopbackHost(host: string): boolean {
  if (host.toLowerCase() === 'localhost') return true;
  const address = /^\[(.*:.*)\]$/.exec(host)?.[1] ?? host;
  const family = isIP(address);
  return family !== 0 && LOOPBACK.check(address, family === 6 ? 'ipv6' : 'ipv4');
}
