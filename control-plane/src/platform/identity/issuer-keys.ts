import type { Logger } from 'pino';
import { createLocalJWKSet, type JSONWebKeySet, type LocalJWKSet } from 'jose';
import { type Clock, isWithin } from '@watchpost/shared/clock';
import { Fault } from '@watchpost/shared/fault';
import { HOUR_MS } from '@watchpost/shared/time';
import { discoverIssuer, fetchKeySet, type IssuerEndpoints } from './issuer-client.js';

/** At most one fetch in this long, whatever comes in: strangers' tokens must not make us hammer the issuer. */
const FETCH_PAUSE_MS = 30_000;
/** Keys older than this are looked at again while the old ones serve on, so that a withdrawn key does not live for ever. */
const REFRESH_AFTER_MS = 600_000;
/** Keys that the issuer has not confirmed for so long are used no more: it may have withdrawn them. */
const DROP_AFTER_MS = HOUR_MS;

export interface IssuerKeys {
  /**
   * The keys in hand, which the issuer has published within the last hour.
   * @throws Fault `unavailable` while there are none and the issuer cannot be reached
   */
  current(): Promise<LocalJWKSet>;
  /**
   * Keys newer than `known`, for a token that none of those fits; null where it is too early to ask again.
   * @throws Fault `unavailable` where the issuer cannot be reached
   */
  newerThan(known: LocalJWKSet): Promise<LocalJWKSet | null>;
  endpoints(): IssuerEndpoints | null;
  /** Whether the last fetch succeeded, or none was needed yet. */
  isReachable(): boolean;
}

export interface IssuerKeysOptions {
  issuer: string;
  clock: Clock;
  logger: Logger;
  /** Called when the key set has changed: what was verified by the old one may no longer hold. */
  onChange?: () => void;
  onFetch?: (outcome: 'ok' | 'failed') => void;
}

/** The signing keys of an issuer, by discovery: cached, fetched on demand, one fetch at a time. */
export function createIssuerKeys({ issuer, clock, logger, onChange, onFetch }: IssuerKeysOptions): IssuerKeys {
  let keys: LocalJWKSet | null = null;
  let fingerprint = '';
  let endpoints: IssuerEndpoints | null = null;
  let startedAt = -Infinity;
  /** When the fetch began that the keys are of. */
  let confirmedAt = -Infinity;
  let lastFailed = false;
  let inFlight: Promise<void> | null = null;

  async function load(): Promise<void> {
    const beganAt = clock.now();
    try {
      endpoints = await discoverIssuer(issuer);
      const document = await fetchKeySet(endpoints.jwksUri);
      const next = JSON.stringify(document.keys);
      keys = createLocalJWKSet(document);
      if (fingerprint !== '' && fingerprint !== next) onChange?.();
      fingerprint = next;
      confirmedAt = beganAt;
      lastFailed = false;
      onFetch?.('ok');
    } catch (error) {
      lastFailed = true;
      onFetch?.('failed');
      logger.error({ err: error, issuer }, 'the keys of the OpenID provider cannot be fetched');
    }
  }

  /** Joins the fetch under way or starts one; null where the last one is too fresh. */
  function refresh(): Promise<void> | null {
    if (inFlight) return inFlight;
    if (isWithin(FETCH_PAUSE_MS, clock.now(), startedAt)) return null;
    startedAt = clock.now();
    inFlight = load().finally(() => {
      inFlight = null;
    });
    return inFlight;
  }

  function unreachable(): Fault {
    const waitMs = Math.max(1_000, startedAt + FETCH_PAUSE_MS - clock.now());
    return new Fault(
      'unavailable',
      'The OpenID provider cannot be reached to check the token; try again later.',
      [],
      Math.ceil(waitMs / 1000),
    );
  }

  return {
    async current() {
      const isUsable = () => keys !== null && isWithin(DROP_AFTER_MS, clock.now(), confirmedAt);
      if (!isUsable()) await refresh();
      else if (!isWithin(REFRESH_AFTER_MS, clock.now(), confirmedAt)) void refresh();
      if (!keys || !isUsable()) throw unreachable();
      return keys;
    },
    async newerThan(known) {
      if (keys && keys !== known) return keys;
      await refresh();
      if (lastFailed) throw unreachable();
      return keys !== known ? keys : null;
    },
    endpoints: () => endpoints,
    isReachable: () => !lastFailed,
  };
}

/** Keys and endpoints that are known for good: those of a provider in the same process. */
export function fixedKeys(document: JSONWebKeySet, endpoints: IssuerEndpoints): IssuerKeys {
  const keys = createLocalJWKSet(document);
  return {
    current: () => Promise.resolve(keys),
    newerThan: () => Promise.resolve(null),
    endpoints: () => endpoints,
    isReachable: () => true,
  };
}
