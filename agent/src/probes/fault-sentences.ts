import { DNS_FAULTS } from './dns-faults.js';
import type { DownFault, OwnFault } from './fault-kind.js';
import { HTTP_FAULTS } from './http-faults.js';
import { OWN_FAULTS } from './own-faults.js';
import { REACH_FAULTS } from './reach-faults.js';
import { SSL_FAULTS } from './ssl-faults.js';
import { TCP_UDP_FAULTS } from './tcp-udp-faults.js';

/**
 * Everything that can be wrong with a check, and the one sentence that a person reads about it in an
 * incident. docs/guides/check-faults.md lists the same sentences; a test compares the two.
 */
export const FAULTS = {
  ...REACH_FAULTS,
  ...HTTP_FAULTS,
  ...SSL_FAULTS,
  ...DNS_FAULTS,
  ...TCP_UDP_FAULTS,
  ...OWN_FAULTS,
} satisfies Record<string, DownFault | OwnFault>;

export type FaultKey = keyof typeof FAULTS;
