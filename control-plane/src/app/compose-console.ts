import type { Middleware } from 'koa';
import {
  type BuiltConsole,
  callerOfSession,
  consoleCookies,
  consoleMetrics,
  consoleMiddleware,
} from '../capabilities/sign-in/index.js';
import type { SuspendedUsers } from '../capabilities/users/index.js';
import { createLocalLimiter } from '../platform/coordination/limiters.js';
import type { Identity } from './compose-identity.js';
import type { ControlPlane } from './compose.js';
import type { Platform } from './platform.js';

/** Sign-ins that one address begins and ends in a minute: an office behind one address in the morning. */
const SIGN_INS_PER_MINUTE = 240;
/** Pages that a user opens in a minute; within the console no page is loaded anew. */
const PAGES_PER_MINUTE = 120;

export interface ConsoleParts {
  platform: Platform;
  plane: ControlPlane;
  identity: Pick<Identity, 'issuer' | 'signInClient' | 'middleware'>;
  suspended: SuspendedUsers;
  version: string;
  baseUrl: string;
  /** null where the console was not built. */
  built: BuiltConsole | null;
}

export function composeConsole(parts: ConsoleParts): Middleware {
  const { platform, plane, identity, suspended, version, baseUrl, built } = parts;
  const { config, db, clock, registry, secretBox, coordination } = platform;
  const { users, consoleSessions: sessions, overview, routes } = plane;
  const createLimiter = coordination?.createLimiter ?? createLocalLimiter;
  const client = identity.signInClient;
  const links = { version, hasMailbox: routes.some(({ path }) => path === '/mailbox') };
  return consoleMiddleware({
    baseUrl,
    issuer: identity.issuer,
    cookies: consoleCookies(baseUrl),
    sessions,
    signIn: client && {
      client,
      sessions,
      users,
      refuseSuspended: (userId) => suspended.refuse(userId),
      secretBox,
      clock,
    },
    limiter: createLimiter({ keyPrefix: 'console-sign-in', points: SIGN_INS_PER_MINUTE, windowSeconds: 60 }),
    metrics: consoleMetrics(registry, () => sessions.countLive()),
    pageLimiter: createLimiter({ keyPrefix: 'console-page', points: PAGES_PER_MINUTE, windowSeconds: 60 }),
    links,
    built,
    first: {
      db,
      clock,
      version,
      overview,
      mayCreateWorkspaces: config.createWorkspaces === 'everyone',
      isLocal: config.oidc === null,
      roleClaim: config.roleClaim,
      retentionDays: config.retentionRawDays,
      secretBox,
      baseUrl,
    },
    async admit(session) {
      await suspended.refuse(session.userId);
      return callerOfSession(session);
    },
  });
}
