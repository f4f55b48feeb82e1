import type { SslDetail } from '@watchpost/shared/outcome';
import type { Region } from '@watchpost/shared/region';
import type { SslResultView } from './ssl-schemas.js';

export interface CheckContext {
  checkedAtMs: number;
  region: Region;
  /** null where the check was fine. */
  failureReason: string | null;
}

/** What of a detail is shown; the rest may be there. */
export type ShownSslDetail = Omit<SslDetail, 'ocsp'> & { ocsp?: unknown };

/** What callers see of an SSL check; `detail` is null where the handshake never got as far as a certificate. */
export function describeSsl(
  detail: ShownSslDetail | null,
  { checkedAtMs, region, failureReason }: CheckContext,
): SslResultView {
  const seen = { ...NO_CERTIFICATE, checkedAt: new Date(checkedAtMs).toISOString(), region, failureReason };
  if (detail === null) return seen;
  const { kind: _kind, ocsp: _ocsp, isCut: _isCut, ...shown } = detail;
  return { ...seen, ...shown };
}

/** What is known before the first check: nothing. */
export const NO_CERTIFICATE: SslResultView = {
  checkedAt: null,
  isValid: null,
  daysUntilExpiry: null,
  subject: null,
  issuer: null,
  subjectAltNames: null,
  serialNumber: null,
  validFrom: null,
  validTo: null,
  fingerprint256: null,
  keyType: null,
  keyBits: null,
  signatureAlgorithm: null,
  protocol: null,
  cipher: null,
  chain: null,
  chainTrusted: null,
  hostnameMatches: null,
  ocspStapled: null,
  failureReason: null,
  region: null,
};
