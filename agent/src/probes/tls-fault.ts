import type { X509Certificate } from 'node:crypto';
import { ProbeFault } from './probe-fault.js';

/** The peer of a handshake, for sentences. */
export interface TlsPeer {
  address: string;
  /** As in the URL, without brackets. */
  host: string;
  /** The TLS versions that the check offers, as text. */
  offered: string;
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

/** The fault of a failed handshake or TLS connection. */
export function tlsFault(error: NodeJS.ErrnoException, peer: TlsPeer): ProbeFault {
  const { address, host, offered } = peer;
  const code = error.code ?? 'unknown';
  if (code === 'ECONNRESET' || code === 'EPIPE' || code === 'ERR_SSL_UNEXPECTED_EOF_WHILE_READING')
    return new ProbeFault('tls_cut', { address });
  if (NOT_SPOKEN.has(code)) return new ProbeFault('tls_not_spoken', { address });
  if (VERSION.has(code)) return new ProbeFault('tls_version', { address, offered });
  if (REFUSED.has(code)) return new ProbeFault('tls_refused', { address, code });
  if (CLIENT_CERTIFICATE.has(code)) return new ProbeFault('tls_client_certificate', { address });
  if (code === 'ERR_SSL_TLSV1_UNRECOGNIZED_NAME' || code === 'ERR_SSL_TLSV1_ALERT_UNRECOGNIZED_NAME')
    return new ProbeFault('tls_name_unknown', { address, host });
  if (code === 'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL') return new ProbeFault('tls_no_protocol', { address });
  return new ProbeFault('tls_failed', { address, code });
}

/** OpenSSL's codes for dates. */
export const DATE_CODES: ReadonlySet<string> = new Set(['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID']);

/** Whether a certificate has neither expired nor is yet to become valid. */
export function isCurrent(certificate: X509Certificate, nowMs: number): boolean {
  return !hasExpired(certificate, nowMs) && !isEarly(certificate, nowMs);
}

/**
 * The fault of a certificate that does not verify.
 * @param code OpenSSL's verification code, or ERR_TLS_CERT_ALTNAME_INVALID for a wrong host
 * @param above if the clocks differ: the certificates between this one and a trusted root
 * @param nowMs the time of the control plane; OpenSSL judges dates by the clock of the machine
 */
export function certificateFault(
  code: string,
  certificate: X509Certificate | undefined,
  above: readonly X509Certificate[],
  nowMs: number,
  peer: TlsPeer,
): ProbeFault {
  const { address, host } = peer;
  const path = certificate ? [certificate, ...above] : above;
  const subject = certificate ? (commonName(certificate.subject) ?? namesOf(certificate)) : 'it';
  const issuer = certificate ? (commonName(certificate.issuer) ?? 'an unnamed authority') : 'an unnamed authority';
  switch (code) {
    case 'CERT_HAS_EXPIRED':
      if (isDisputed(path, nowMs, hasExpired)) return new ProbeFault('agent_clock_disputed', { host });
      if (certificate && !hasExpired(certificate, nowMs)) return new ProbeFault('certificate_chain_expired', { host });
      return new ProbeFault('certificate_expired', { host, subject, validTo: day(certificate?.validTo) });
    case 'CERT_NOT_YET_VALID':
      if (isDisputed(path, nowMs, isEarly)) return new ProbeFault('agent_clock_disputed', { host });
      return new ProbeFault('certificate_not_yet_valid', { host, subject, validFrom: day(certificate?.validFrom) });
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return new ProbeFault('certificate_wrong_host', {
        address,
        host,
        names: certificate ? namesOf(certificate) : 'another',
      });
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
      return new ProbeFault('certificate_not_accepted', { host, code });
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

/** The CN of a distinguished name in Node's format, one attribute a line; else the organisation. */
function commonName(name: string): string | undefined {
  return /^CN=(.+)$/m.exec(name)?.[1] ?? /^O=(.+)$/m.exec(name)?.[1];
}

function namesOf(certificate: X509Certificate): string {
  const names = (certificate.subjectAltName ?? '')
    .split(', ')
    .map((entry) => entry.replace(/^(DNS|IP Address):/, ''))
    .filter((name) => name !== '');
  if (names.length === 0) return commonName(certificate.subject) ?? 'no name at all';
  return names.length > 5 ? `${names.slice(0, 5).join(', ')} and ${names.length - 5} more` : names.join(', ');
}

function day(text: string | undefined): string {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? 'an unknown day' : `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
