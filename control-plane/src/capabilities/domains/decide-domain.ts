import { DAY_MS } from '@watchpost/shared/time';
import { CONFIRM_AFTER_MS, type DomainReading, QUERY_EVERY_MS } from './decide-reading.js';
import { holdsAmong } from './read-rdap.js';
import type { z } from 'zod';
import type { domainSettings } from '../monitors/index.js';

export const DOMAIN_STATES = ['ok', 'expiring', 'expired', 'held', 'notOffered', 'notFound', 'unreachable'] as const;
export type DomainState = (typeof DOMAIN_STATES)[number];

export interface DomainDecision {
  /** Null before the first answer, and once queries stay away. */
  state: DomainState | null;
  /** It is `unclear` where nothing is known. */
  signal: 'fine' | 'failing' | 'unclear';
  /** Since when it has failed; null where that is not known. */
  sinceMs: number | null;
  /** When to decide again if nothing is read; null: never. */
  decideAtMs: number | null;
  /** The smallest threshold that is reached, in days; null: none. */
  thresholdDays: number | null;
}

/** A reading counts until the next query is so late. */
const LATE_MS = 2 * QUERY_EVERY_MS;

/**
 * The state of a domain by the settings of one of its monitors.
 * @param reading null before the first query is planned
 */
export function decideDomain(reading: DomainReading | null, settings: DomainSettings, nowMs: number): DomainDecision {
  const staleMs = (reading?.nextQueryMs ?? -Infinity) + LATE_MS;
  const state = reading && nowMs < staleMs ? stateOf(reading, settings, nowMs) : null;
  const unknown = { state, signal: 'unclear', sinceMs: null, decideAtMs: null, thresholdDays: null } as const;
  if (reading === null || state === null || state === 'notOffered' || state === 'unreachable') return unknown;
  const { expiresMs, checkedMs, unconfirmedSinceMs } = reading;
  if (state === 'notFound') {
    const isConfirmed =
      unconfirmedSinceMs !== null && checkedMs !== null && checkedMs - unconfirmedSinceMs >= CONFIRM_AFTER_MS;
    if (!isConfirmed) return unknown;
    return { ...unknown, signal: 'failing', sinceMs: unconfirmedSinceMs, decideAtMs: staleMs };
  }
  const { expiryThresholdDays, incidentDays } = settings;
  const daysBefore = (days: number) => (expiresMs ?? Infinity) - days * DAY_MS;
  const moments = [...expiryThresholdDays, incidentDays, 0].map(daysBefore).filter((atMs) => atMs > nowMs);
  const reached = expiryThresholdDays.filter((days) => daysBefore(days) <= nowMs);
  return {
    state,
    signal: state === 'ok' ? 'fine' : 'failing',
    sinceMs: state === 'expired' ? expiresMs : null,
    decideAtMs: Math.min(staleMs, ...moments),
    thresholdDays: reached.length === 0 ? null : Math.min(...reached),
  };
}

function stateOf(reading: DomainReading, { incidentDays }: DomainSettings, nowMs: number): DomainState | null {
  const { state, expiresMs, statuses } = reading;
  if (state !== 'found') return state;
  if (holdsAmong(statuses).length > 0) return 'held';
  // A registry that names no expiry does not offer what is watched.
  if (expiresMs === null) return 'notOffered';
  if (expiresMs <= nowMs) return 'expired';
  return expiresMs - nowMs <= incidentDays * DAY_MS ? 'expiring' : 'ok';
}

export type DomainSettings = z.output<typeof domainSettings.schema>;
