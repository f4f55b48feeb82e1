import { newId } from '@watchpost/shared/id';
import type { Clock } from '@watchpost/shared/clock';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { SecretBox } from '../db/secret-box.js';
import type { CreateLimiter } from '../http/rate-limiter.js';
import { type Bus, LocalBus } from './bus.js';
import { createLocalLimiter, sharedLimiters } from './limiters.js';
import { RedisBus } from './redis-bus.js';
import { RedisConnection } from './redis-connection.js';
import { RedisCalls, type RemoteCalls } from './remote-calls.js';

/** What a process has in common with the others on its database. Nothing of it is needed for anything to be right. */
export interface Coordination {
  /** Of this process, made at its start. */
  readonly processId: string;
  readonly bus: Bus;
  /** null in a process that is alone. */
  readonly calls: RemoteCalls | null;
  readonly createLimiter: CreateLimiter;
  /** Whether Redis works; null in a process that has none. */
  readonly redisHealthy: (() => boolean) | null;
  close(): void;
}

/** A start does not wait longer than this for Redis, ms. */
const START_MS = 2_000;

/** Of a process that is alone on its database. */
export function localCoordination(clock: Clock): Coordination {
  return {
    processId: newId(clock.now()),
    bus: new LocalBus(),
    calls: null,
    createLimiter: createLocalLimiter,
    redisHealthy: null,
    close: () => undefined,
  };
}

/** @param installationId of the database: it separates the messages of several installations in one Redis */
export async function redisCoordination(options: {
  url: string;
  installationId: string;
  clock: Clock;
  logger: Logger;
  registry: Registry;
  /** Of the installation: seals what processes ask each other. */
  secretBox: SecretBox;
}): Promise<Coordination> {
  const { url, installationId, clock, logger, registry, secretBox } = options;
  const processId = newId(clock.now());
  const namespace = `watchpost:${installationId}`;
  const redis = new RedisConnection({ url, processId, namespace, logger, registry });
  const bus = new RedisBus(redis, processId);
  const calls = new RedisCalls(redis, processId, secretBox, clock);
  await redis.started(START_MS);
  return {
    processId,
    bus,
    calls,
    createLimiter: sharedLimiters(redis.commands, namespace),
    redisHealthy: () => redis.healthy,
    close: () => redis.close(),
  };
}
