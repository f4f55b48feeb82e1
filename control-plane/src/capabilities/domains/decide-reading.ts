import { HOUR_MS } from '@watchpost/shared/time';

/** What a registry knows of a domain. */
export type FoundState = 'found' | 'notOffered' | 'notFound' | 'unreachable';

export type RegistryAnswer =
  | {
      kind: 'found';
      /** Null where the registry names none, or none that is a date. */
      expiresMs: number | null;
      registrar: string | null;
      /** In the words of RDAP (RFC 8056). */
      statuses: string[];
      nameServers: string[];
      source: string;
    }
  | { kind: 'notFound'; source: string }
  /** The registry has no RDAP service. */
  | { kind: 'notOffered' }
  | { kind: 'unreachable'; source: string; retryAfterMs?: number | undefined };

/** A domain as it is known. Moments in ms since the epoch. */
export interface DomainReading {
  /** Null before the first answer. */
  state: FoundState | null;
  expiresMs: number | null;
  registrar: string | null;
  statuses: string[];
  nameServers: string[];
  source: string | null;
  checkedMs: number | null;
  nextQueryMs: number;
  /** When `notFound`, or an expiry that moved back, was first read; null where nothing waits for a second reading. */
  unconfirmedSinceMs: number | null;
  /** Until when the server asks not to be queried, for any of its domains. */
  heldUntilMs: number | null;
}

/** A domain is queried at most once in this time … */
export const QUERY_EVERY_MS = 12 * HOUR_MS;
/** … but for a second reading of what would alarm. */
export const CONFIRM_AFTER_MS = 6 * HOUR_MS;

/**
 * The domain after an answer. What is known stays while the server is out of reach or the domain is not found. An expiry
 * that moves back is taken over by a second reading.
 */
export function decideReading(before: DomainReading, answer: RegistryAnswer, nowMs: number): DomainReading {
  const asked = { ...before, checkedMs: nowMs, nextQueryMs: nowMs + QUERY_EVERY_MS, heldUntilMs: null };
  const confirmMs = nowMs + CONFIRM_AFTER_MS;
  const sinceMs = before.unconfirmedSinceMs;
  switch (answer.kind) {
    case 'unreachable': {
      const { source, retryAfterMs } = answer;
      const heldUntilMs = retryAfterMs === undefined ? null : nowMs + retryAfterMs;
      const nextQueryMs = Math.max(asked.nextQueryMs, heldUntilMs ?? 0);
      return { ...asked, state: 'unreachable', source, heldUntilMs, nextQueryMs, unconfirmedSinceMs: null };
    }
    case 'notOffered':
      return { ...asked, ...NOTHING, state: 'notOffered' };
    case 'notFound': {
      const wasNotFound = before.state === 'notFound' && sinceMs !== null;
      const isConfirmed = wasNotFound && nowMs - sinceMs >= CONFIRM_AFTER_MS;
      const { source } = answer;
      return {
        ...asked,
        state: 'notFound',
        source,
        unconfirmedSinceMs: wasNotFound ? sinceMs : nowMs,
        nextQueryMs: isConfirmed ? asked.nextQueryMs : confirmMs,
      };
    }
    case 'found': {
      const { kind: _, ...found } = answer;
      const read = { ...asked, ...found, state: 'found' as const, unconfirmedSinceMs: null };
      const movedBack = before.expiresMs !== null && found.expiresMs !== null && found.expiresMs < before.expiresMs;
      if (!movedBack) return read;
      const waitsMs = before.state === 'found' ? sinceMs : null;
      if (waitsMs !== null && nowMs - waitsMs >= CONFIRM_AFTER_MS) return read;
      return { ...read, expiresMs: before.expiresMs, unconfirmedSinceMs: waitsMs ?? nowMs, nextQueryMs: confirmMs };
    }
  }
}

const NOTHING = {
  expiresMs: null,
  registrar: null,
  statuses: [],
  nameServers: [],
  source: null,
  unconfirmedSinceMs: null,
};
