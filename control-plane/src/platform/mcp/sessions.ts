import type { Clock } from '@watchpost/shared/clock';
import { newId } from '@watchpost/shared/id';
import { DAY_MS } from '@watchpost/shared/time';
import { z } from 'zod';
import type { Database } from '../db/database.js';
import { endedSessionStore } from './ended-session-store.js';

const SEAL_CONTEXT = 'mcp_session';
const LIFETIME_MS = 30 * DAY_MS;
/** Ended sessions that are remembered; of more, the oldest come back to life, which does no harm: they are no credentials. */
const MOST_ENDED = 100_000;
/** No session of ours has a longer id. */
const MAX_ID_LENGTH = 1_000;

const contents = z.strictObject({
  id: z.uuid(),
  startedMs: z.int(),
  version: z.string(),
  client: z.string().nullable(),
});

/** What `initialize` agreed on. */
export type Session = z.output<typeof contents>;

export interface SessionDeps {
  db: Database;
  clock: Clock;
  /** Shared by all processes: what one seals, the others open. */
  secretBox: { seal(plain: string, context: string): Buffer; open(sealed: Buffer, context: string): Buffer };
}

/**
 * Sessions that live in their own id, sealed: good on every process that has the service's encryption key, and after
 * a restart. A session is no credential: it contains the name that the client claims and its protocol version, and every
 * call brings its own token. Only that one was ended is kept, until it would have expired.
 */
export class Sessions {
  constructor(private readonly deps: SessionDeps) {}

  /** @returns the session's id, visible ASCII as `Mcp-Session-Id` wants it */
  open(version: string, client: string | null): string {
    const startedMs = this.deps.clock.now();
    const session: Session = { id: newId(startedMs), startedMs, version, client };
    return this.deps.secretBox.seal(JSON.stringify(session), SEAL_CONTEXT).toString('base64url');
  }

  /** @returns undefined for one that is unknown, expired or was ended */
  async find(sealedId: string): Promise<Session | undefined> {
    const session = this.#read(sealedId);
    if (!session) return undefined;
    const isEnded = await this.deps.db.read((tx) => endedSessionStore.has(tx, session.id));
    return isEnded ? undefined : session;
  }

  /** @returns the session; undefined where there was none to end */
  async end(sealedId: string): Promise<Session | undefined> {
    const session = this.#read(sealedId);
    if (!session) return undefined;
    const expires = new Date(session.startedMs + LIFETIME_MS);
    const isNew = await this.deps.db.transaction((tx) => endedSessionStore.insert(tx, session.id, expires));
    return isNew ? session : undefined;
  }

  /** To be run now and then. */
  async purge(): Promise<void> {
    const now = new Date(this.deps.clock.now());
    await this.deps.db.transaction((tx) => endedSessionStore.purge(tx, now, MOST_ENDED));
  }

  #read(sealedId: string): Session | undefined {
    if (sealedId.length > MAX_ID_LENGTH || !/^[\w-]+$/.test(sealedId)) return undefined;
    let plain: string;
    try {
      plain = this.deps.secretBox.open(Buffer.from(sealedId, 'base64url'), SEAL_CONTEXT).toString('utf8');
    } catch {
      return undefined;
    }
    const session = contents.parse(JSON.parse(plain));
    return session.startedMs + LIFETIME_MS > this.deps.clock.now() ? session : undefined;
  }
}
