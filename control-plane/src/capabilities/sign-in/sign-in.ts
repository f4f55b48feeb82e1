import type { Clock } from '@watchpost/shared/clock';
import { Fault } from '@watchpost/shared/fault';
import { MINUTE_MS } from '@watchpost/shared/time';
import { z } from 'zod';
import type { SecretBox } from '../../platform/db/secret-box.js';
import { type SignInClient, SignInRefused } from '../../platform/identity/sign-in-client.js';
import type { Users } from '../users/index.js';
import type { ConsoleSessions } from './sessions.js';

/** A person has so long to sign in at the provider. */
export const SIGN_IN_MS = 10 * MINUTE_MS;
const SEAL_CONTEXT = 'console_sign_in';
const MAX_COOKIE_LENGTH = 4_096;

const pendingSchema = z.strictObject({
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  returnTo: z.string(),
  begunMs: z.int(),
});

export interface SignInDeps {
  client: SignInClient;
  sessions: ConsoleSessions;
  users: Pick<Users, 'signIn'>;
  /** @throws Fault `member_suspended` */
  refuseSuspended(userId: string): Promise<void>;
  secretBox: SecretBox;
  clock: Clock;
}

/**
 * Begins a sign-in.
 * @returns where to send the browser, and the value of the cookie that binds the sign-in to it
 * @throws Fault `unavailable`
 */
export async function beginSignIn(
  { client, secretBox, clock }: SignInDeps,
  returnTo: string,
): Promise<{ location: string; cookie: string }> {
  const { location, pending } = await client.begin();
  const sealed = secretBox.seal(JSON.stringify({ ...pending, returnTo, begunMs: clock.now() }), SEAL_CONTEXT);
  return { location, cookie: sealed.toString('base64url') };
}

export interface SigningInBrowser {
  /** The value of the sign-in cookie. */
  signIn: string | undefined;
  /** The value of the session cookie, if it has one. */
  session: string | undefined;
  userAgent: string | null;
  remoteAddress: string | null;
}

/**
 * Ends a sign-in: finds or creates the user and begins a session, always a new one.
 * @param answer the parameters with which the provider sent the browser back
 * @returns the value of the session cookie, and the path to go to
 * @throws SignInRefused; Fault `unavailable`, `member_suspended`
 */
export async function finishSignIn(
  deps: SignInDeps,
  browser: SigningInBrowser,
  answer: URLSearchParams,
): Promise<{ cookie: string; returnTo: string }> {
  const { returnTo, ...pending } = openPending(deps, browser.signIn);
  const { askProfile, idToken, ...principal } = await deps.client.finish(pending, answer);
  const { userId } = await deps.users.signIn(principal, askProfile).catch((error: unknown) => {
    throw error instanceof Fault && error.code === 'not_invited'
      ? new SignInRefused('not_admitted', error.message)
      : error;
  });
  await deps.refuseSuspended(userId);
  const { userAgent, remoteAddress, session: former } = browser;
  return { cookie: await deps.sessions.open(userId, { userAgent, remoteAddress, idToken, former }), returnTo };
}

function openPending({ secretBox, clock }: SignInDeps, cookie: string | undefined) {
  const expired = () =>
    new SignInRefused('mismatch', 'This sign-in has expired, or it was started in another browser. Sign in again.');
  if (cookie === undefined || cookie.length > MAX_COOKIE_LENGTH) throw expired();
  let plain: string;
  try {
    plain = secretBox.open(Buffer.from(cookie, 'base64url'), SEAL_CONTEXT).toString('utf8');
  } catch {
    throw expired();
  }
  const { begunMs, ...pending } = pendingSchema.parse(JSON.parse(plain));
  if (clock.now() - begunMs >= SIGN_IN_MS) throw expired();
  return pending;
}
