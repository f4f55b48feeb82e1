import type { X509Certificate } from 'node:crypto';
import { commonNameOf, minuteText, shownNames } from './certificate-summary.js';
import { notYetValidFault, wrongHostFault } from './decide-certificate.js';
import type { ChainVerdict } from './judge-chain.js';
import { ProbeFault } from './probe-fault.js';
import type { Refusal } from './refusal.js';
import { weaknessFault } from './weakness-fault.js';

/** The peer of a handshake, for sentences. */
export interface TlsPeer {
  address: string;
  /** As in the URL, without brackets. */
  host: string;
  /** The TLS versions that the check offers, as text. */
  offered: string;
  /** The protocol that the check offers within TLS, as text. */
  protocol: string;
}

const NOT_SPOKEN = new Set([
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'ERR_SSL_PACKET_LENGTH_TOO_LONG',
  'ERR_SSL_HTTP_REQUEST',
  'ERR_SSL_HTTPS_PROXY_REQUEST',
  'ERR_SSL_BAD_PROTOCOL_VERSION_NUMBER',
  'ERR_SSL_UNEXPECTED_MESSAGE',
  'EPROTO',
]);
const VERSION = new Set([
  'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
  'ERR_SSL_UNSUPPORTED_PROTOCOL',
  'ERR_SSL_UNKNOWN_PROTOCOL',
  'ERR_SSL_NO_PROTOCOLS_AVAILABLE',
  'ERR_SSL_VERSION_TOO_LOW',
]);
const REFUSED = new Set([
  'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE',
  'ERR_SSL_TLSV1_ALERT_INSUFFICIENT_SECURITY',
  'ERR_SSL_NO_SHARED_CIPHER',
  'ERR_SSL_NO_CIPHERS_AVAILABLE',
  'ERR_SSL_WRONG_CIPHER_RETURNED',
]);
const CLIENT_CERTIFICATE = new Set([
  'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
  'ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE',
  'ERR_SSL_SSLV3_ALERT_NO_CERTIFICATE',
]);
/** Servers answer so to a client certificate that they refuse. */
const CERTIFICATE_REFUSED =
  /_ALERT_(?:UNKNOWN_CA|ACCESS_DENIED|(?:UNSUPPORTED_)?CERTIFICATE(?:_EXPIRED|_REVOKED|_UNKNOWN)?)$/;

/** The fault of a failed handshake or TLS connection. */
export function tlsFault(error: NodeJS.ErrnoException, peer: TlsPeer): ProbeFault {
  const { address, host, offered, protocol } = peer;
  // OpenSSL 3.5 renames the alerts that SSL 3 defined.
  const code = (error.code ?? 'unknown').replace('_SSL/TLS_ALERT_', '_SSLV3_ALERT_');
  if (code === 'ECONNRESET' || code === 'EPIPE' || code === 'ERR_SSL_UNEXPECTED_EOF_WHILE_READING')
    return new ProbeFault('tls_cut', { address });
  if (NOT_SPOKEN.has(code)) return new ProbeFault('tls_not_spoken', { address });
  if (VERSION.has(code)) return new ProbeFault('tls_version', { address, offered });
  if (REFUSED.has(code)) return new ProbeFault('tls_refused', { address, code });
  if (CLIENT_CERTIFICATE.has(code)) return new ProbeFault('tls_client_certificate', { address });
  if (CERTIFICATE_REFUSED.test(code)) return new ProbeFault('tls_certificate_refused', { address, code });
  if (code === 'ERR_SSL_TLSV1_UNRECOGNIZED_NAME' || code === 'ERR_SSL_TLSV1_ALERT_UNRECOGNIZED_NAME')
    return new ProbeFault('tls_name_unknown', { address, host });
  if (code === 'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL')
    return new ProbeFault('tls_no_protocol', { address, protocol });
  return new ProbeFault('tls_failed', { address, code });
}

/**
 * The fault of a certificate that does not verify.
 * @param chain the path from the certificate towards a trusted root
 * @param nowMs the time of the control plane; OpenSSL judges dates by the clock of the machine
 */
export function certificateFault(
  { code, why }: Refusal,
  chain: ChainVerdict,
  nowMs: number,
  { address, host }: TlsPeer,
): ProbeFault {
  const { path } = chain;
  const [certificate] = path;
  const subject = (certificate && (commonNameOf(certificate.subject) ?? shownNames(certificate))) ?? 'it';
  const issuer = commonNameOf(certificate?.issuer) ?? 'an unnamed authority';
  switch (code) {
    case 'CERT_HAS_EXPIRED':
      if (isDisputed(path, nowMs, hasExpired)) return new ProbeFault('agent_clock_disputed', { host });
      if (certificate && !hasExpired(certificate, nowMs)) return new ProbeFault('certificate_chain_expired', { host });
      return new ProbeFault('certificate_expired', { host, subject, validTo: minuteText(certificate?.validTo) });
    case 'CERT_NOT_YET_VALID':
      if (isDisputed(path, nowMs, isEarly)) return new ProbeFault('agent_clock_disputed', { host });
      return notYetValidFault(path.find((one) => isEarly(one, nowMs)) ?? certificate, host);
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return wrongHostFault(certificate ? shownNames(certificate) : 'another', host, address);
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
      return new ProbeFault('certificate_self_signed', { host });
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
      // The server sent the leaf only. One with the address of its issuer's certificate has an intermediate above it.
      if (certificate?.infoAccess?.includes('CA Issuers'))
        return new ProbeFault('certificate_no_intermediate', { address, host, issuer });
      return new ProbeFault('certificate_unknown_authority', { host, issuer });
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'CERT_UNTRUSTED':
      return new ProbeFault('certificate_unknown_authority', { host, issuer });
    default:
      return weaknessFault(chain, host) ?? new ProbeFault('certificate_not_accepted', { host, why });
  }
}

function hasExpired(certificate: X509Certificate, nowMs: number): boolean {
  return Date.parse(certificate.validTo) <= nowMs;
}

function isEarly(certificate: X509Certificate, nowMs: number): boolean {
  return Date.parse(certificate.validFrom) > nowMs;
}

/** Whether certificates are refused by the clock of the machine alone, and not by that of the control plane. */
function isDisputed(
  path: readonly X509Certificate[],
  nowMs: number,
  isRefused: (certificate: X509Certificate, nowMs: number) => boolean,
): boolean {
  return !path.some((one) => isRefused(one, nowMs)) && path.some((one) => isRefused(one, Date.now()));
}
