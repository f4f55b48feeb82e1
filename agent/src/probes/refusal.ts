import type { TLSSocket } from 'node:tls';

/** Why certificates were refused in a handshake. */
export interface Refusal {
  /** OpenSSL's verification code as Node names it, or ERR_TLS_CERT_ALTNAME_INVALID for a wrong host. */
  code: string;
  why: string;
}

/** Names of Node for faults that have no sentence of their own. The texts of OpenSSL differ from version to version. */
const WORDS: Readonly<Record<string, string>> = {
  CERT_CHAIN_TOO_LONG: 'its chain is too long',
  CERT_REJECTED: 'its authority is not meant for servers',
  CERT_REVOKED: 'it was revoked',
  CERT_SIGNATURE_FAILURE: 'a signature in its chain is wrong',
  ERROR_IN_CERT_NOT_AFTER_FIELD: 'the date of its end, or of one in its chain, is invalid',
  ERROR_IN_CERT_NOT_BEFORE_FIELD: 'the date of its beginning, or of one in its chain, is invalid',
  INVALID_CA: 'a certificate in its chain must not issue others',
  INVALID_PURPOSE: 'it, or one in its chain, is not meant for servers',
  PATH_LENGTH_EXCEEDED: 'its chain is longer than one of its authorities allows',
  UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY: 'the key of its issuer cannot be read',
  UNABLE_TO_DECRYPT_CERT_SIGNATURE: 'a signature in its chain cannot be read',
};

/** OpenSSL's refusal of the certificates of a connection, or that of its host name; null if they were accepted. */
export function refusalOf(socket: TLSSocket): Refusal | null {
  if (socket.authorized) return null;
  const code = String(socket.authorizationError);
  return { code, why: WORDS[code] ?? textOf(socket) ?? code };
}

export function refusalBy(code: keyof typeof WORDS): Refusal {
  return { code, why: WORDS[code]! };
}

/** OpenSSL's own text. Node calls faults that it has no name for `UNSPECIFIED`, and makes only that name public. */
function textOf(socket: TLSSocket): string | undefined {
  const { _handle: handle } = socket as unknown as { _handle?: { verifyError?(): Error | null | undefined } };
  return handle?.verifyError?.()?.message;
}
