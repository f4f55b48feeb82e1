import { answered, down } from './fault-kind.js';

export const TCP_UDP_FAULTS = {
  udp_refused: down('connect', 'connection_refused', 'The machine at {address} reports that the UDP port is closed.'),
  udp_unreachable: down(
    'connect',
    'host_unreachable',
    'The UDP packet to {address} did not arrive: the network reports no route to it ({code}).',
  ),
  service_unexpected: down(
    'content',
    'unexpected_answer',
    'The service at {address} sent {received}, which does not contain {expected}.',
  ),
  service_closed: down(
    'firstByte',
    'protocol_error',
    'The service at {address} closed the connection without sending anything.',
  ),
  service_reset: down('firstByte', 'connection_reset', 'The service at {address} reset the connection.'),
  service_slow: down(
    'transfer',
    'timeout',
    'The service at {address} sent {received} and, within {seconds} s, nothing that contains {expected}.',
  ),
  script_slow: down(
    'transfer',
    'timeout',
    'The service at {address} sent {received} and, within {seconds} s, nothing that step {step} expects: {expected}.',
  ),
  script_unexpected: answered(
    'content',
    'unexpected_answer',
    'The service at {address} sent {limit} KiB, and nothing that step {step} expects: {expected}.',
  ),
  script_costly: answered(
    'content',
    'unexpected_answer',
    'The service at {address} sent {received}, which takes too much work to compare with what step {step} expects: {expected}.',
  ),
  script_ended: down(
    'content',
    'unexpected_answer',
    'The service at {address} sent {received} and closed the connection, and nothing that step {step} expects: {expected}.',
  ),
  starttls_injected: answered(
    'tls',
    'protocol_error',
    'The service at {address} sent {received} in plain text before the TLS handshake, where nothing may come.',
  ),
} as const;
