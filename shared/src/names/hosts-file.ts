import { isIP } from 'node:net';
import { plainAddress } from '../address-ranges.js';

/** Addresses by name, in lower case; see hosts(5). */
export type Hosts = ReadonlyMap<string, readonly string[]>;

const LOOPBACK: readonly string[] = ['127.0.0.1', '::1'];

/** Parses a hosts file. Invalid lines are skipped. */
export function parseHosts(text: string): Hosts {
  const hosts = new Map<string, string[]>();
  for (const line of text.split(/\r?\n/)) {
    const [written = '', ...names] = line.replace(/#.*$/, '').trim().split(/\s+/);
    if (isIP(written) === 0) continue;
    const address = plainAddress(written);
    for (const name of names.map((one) => one.toLowerCase())) {
      const addresses = hosts.get(name);
      if (!addresses) hosts.set(name, [address]);
      else if (!addresses.includes(address)) addresses.push(address);
    }
  }
  return hosts;
}

/** The addresses of a name in the file; loopback for `localhost` in any case (RFC 6761 §6.3). */
export function addressesIn(hosts: Hosts, host: string): readonly string[] | undefined {
  const name = host.toLowerCase().replace(/\.$/, '');
  return hosts.get(name) ?? (name === 'localhost' || name.endsWith('.localhost') ? LOOPBACK : undefined);
}
