import { DNS_FAULTS } from './dns-faults.js';
import type { DownFault, AgentFault } from './fault-kind.js';
import { HTTP_FAULTS } from './http-faults.js';
import { OWN_FAULTS } from './own-faults.js';
import { REACH_FAULTS } from './reach-faults.js';
import { SSL_FAULTS } from './ssl-faults.js';
import { TCP_UDP_FAULTS } from './tcp-udp-faults.js';

/**
 * Every fault of a check, with the sentence that an incident shows. docs/guides/check-faults.md lists the same sentences; a
 * test compares the two.
 */
export const FAULTS = {
  ...REACH_FAULTS,
  ...HTTP_FAULTS,
  ...SSL_FAULTS,
  ...DNS_FAULTS,
  ...TCP_UDP_FAULTS,
  ...OWN_FAULTS,
} satisfies Record<string, DownFault | AgentFault>;

export type FaultKey = keyof typeof FAULTS;
