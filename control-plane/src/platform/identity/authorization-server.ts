import { type Clock, isWithin } from '@watchpost/shared/clock';
import { Fault } from '@watchpost/shared/fault';
import type { Logger } from 'pino';
import { fetchJson } from './issuer-client.js';

/** However many ask, the provider is asked no more often. */
const KEPT_MS = 300_000;
const PAUSE_AFTER_FAILURE_MS = 10_000;

export interface MirrorOptions {
  issuer: string;
  clock: Clock;
  logger: Logger;
}

/**
 * Mirrors the metadata of an external identity provider (RFC 8414, else OpenID Connect Discovery), for clients that look
 * for them at the resource. While the provider is away, its last answer is used.
 * @returns a function that throws Fault `unavailable` where it never answered
 */
export function mirrorAuthorizationServer({ issuer, clock, logger }: MirrorOptions) {
  let last: { document: Record<string, unknown>; atMs: number } | undefined;
  let failedAtMs = -Infinity;
  let asking: Promise<void> | undefined;

  async function ask(): Promise<void> {
    try {
      last = { document: await fetchMetadata(issuer), atMs: clock.now() };
    } catch (error) {
      failedAtMs = clock.now();
      logger.warn({ err: error, issuer }, 'the metadata of the identity provider cannot be read');
    }
  }

  return async (): Promise<Record<string, unknown>> => {
    const nowMs = clock.now();
    const isOld = !last || !isWithin(KEPT_MS, nowMs, last.atMs);
    if (isOld && !isWithin(PAUSE_AFTER_FAILURE_MS, nowMs, failedAtMs)) {
      await (asking ??= ask().finally(() => {
        asking = undefined;
      }));
    }
    if (!last)
      throw new Fault('unavailable', 'The identity provider does not answer right now; try again shortly.', [], 10);
    return last.document;
  };
}

async function fetchMetadata(issuer: string): Promise<Record<string, unknown>> {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/+$/, '');
  const places = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`,
  ];
  const errors: unknown[] = [];
  for (const place of places) {
    try {
      const document = await fetchJson(place);
      if (document['issuer'] === issuer) return document;
      throw new Error(`${place} is of issuer ${JSON.stringify(document['issuer'])}`);
    } catch (error) {
      errors.push(error);
    }
  }
  throw new AggregateError(errors, 'neither metadata document could be read');
}
