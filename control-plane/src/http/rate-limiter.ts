import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** What is left of a caller's quota. */
export interface Quota {
  allowed: boolean;
  limit: number;
  windowSeconds: number;
  remaining: number;
  /** Seconds until the window starts anew. */
  resetSeconds: number;
}

/** Counts per key within windows of one minute. Behind this small face counts may be shared between processes. */
export interface RateLimiter {
  /** Takes one and says what is left. */
  take(key: string): Promise<Quota>;
}

const WINDOW_SECONDS = 60;

/** Counts kept in this process. */
export function memoryRateLimiter(points: number): RateLimiter {
  const limiter = new RateLimiterMemory({ points, duration: WINDOW_SECONDS });
  const quotaOf = (state: RateLimiterRes, allowed: boolean): Quota => ({
    allowed,
    limit: points,
    windowSeconds: WINDOW_SECONDS,
    remaining: Math.max(0, points - state.consumedPoints),
    resetSeconds: Math.max(0, Math.ceil(state.msBeforeNext / 1000)),
  });
  return {
    async take(key) {
      try {
        return quotaOf(await limiter.consume(key), true);
      } catch (refused) {
        if (refused instanceof RateLimiterRes) return quotaOf(refused, false);
        throw refused;
      }
    },
  };
}

/** The headers of draft-ietf-httpapi-ratelimit-headers, structured fields both. */
export function rateLimitHeaders(name: string, quota: Quota): Record<string, string> {
  return {
    'RateLimit-Policy': `"${name}";q=${quota.limit};w=${quota.windowSeconds}`,
    RateLimit: `"${name}";r=${quota.remaining};t=${quota.resetSeconds}`,
  };
}
