import { isIP } from 'node:net';
import { plainAddress } from '@watchpost/shared/address-ranges';

/** The place to which a check connects. */
export interface Place {
  /** Without brackets. */
  host: string;
  port: number;
  /** The host if it is an address, which needs no lookup; an IPv4 address within an IPv6 one as what it is. */
  address: string | null;
}

export function placeAt(host: string, port: number): Place {
  return { host, port, address: isIP(host) === 0 ? null : plainAddress(host) };
}
