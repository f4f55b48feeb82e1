import type { HttpTarget } from '@watchpost/shared/checks/http';
import type { Deadline } from '../deadline.js';
import type { ProbeContext } from '../probe.js';
import { DigestSignIn } from './digest-sign-in.js';
import { OAuthSignIn } from './oauth-sign-in.js';
import type { SignIn } from './sign-in.js';
import type { TokenAnswer } from './token-answer.js';
import { tokenTarget } from './token-request.js';

/**
 * Makes the sign-in of one check; null: it has none, or one by a header that is always the same.
 * @param send sends one request, without redirects
 */
export function signInOf(
  target: HttpTarget,
  { tokens, now }: ProbeContext,
  deadline: Deadline,
  send: (target: HttpTarget) => Promise<TokenAnswer>,
): SignIn | null {
  const { auth } = target;
  if (auth?.type === 'digest') return new DigestSignIn(auth);
  if (auth?.type !== 'oauth2ClientCredentials') return null;
  const ask = (isInBody: boolean) => send(tokenTarget(auth, target, isInBody));
  return new OAuthSignIn(auth, { tokens, deadline, now, ask });
}
