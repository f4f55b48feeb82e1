import { CommandError } from '../command/command-error.js';
import type { Credential } from '../http/api-client.js';
import type { Login, SettingsStore } from '../settings/settings-store.js';
import { requestTokens } from './request-tokens.js';

/** A token that ends sooner is renewed before it is used. */
const RENEW_BEFORE_MS = 60_000;

/** The credential of a sign-in that the settings have; it is renewed there, too. */
export function storedLogin(settings: SettingsStore, baseUrl: string): Credential {
  let current: Login | undefined;
  const read = async (): Promise<Login> => {
    const login = (await settings.read()).installations[baseUrl]?.login;
    if (!login) throw signedOut(baseUrl);
    return login;
  };
  /** Another process may have renewed it: a refresh token is good once. */
  const renew = (refused: Login): Promise<Login> =>
    settings.change(async ({ installations }) => {
      const installation = installations[baseUrl];
      if (!installation?.login) throw signedOut(baseUrl);
      if (installation.login.accessToken !== refused.accessToken) return installation.login;
      const renewed = await refresh(installation.login);
      installation.login = renewed;
      // Kept as null, so that the next command reports that nobody is signed in.
      if (!renewed) return refused;
      return renewed;
    });
  return {
    isApiKey: false,
    async token() {
      current ??= await read();
      if (current.expiresAt - Date.now() < RENEW_BEFORE_MS && current.refreshToken !== null) {
        current = await renew(current);
      }
      return current.accessToken;
    },
    async renew() {
      if (!current || current.refreshToken === null) return false;
      const former = current;
      current = await renew(former);
      return current.accessToken !== former.accessToken;
    },
  };
}

/** @returns null where the provider has ended the sign-in @throws CommandError where the provider cannot be asked */
async function refresh(login: Login): Promise<Login | null> {
  if (login.refreshToken === null) return null;
  const answer = await requestTokens(login.tokenEndpoint, {
    grant_type: 'refresh_token',
    client_id: login.clientId,
    refresh_token: login.refreshToken,
  });
  if ('error' in answer) {
    if (answer.error === 'invalid_grant') return null;
    throw new CommandError(`The sign-in could not be renewed: ${answer.description}.`, {
      code: answer.error,
      nextStep: 'Sign in again with `watchpost login`.',
    });
  }
  return { ...login, ...answer, refreshToken: answer.refreshToken ?? login.refreshToken };
}

function signedOut(baseUrl: string): CommandError {
  return new CommandError(`You are not signed in at ${baseUrl}.`, {
    code: 'signed_out',
    nextStep: 'Sign in with `watchpost login`.',
  });
}
