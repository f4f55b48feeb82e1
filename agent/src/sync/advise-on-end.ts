/** What TLS says where the two sides are set up differently, by a piece of its text, and what to do about it. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [
    /wrong version number|packet length too long/i,
    'that port speaks no TLS: it must be GRPC_PORT of the control plane, which speaks TLS with GRPC_TLS_HOSTS',
  ],
  [
    /ERR_TLS_CERT_ALTNAME_INVALID/,
    'the certificate there is for other names: put this one into GRPC_TLS_HOSTS of the control plane',
  ],
  [
    /self-signed certificate|unable to get (?:local )?issuer/i,
    'the authority there is not known: give the whole token, with what stands behind its dot, or name the authority in NODE_EXTRA_CA_CERTS',
  ],
];

/** What an operator may do about a connection that did not come about; undefined where only waiting helps. */
export function adviseOnEnd(details: string): string | undefined {
  return ADVICE.find(([pattern]) => pattern.test(details))?.[1];
}
