export interface Quota {
  allowed: boolean;
  limit: number;
  windowSeconds: number;
  remaining: number;
  /** Seconds until the window starts anew. */
  resetSeconds: number;
}

/** Counts per key within windows that begin with a key's first call. Behind this small face counts may be shared between processes. */
export interface RateLimiter {
  /** Counts a call and returns what is left. Never throws: where the shared counts are out of reach this process counts by itself. */
  take(key: string): Promise<Quota>;
}

export interface LimiterPolicy {
  /** Separates the counts of one limiter from those of another. */
  keyPrefix: string;
  /** Calls a window and key. */
  points: number;
  windowSeconds: number;
}

export type CreateLimiter = (policy: LimiterPolicy) => RateLimiter;

/** The headers of draft-ietf-httpapi-ratelimit-headers, structured fields both. */
export function rateLimitHeaders(name: string, quota: Quota): Record<string, string> {
  return {
    'RateLimit-Policy': `"${name}";q=${quota.limit};w=${quota.windowSeconds}`,
    RateLimit: `"${name}";r=${quota.remaining};t=${quota.resetSeconds}`,
  };
}
