import { isIP } from 'node:net';
import { checkServerIdentity } from 'node:tls';
import type { ChannelOptions, VerifyOptions } from '@grpc/grpc-js';

/** No server has this name (RFC 2606 §2). */
const NO_NAME = 'no-name.invalid';

/**
 * Decides how a channel verifies a server at this address. An IP must not be the TLS name of a server (RFC 6066 §3; Node.js 26
 * refuses it), and grpc-js takes whatever the address names. So for an IP another name is sent, and the certificate is
 * compared with the IP all the same.
 * @param host a name, or an IP address, an IPv6 one in brackets as in URLs
 */
export function tlsNameOf(host: string): { verify: VerifyOptions; options: ChannelOptions } {
  const address = host.replace(/^\[(.*)\]$/, '$1');
  if (isIP(address) === 0) return { verify: {}, options: {} };
  return {
    verify: { checkServerIdentity: (_, certificate) => checkServerIdentity(address, certificate) },
    options: { 'grpc.ssl_target_name_override': NO_NAME },
  };
}
