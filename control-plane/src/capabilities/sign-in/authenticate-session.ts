import { Fault } from '@watchpost/shared/fault';
import { SCOPES } from '../../platform/http/scopes.js';
import type { Caller } from '../../platform/identity/caller.js';
import type { ConsoleSessions, LiveSession } from './sessions.js';

/** A session may do whatever its user may: the role in the workspace limits it. */
const ALL_SCOPES: ReadonlySet<string> = new Set(Object.keys(SCOPES));

export function callerOfSession({ id, userId }: LiveSession): Caller {
  return { userId, credential: { type: 'session', id }, scopes: ALL_SCOPES };
}

/**
 * From the value of the session cookie to the caller.
 * @returns a function that throws Fault `invalid_token`, `member_suspended`
 */
export function createSessionAuthenticator(
  sessions: ConsoleSessions,
  refuseSuspended: (userId: string) => Promise<void>,
): (token: string, isUse: boolean) => Promise<Caller> {
  return async (token, isUse) => {
    const session = await sessions.find(token, isUse);
    if (!session) throw new Fault('invalid_token', 'Your session has ended; sign in again.');
    await refuseSuspended(session.userId);
    return callerOfSession(session);
  };
}
