import type { Clock } from '@watchpost/shared/clock';
import { notFound } from '@watchpost/shared/fault';
import { newId } from '@watchpost/shared/id';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@watchpost/shared/time';
import { hashToken, makeToken } from '../../platform/identity/secret-token.js';
import type { Database, ListPage, Rows } from '../../platform/db/database.js';
import type { SealedColumn } from '../../platform/db/sealed-column.js';
import type { SecretBox } from '../../platform/db/secret-box.js';
import { anySessionStore, type Moment, type SessionRow, sessionStore } from './session-store.js';

/** However it is used, a session ends after this time. */
export const SESSION_LIFE_MS = 30 * DAY_MS;
/** Unused for so long, it ends too. */
export const SESSION_IDLE_MS = 12 * HOUR_MS;
/** Of one user; a further sign-in ends the one that was not used for longest. */
export const MAX_SESSIONS = 50;

const TOKEN = /^[\w-]{43}$/;
const MAX_USER_AGENT = 400;
/** A longer ID token is not kept: the provider then asks the person before it signs them out. */
const MAX_ID_TOKEN = 6_000;
const PURGE_BATCH = 1_000;

const contextOf = (sessionId: string) => `console_session:${sessionId}`;
export const SEALED_ID_TOKEN: SealedColumn = {
  table: 'console_session',
  column: 'id_token',
  reads: ['id'],
  context: ({ id }) => contextOf(id!),
};

export interface LiveSession {
  id: string;
  userId: string;
}

export interface SessionDeps {
  db: Database;
  clock: Clock;
  secretBox: SecretBox;
}

/**
 * Who is signed in to the console. Each request reads its session from the database, so that its end, and that of its
 * user, holds in all processes at once.
 */
export class ConsoleSessions {
  constructor(private readonly deps: SessionDeps) {}

  /**
   * Begins a session of a user who has just signed in.
   * @param browser `former`: the cookie that the browser had before; that session ends
   * @returns the value of the cookie, which is not stored
   */
  async open(
    userId: string,
    browser: { userAgent: string | null; remoteAddress: string | null; idToken: string; former: string | undefined },
  ): Promise<string> {
    const { db, clock, secretBox } = this.deps;
    const token = makeToken();
    const nowMs = clock.now();
    const id = newId(nowMs);
    await db.transaction(async (tx) => {
      const former = hashOf(browser.former);
      if (former) await anySessionStore.deleteByToken(tx, former);
      await sessionStore.makeRoom(userId, tx, MAX_SESSIONS - 1);
      await sessionStore.insert(userId, tx, {
        id,
        tokenHash: hashToken(token),
        created: new Date(nowMs),
        lastSeen: new Date(nowMs),
        expires: new Date(nowMs + SESSION_LIFE_MS),
        userAgent: browser.userAgent?.slice(0, MAX_USER_AGENT) ?? null,
        remoteAddress: browser.remoteAddress,
        idToken: browser.idToken.length > MAX_ID_TOKEN ? null : secretBox.seal(browser.idToken, contextOf(id)),
      });
    });
    return token;
  }

  /**
   * The session of a cookie. Null for one that is unknown, has ended or expired.
   * @param isUse whether the session counts as used
   */
  async find(token: string, isUse = true): Promise<LiveSession | null> {
    const { db, clock } = this.deps;
    const hash = hashOf(token);
    if (!hash) return null;
    return db.read(async (tx) => {
      const nowMs = clock.now();
      const found = await anySessionStore.findLive(tx, hash, momentOf(nowMs));
      if (!found) return null;
      const minute = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS;
      if (isUse && found.lastSeen.getTime() < minute)
        await sessionStore.touch(found.userId, tx, found.id, new Date(minute));
      return { id: found.id, userId: found.userId };
    });
  }

  /** Ends the session of a cookie. @returns its user and ID token; null where there was none */
  async endByToken(token: string): Promise<{ userId: string; idToken: string | null } | null> {
    const hash = hashOf(token);
    const ended = hash && (await this.deps.db.transaction((tx) => anySessionStore.deleteByToken(tx, hash)));
    if (!ended) return null;
    return { userId: ended.userId, idToken: ended.idToken && this.openIdToken(ended.id, ended.idToken) };
  }

  /** @throws Fault `not_found` also for a session of another user, `precondition_failed` */
  async end(userId: string, id: string, checkPrecondition: (current: object) => void = () => {}): Promise<void> {
    await this.deps.db.transaction(async (tx) => {
      if (!(await sessionStore.delete(userId, tx, id))) throw notFound('session');
      checkPrecondition({ id });
    });
  }

  /** @returns how many sessions there were. @throws Fault `precondition_failed` */
  async endAll(userId: string, checkPrecondition: (current: object) => void = () => {}): Promise<number> {
    return this.deps.db.transaction(async (tx) => {
      const ended = await sessionStore.deleteAll(userId, tx);
      if (ended > 0) checkPrecondition({ sessions: ended });
      return ended;
    });
  }

  /** The live sessions of a user, the one that was used last first. */
  async list(userId: string, page: Rows): Promise<ListPage<SessionRow & { endsAtMs: number }>> {
    const moment = momentOf(this.deps.clock.now());
    const { items: rows, total } = await this.deps.db.read((tx) => sessionStore.page(userId, tx, moment, page));
    const items = rows.map((row) => ({
      ...row,
      endsAtMs: endOf({ expires: row.expires, lastSeenMs: row.lastSeen.getTime() }),
    }));
    return { items, total };
  }

  async countLive(): Promise<number> {
    return this.deps.db.read((tx) => anySessionStore.countLive(tx, momentOf(this.deps.clock.now())));
  }

  /** Deletes sessions whose time is over. */
  async purge(): Promise<void> {
    const moment = momentOf(this.deps.clock.now());
    while ((await this.deps.db.transaction((tx) => anySessionStore.purge(tx, moment, PURGE_BATCH))) === PURGE_BATCH);
  }

  /** Null where the encryption key is no longer among the keys: the session ends all the same. */
  private openIdToken(sessionId: string, sealed: Buffer): string | null {
    try {
      return this.deps.secretBox.open(sealed, contextOf(sessionId)).toString('utf8');
    } catch {
      return null;
    }
  }
}

function momentOf(nowMs: number): Moment {
  return { now: new Date(nowMs), seenSince: new Date(nowMs - SESSION_IDLE_MS) };
}

function endOf({ expires, lastSeenMs }: { expires: Date; lastSeenMs: number }): number {
  return Math.min(expires.getTime(), lastSeenMs + SESSION_IDLE_MS);
}

/** Undefined for what cannot be a token. */
function hashOf(token: string | undefined): Buffer | undefined {
  return token !== undefined && TOKEN.test(token) ? hashToken(token) : undefined;
}
