import { isLoopbackHost } from '@watchpost/shared/loopback';
import { parseUrl } from '@watchpost/shared/parse-url';
import { CommandError } from '../command/command-error.js';
import { CHECK_ADDRESS } from '../http/api-error.js';
import { sendRequest } from '../http/send-request.js';

const DEADLINE_MS = 15_000;
const WITH_A_KEY = 'Use an API key instead: make one in the console, Settings, API keys, and set WATCHPOST_API_KEY.';

/** What a sign-in needs to know of the OpenID provider of an installation. */
export interface Provider {
  issuer: string;
  deviceEndpoint: string;
  tokenEndpoint: string;
  /** null where it has none. */
  revocationEndpoint: string | null;
  /** Scopes of the installation that the provider knows; all of them where it does not list its scopes. */
  scopes: string[];
}

/**
 * Finds the provider by the metadata of the installation (RFC 9728), and its endpoints by its own (OpenID Connect Discovery 1.0, or
 * RFC 8414).
 * @throws CommandError where one of them is missing, untrusted or without the device flow; ConnectionError
 */
export async function discoverProvider(baseUrl: string): Promise<Provider> {
  const resource = await readJson(`${baseUrl}/.well-known/oauth-protected-resource`);
  const [issuer] = listOf(resource?.['authorization_servers']);
  if (issuer === undefined) {
    throw new CommandError(`${baseUrl} does not name its OpenID provider.`, {
      code: 'no_provider',
      nextStep: CHECK_ADDRESS,
    });
  }
  requireTrusted(issuer);
  const metadata = await readMetadata(issuer);
  const endpoint = (name: string): string | null => {
    const url = metadata[name];
    if (typeof url !== 'string') return null;
    requireTrusted(url);
    return url;
  };
  const deviceEndpoint = endpoint('device_authorization_endpoint');
  const tokenEndpoint = endpoint('token_endpoint');
  if (deviceEndpoint === null || tokenEndpoint === null) {
    throw new CommandError(`The OpenID provider ${issuer} has no sign-in for devices (RFC 8628).`, {
      code: 'no_device_flow',
      nextStep: WITH_A_KEY,
    });
  }
  const known = listOf(metadata['scopes_supported']);
  const isKnown = (scope: string): boolean => known.length === 0 || known.includes(scope);
  const wanted = ['openid', 'profile', 'email', 'offline_access', ...listOf(resource?.['scopes_supported'])];
  return {
    issuer,
    deviceEndpoint,
    tokenEndpoint,
    revocationEndpoint: endpoint('revocation_endpoint'),
    scopes: wanted.filter(isKnown),
  };
}

async function readMetadata(issuer: string): Promise<Record<string, unknown>> {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  const places = [
    `${origin}${path}/.well-known/openid-configuration`,
    `${origin}/.well-known/oauth-authorization-server${path}`,
  ];
  for (const place of places) {
    const metadata = await readJson(place);
    if (!metadata) continue;
    // Otherwise a provider could answer in the name of another one (RFC 8414 §3.3).
    if (String(metadata['issuer']).replace(/\/$/, '') === issuer.replace(/\/$/, '')) return metadata;
    throw new CommandError(`${place} is of another provider: ${String(metadata['issuer'])}.`, { code: 'wrong_issuer' });
  }
  throw new CommandError(`The OpenID provider ${issuer} does not publish its metadata.`, {
    code: 'no_provider',
    nextStep: WITH_A_KEY,
  });
}

/** @returns undefined where there is no JSON object */
async function readJson(url: string): Promise<Record<string, unknown> | undefined> {
  const headers = { accept: 'application/json' };
  const answer = await sendRequest({ method: 'GET', url: new URL(url), headers, deadlineMs: DEADLINE_MS });
  if (answer.status !== 200) return undefined;
  try {
    const body: unknown = JSON.parse(answer.text);
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Tokens are sent over https, or within this machine. */
function requireTrusted(address: string): void {
  const url = parseUrl(address);
  if (url && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname)))) return;
  throw new CommandError(`The OpenID provider names ${address}, which is not https.`, {
    code: 'untrusted_provider',
    nextStep: WITH_A_KEY,
  });
}

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];
}
