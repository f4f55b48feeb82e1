import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError } from '../command/command-error.js';
import { ConnectionError } from '../http/connection-error.js';
import type { Provider } from './discover-provider.js';
import { type OAuthRefusal, postForm, refusalOf, requestTokens, type Tokens } from './request-tokens.js';

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
/** RFC 8628 §3.2 */
const DEFAULT_INTERVAL_SECONDS = 5;
const SLOW_DOWN_SECONDS = 5;
const LONGEST_INTERVAL_SECONDS = 60;
const LONGEST_LIFE_SECONDS = 1_800;

/** What the person enters in a browser, on any device. */
export interface DeviceCode {
  deviceCode: string;
  userCode: string;
  verificationUri: string;
  /** The same with the code filled in; null where the provider has none. */
  completeUri: string | null;
  lifeSeconds: number;
  intervalSeconds: number;
}

export interface DeviceRequest {
  clientId: string;
  scope: string;
  /** A parameter that some providers need in order to issue tokens for an API. */
  audience: string | undefined;
}

/** Asks for a code (RFC 8628 §3.1). @throws CommandError with the reason of the provider */
export async function requestDeviceCode(provider: Provider, request: DeviceRequest): Promise<DeviceCode> {
  const { body } = await postForm(provider.deviceEndpoint, {
    client_id: request.clientId,
    scope: request.scope,
    ...(request.audience === undefined ? {} : { audience: request.audience }),
  });
  const { device_code: deviceCode, user_code: userCode, verification_uri: verificationUri } = body;
  if (typeof deviceCode !== 'string' || typeof userCode !== 'string' || typeof verificationUri !== 'string') {
    const { error, description } = refusalOf(
      typeof body['error'] === 'string' ? body['error'] : 'no code',
      body['error_description'],
    );
    throw new CommandError(`The OpenID provider ${provider.issuer} gives no code: ${description}.`, {
      code: error.replaceAll(' ', '_'),
      nextStep:
        'Name a client of yours that may use the device flow with `--client-id`, and its scopes with `--scope`.',
    });
  }
  const complete = body['verification_uri_complete'];
  return {
    deviceCode,
    userCode,
    verificationUri,
    completeUri: typeof complete === 'string' ? complete : null,
    lifeSeconds: Math.min(numberOf(body['expires_in'], LONGEST_LIFE_SECONDS), LONGEST_LIFE_SECONDS),
    intervalSeconds: Math.min(numberOf(body['interval'], DEFAULT_INTERVAL_SECONDS), LONGEST_INTERVAL_SECONDS),
  };
}

/** Polls until the person has answered (RFC 8628 §3.5). @throws CommandError where they refuse or the code expires */
export async function awaitTokens(provider: Provider, clientId: string, code: DeviceCode): Promise<Tokens> {
  const deadline = Date.now() + code.lifeSeconds * 1_000;
  let intervalSeconds = code.intervalSeconds;
  while (Date.now() < deadline) {
    await sleep(intervalSeconds * 1_000);
    const answer = await poll(provider, clientId, code.deviceCode);
    if (!('error' in answer)) return answer;
    if (answer.error === 'slow_down') intervalSeconds += SLOW_DOWN_SECONDS;
    else if (answer.error !== 'authorization_pending') throw ended(answer);
  }
  throw ended({ error: 'expired_token', description: '' });
}

/** A request without an answer is repeated at the next turn. */
async function poll(provider: Provider, clientId: string, deviceCode: string): Promise<Tokens | OAuthRefusal> {
  const fields = { grant_type: GRANT, client_id: clientId, device_code: deviceCode };
  try {
    return await requestTokens(provider.tokenEndpoint, fields);
  } catch (error) {
    if (error instanceof ConnectionError) return { error: 'slow_down', description: '' };
    throw error;
  }
}

function ended({ error, description }: OAuthRefusal): CommandError {
  const message =
    error === 'access_denied'
      ? 'The sign-in was refused in the browser.'
      : error === 'expired_token'
        ? 'The code has expired before it was entered.'
        : `The sign-in failed: ${description}.`;
  return new CommandError(message, { code: error, nextStep: 'Start again with `watchpost login`.' });
}

function numberOf(value: unknown, otherwise: number): number {
  return typeof value === 'number' && value > 0 ? value : otherwise;
}
