import { DAY_MS, HOUR_MS } from '@watchpost/shared/time';

/** How long certificates hold, ms. */
export interface CertificateTimes {
  lifeMs: number;
  /** A certificate is valid since so long before it was made: the clocks of agents are minutes off. */
  backdateMs: number;
  /** An agent that was switched off, or cut off, for longer than `lifeMs` can still renew for so long. */
  renewalGraceMs: number;
}

export const CERTIFICATE_TIMES: CertificateTimes = {
  lifeMs: 7 * DAY_MS,
  backdateMs: HOUR_MS,
  renewalGraceMs: 30 * DAY_MS,
};

/** So long after it was made, an authority signs for agents: every process has learned of it by then. */
export const AUTHORITY_SETTLE_MS = 5 * 60_000;
export const AUTHORITY_LIFE_MS = 20 * 365 * DAY_MS;
/** Renewal comes after two thirds of a life: what is left is the time for an outage of the control plane. */
export const RENEW_AFTER = 2 / 3;
