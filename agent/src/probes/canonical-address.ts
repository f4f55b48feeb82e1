import { isIP } from 'node:net';

/** An IP address as the system writes it; a target may have been written in another way. */
export function canonicalAddress(address: string): string {
  return isIP(address) === 6 ? new URL(`http://[${address}]/`).hostname.slice(1, -1) : address;
}
