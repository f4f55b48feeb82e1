import { CommandError } from '../command/command-error.js';
import { sendRequest } from '../http/send-request.js';
import type { Login } from '../settings/settings-store.js';

const DEADLINE_MS = 30_000;
/** Where a provider does not name how long its token lives. */
const DEFAULT_LIFE_SECONDS = 300;

export type Tokens = Pick<Login, 'accessToken' | 'expiresAt'> & { refreshToken: string | null };

/** An error of OAuth (RFC 6749 §5.2). */
export interface OAuthRefusal {
  error: string;
  /** Without a full stop. */
  description: string;
}

/** One request to a token endpoint. @throws ConnectionError; CommandError where the answer is not of OAuth */
export async function requestTokens(
  tokenEndpoint: string,
  fields: Readonly<Record<string, string>>,
): Promise<Tokens | OAuthRefusal> {
  const { body } = await postForm(tokenEndpoint, fields);
  if (typeof body['error'] === 'string') return refusalOf(body['error'], body['error_description']);
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: life } = body;
  if (typeof accessToken !== 'string' || accessToken === '') throw foreignAnswer(tokenEndpoint);
  const lifeSeconds = typeof life === 'number' && life > 0 ? life : DEFAULT_LIFE_SECONDS;
  return {
    accessToken,
    refreshToken: typeof refreshToken === 'string' ? refreshToken : null,
    expiresAt: Date.now() + lifeSeconds * 1_000,
  };
}

export async function postForm(
  endpoint: string,
  fields: Readonly<Record<string, string>>,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const { status, text } = await sendRequest({
    method: 'POST',
    url: new URL(endpoint),
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
    deadlineMs: DEADLINE_MS,
  });
  // The answer to a revocation has no content (RFC 7009 §2.2).
  if (text.trim() === '') return { status, body: {} };
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null) return { status, body: body as Record<string, unknown> };
  } catch {
    // Reported below.
  }
  throw foreignAnswer(endpoint);
}

export function refusalOf(error: string, description: unknown): OAuthRefusal {
  const sentence = typeof description === 'string' && description !== '' ? description : error;
  return { error, description: sentence.replace(/\.$/, '') };
}

function foreignAnswer(endpoint: string): CommandError {
  return new CommandError(`${endpoint} answered with nothing that an OpenID provider answers.`, {
    code: 'foreign_answer',
    nextStep: 'Check the provider, or use an API key (WATCHPOST_API_KEY).',
  });
}
