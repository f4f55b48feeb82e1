import { findWorkspaceId } from '../account/find-workspace.js';
import type { Environment } from '../config.js';
import { ApiClient, heldToken } from '../http/api-client.js';
import { storedLogin } from '../login/stored-login.js';
import type { Terminal } from '../output/terminal.js';
import type { SettingsStore } from '../settings/settings-store.js';
import { chooseBaseUrl, isExposed } from './choose-url.js';
import type { GlobalOptions } from './command-context.js';
import { CommandError } from './command-error.js';

/** Chooses installation, caller and workspace: an option before the environment, the environment before the settings. */
export async function connect(
  { url, workspace }: GlobalOptions,
  environment: Environment,
  settings: SettingsStore,
  terminal: Terminal,
): Promise<ApiClient> {
  const kept = await settings.read();
  const baseUrl = chooseBaseUrl(url, environment, kept);
  if (isExposed(baseUrl))
    terminal.report(`Warning: ${baseUrl} is not encrypted, so others on the way can read your credentials.`);
  const installation = kept.installations[baseUrl];
  const { apiKey } = environment;
  const credential =
    apiKey === undefined ? installation?.login && storedLogin(settings, baseUrl) : heldToken(apiKey, true);
  if (!credential) {
    throw new CommandError(`You are not signed in at ${baseUrl}.`, {
      code: 'signed_out',
      nextStep: 'Sign in with `watchpost login`, or set WATCHPOST_API_KEY.',
    });
  }
  const api = new ApiClient({ baseUrl, credential });
  // A key has one workspace; the one that was kept belongs to the sign-in.
  const keptWorkspace = credential.isApiKey ? undefined : installation?.workspaceId;
  const named = workspace ?? environment.workspace ?? keptWorkspace ?? undefined;
  return named === undefined ? api : api.in(await findWorkspaceId(api, named));
}
