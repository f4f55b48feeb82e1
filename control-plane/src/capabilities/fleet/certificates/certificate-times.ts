import { DAY_MS, HOUR_MS } from '@watchpost/shared/time';

export interface CertificateTimes {
  lifeMs: number;
  /** The validity begins this long before the certificate is issued, because the clocks of agents may be minutes off. */
  backdateMs: number;
  /** For how long an expired certificate can still be renewed, for agents that were off or cut off. */
  renewalGraceMs: number;
}

export const CERTIFICATE_TIMES: CertificateTimes = {
  lifeMs: 7 * DAY_MS,
  backdateMs: HOUR_MS,
  renewalGraceMs: 30 * DAY_MS,
};

/** A new authority signs agents' certificates after this time: by then every process knows it. */
export const AUTHORITY_SETTLE_MS = 5 * 60_000;
export const AUTHORITY_LIFE_MS = 20 * 365 * DAY_MS;
/** Agents renew after this part of a certificate's life. The rest bridges an outage of the control plane. */
export const RENEW_AFTER = 2 / 3;
