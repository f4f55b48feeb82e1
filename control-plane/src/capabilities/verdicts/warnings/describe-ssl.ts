import type { SslDetail } from '@watchpost/shared/outcome';
import type { Region } from '@watchpost/shared/region';
import type { SslResultView } from './ssl-schemas.js';

export interface CheckContext {
  checkedAtMs: number;
  region: Region;
  /** null where the check succeeded. */
  failureReason: string | null;
}

export type ShownSslDetail = Omit<SslDetail, 'ocsp'> & { ocsp?: unknown };

/** An SSL check as the API shows it; `detail` is null where the handshake failed before the certificate. */
export function describeSsl(
  detail: ShownSslDetail | null,
  { checkedAtMs, region, failureReason }: CheckContext,
): SslResultView {
  const context = { ...NO_CERTIFICATE, checkedAt: new Date(checkedAtMs).toISOString(), region, failureReason };
  if (detail === null) return context;
  const { kind: _kind, ocsp: _ocsp, isCut: _isCut, ...shown } = detail;
  return { ...context, ...shown };
}

/** The state before the first check. */
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
