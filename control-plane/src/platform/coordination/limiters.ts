import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import type { CreateLimiter, LimiterPolicy, Quota, RateLimiter } from '../http/rate-limiter.js';

/** Counts kept in this process. */
export const createLocalLimiter: CreateLimiter = (policy) => limiterOn(memoryOf(policy), policy);

/**
 * Counts kept in Redis, which all processes share. While Redis is away each process counts by itself: a caller may then
 * do as much on each of them, and nobody is turned away for it.
 * @param namespace starts every key
 */
export function sharedLimiters(redis: Redis, namespace: string): CreateLimiter {
  return (policy) => {
    const shared = new RateLimiterRedis({
      storeClient: redis,
      keyPrefix: `${namespace}:limit:${policy.keyPrefix}`,
      points: policy.points,
      duration: policy.windowSeconds,
      // A connection that is being made again is asked nothing: the answer would only come late.
      rejectIfRedisNotReady: true,
      insuranceLimiter: memoryOf(policy),
    });
    return limiterOn(shared, policy);
  };
}

function memoryOf({ keyPrefix, points, windowSeconds }: LimiterPolicy): RateLimiterMemory {
  return new RateLimiterMemory({ keyPrefix, points, duration: windowSeconds });
}

function limiterOn(counts: RateLimiterAbstract, { points, windowSeconds }: LimiterPolicy): RateLimiter {
  const quotaOf = (state: RateLimiterRes, allowed: boolean): Quota => ({
    allowed,
    limit: points,
    windowSeconds,
    remaining: Math.max(0, points - state.consumedPoints),
    resetSeconds: Math.max(0, Math.ceil(state.msBeforeNext / 1000)),
  });
  return {
    async take(key) {
      try {
        return quotaOf(await counts.consume(key), true);
      } catch (refused) {
        if (refused instanceof RateLimiterRes) return quotaOf(refused, false);
        throw refused;
      }
    },
  };
}
