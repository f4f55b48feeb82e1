import { z } from 'zod';
import { addresses, defineCheck, payload, port, type TargetOf } from './define-check.js';
import { script } from './tcp-script.js';
import { TCP_UDP_FAULTS } from './tcp-udp-faults.js';

export const tcpUdpCheck = defineCheck({
  kind: 'tcpUdp',
  code: 4,
  target: {
    protocol: z.enum(['tcp', 'udp']),
    /** Name or address, without brackets. */
    host: z.string(),
    port,
    send: payload,
    /** The response must contain this. */
    expect: payload,
    /** Over TCP, in place of both. */
    script,
    ...addresses,
  },
  hostOf: ({ host }) => host,
  usesTls: ({ script }) => script?.some(({ startTls }) => startTls) ?? false,
  faults: TCP_UDP_FAULTS,
});
export type TcpUdpTarget = TargetOf<typeof tcpUdpCheck>;
