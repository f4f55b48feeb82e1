import type { Command } from 'commander';
import { cleanLine } from '@watchpost/shared/clean-line';
import type { User } from '@watchpost/control-plane/capabilities/users/user-schemas';
import { findWorkspaceId } from '../account/find-workspace.js';
import { chooseBaseUrl, isExposed } from '../command/choose-url.js';
import { type CommandContext, printResult } from '../command/command-context.js';
import { CommandError } from '../command/command-error.js';
import type { Bind } from '../command/run-command.js';
import { ApiClient, heldToken } from '../http/api-client.js';
import type { Login } from '../settings/settings-store.js';
import { awaitTokens, requestDeviceCode } from './device-flow.js';
import { discoverProvider } from './discover-provider.js';
import { postForm } from './request-tokens.js';

/** The client of the embedded provider for programs like this one. */
const DEFAULT_CLIENT_ID = 'watchpost-cli';

interface LoginOptions {
  clientId: string;
  scope?: string;
  audience?: string;
}

export function addLoginCommands(program: Command, bind: Bind): void {
  program
    .command('login')
    .description('sign in by a code that you enter in a browser; `--url` and `--workspace` are kept')
    .option('--client-id <id>', 'the client at your OpenID provider', DEFAULT_CLIENT_ID)
    .option('--scope <scopes>', 'scopes to ask for (default: all of Watchpost that the provider knows)')
    .option('--audience <audience>', 'the audience to ask for, if your provider needs it')
    .action(bind(login));
  program.command('logout').description('end the sign-in, and remove its tokens').action(bind(logout));
}

async function login(context: CommandContext, _: readonly string[], options: LoginOptions): Promise<void> {
  const { terminal, settings, environment } = context;
  const baseUrl = chooseBaseUrl(context.options.url, environment, await settings.read());
  if (isExposed(baseUrl)) {
    throw new CommandError(`${baseUrl} is not encrypted, so that tokens could be read on the way.`, {
      code: 'not_encrypted',
      nextStep: 'Name an address that begins with https://.',
    });
  }
  const provider = await terminal.whileShowing('Looking for the OpenID provider', discoverProvider(baseUrl));
  const { clientId, audience, scope = provider.scopes.join(' ') } = options;
  const code = await requestDeviceCode(provider, { clientId, scope, audience });
  const url = cleanLine(code.completeUri ?? code.verificationUri, 2_000);
  terminal.report(`Open  ${terminal.paintReport('bold', url)}`);
  terminal.report(`and compare or enter the code  ${terminal.paintReport('bold', cleanLine(code.userCode))}`);
  const tokens = await terminal.whileShowing('Waiting for the browser', awaitTokens(provider, clientId, code));
  const { issuer, tokenEndpoint, revocationEndpoint } = provider;
  const login: Login = { issuer, clientId, tokenEndpoint, revocationEndpoint, ...tokens };

  const api = new ApiClient({ baseUrl, credential: heldToken(tokens.accessToken) });
  const user = await api.get<User>('/api/v1/user', 'id');
  const named = context.options.workspace ?? environment.workspace;
  const workspaceId = named === undefined ? null : await findWorkspaceId(api, named);
  await settings.change((kept) => {
    kept.url = baseUrl;
    kept.installations[baseUrl] = { workspaceId, login };
  });
  const result = { url: baseUrl, user: { id: user.id, email: user.email, name: user.name }, workspaceId };
  printResult(context, result, () => [
    `Signed in at ${baseUrl} as ${user.email ?? user.name ?? user.id}.`,
    ...(tokens.refreshToken === null ? ['The provider gave no refresh token: the sign-in ends with its token.'] : []),
  ]);
  if (environment.apiKey !== undefined)
    terminal.report('WATCHPOST_API_KEY is set, and commands use it instead of this sign-in until it is not.');
}

async function logout(context: CommandContext): Promise<void> {
  const { terminal, settings, environment } = context;
  const baseUrl = chooseBaseUrl(context.options.url, environment, await settings.read());
  const former = await settings.change((kept) => {
    const login = kept.installations[baseUrl]?.login ?? null;
    delete kept.installations[baseUrl];
    if (kept.url === baseUrl) kept.url = null;
    return login;
  });
  const isRevoked = former !== null && (await revoke(former));
  if (former !== null && !isRevoked)
    terminal.report(
      `The tokens are removed here, and could not be revoked at ${former.issuer}: end the session there.`,
    );
  printResult(context, { url: baseUrl, wasSignedIn: former !== null, isRevoked }, () => [
    former === null ? `You were not signed in at ${baseUrl}.` : `Signed out at ${baseUrl}.`,
  ]);
}

/** Revokes the refresh token, and with it the grant (RFC 7009). @returns whether the provider did so */
async function revoke({ revocationEndpoint, refreshToken, accessToken, clientId }: Login): Promise<boolean> {
  if (revocationEndpoint === null) return false;
  const token =
    refreshToken === null
      ? { token: accessToken, token_type_hint: 'access_token' }
      : { token: refreshToken, token_type_hint: 'refresh_token' };
  try {
    const { status } = await postForm(revocationEndpoint, { ...token, client_id: clientId });
    return status === 200;
  } catch (error) {
    if (error instanceof CommandError) return false;
    throw error;
  }
}
