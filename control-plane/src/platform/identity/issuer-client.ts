import { isLoopbackHost } from '@watchpost/shared/loopback';
import type { JSONWebKeySet } from 'jose';
import { parseUrl } from '@watchpost/shared/parse-url';

/** Where the issuer serves what; from its discovery document (OpenID Connect Discovery 1.0 §4). */
export interface IssuerEndpoints {
  jwksUri: string;
  userinfoEndpoint: string | null;
  authorizationEndpoint: string | null;
  tokenEndpoint: string | null;
  /** Where a browser signs out (OpenID Connect RP-Initiated Logout 1.0 §2). */
  endSessionEndpoint: string | null;
  /** Whether every answer of the authorization endpoint names the issuer (RFC 9207 §3). */
  namesIssuer: boolean;
  /** How clients with a secret may authenticate at the token endpoint. */
  tokenAuthMethods: readonly string[];
}

/** Where the metadata names no methods: the one of OpenID Connect Discovery 1.0 §3. */
const DEFAULT_TOKEN_AUTH_METHODS = ['client_secret_basic'];

const FETCH_DEADLINE_MS = 5_000;
const MAX_DOCUMENT_BYTES = 1_048_576;

/** Whether tokens may travel to this URL: https anywhere, http on loopback only. */
export function isTrustedUrl(url: string): boolean {
  const parsed = parseUrl(url);
  return parsed?.protocol === 'https:' || (parsed?.protocol === 'http:' && isLoopbackHost(parsed.hostname));
}

/**
 * Asks the issuer where its documents are.
 * @throws Error with the fault of the answer, or that there is none
 */
export async function discoverIssuer(issuer: string): Promise<IssuerEndpoints> {
  const document = await fetchJson(`${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`);
  if (document['issuer'] !== issuer) {
    throw new Error(
      `the discovery document is of issuer ${JSON.stringify(document['issuer'])}, and OIDC_ISSUER is ${JSON.stringify(issuer)}: they must be the same, to the last slash`,
    );
  }
  const { jwks_uri: jwksUri, userinfo_endpoint: userinfo } = document;
  if (typeof jwksUri !== 'string' || !isTrustedUrl(jwksUri)) {
    throw new Error('the discovery document names no jwks_uri with https');
  }
  return {
    jwksUri,
    userinfoEndpoint: trustedOrNull(userinfo),
    authorizationEndpoint: trustedOrNull(document['authorization_endpoint']),
    tokenEndpoint: trustedOrNull(document['token_endpoint']),
    endSessionEndpoint: trustedOrNull(document['end_session_endpoint']),
    namesIssuer: document['authorization_response_iss_parameter_supported'] === true,
    tokenAuthMethods: Array.isArray(document['token_endpoint_auth_methods_supported'])
      ? document['token_endpoint_auth_methods_supported'].filter((method) => typeof method === 'string')
      : DEFAULT_TOKEN_AUTH_METHODS,
  };
}

function trustedOrNull(url: unknown): string | null {
  return typeof url === 'string' && isTrustedUrl(url) ? url : null;
}

/** @throws Error where the answer is no key set, or there is none */
export async function fetchKeySet(jwksUri: string): Promise<JSONWebKeySet> {
  const document = await fetchJson(jwksUri);
  if (!Array.isArray(document['keys'])) throw new Error('the answer of jwks_uri has no keys');
  return document as unknown as JSONWebKeySet;
}

/**
 * GET of a JSON object. Redirects are not followed: these requests go to the hosts that the operator
 * configured, and to no other.
 * @throws Error on anything but a 200 with a JSON object in time
 */
export async function fetchJson(
  url: string,
  options: { headers?: Record<string, string>; deadlineMs?: number } = {},
): Promise<Record<string, unknown>> {
  const { status, body } = await requestJson(url, options);
  if (status !== 200) throw new Error(`${url} answered ${status}`);
  return body;
}

/**
 * POST of form fields, which also answers errors with a JSON object (RFC 6749 §5.2).
 * @throws Error where there is no JSON object in time
 */
export async function postForm(
  url: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>>,
): Promise<{ status: number; body: Record<string, unknown> }> {
  return requestJson(url, { headers, body: new URLSearchParams(fields) });
}

async function requestJson(
  url: string,
  options: { headers?: Readonly<Record<string, string>>; deadlineMs?: number; body?: URLSearchParams },
): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(url, {
    ...(options.body === undefined ? {} : { method: 'POST', body: options.body }),
    headers: { accept: 'application/json', ...options.headers },
    redirect: 'error',
    signal: AbortSignal.timeout(options.deadlineMs ?? FETCH_DEADLINE_MS),
  });
  const text = await readText(response, url);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (error) {
    throw new Error(`${url} answered ${response.status} without JSON`, { cause: error });
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new Error(`${url} answered no JSON object`);
  return { status: response.status, body: body as Record<string, unknown> };
}

async function readText(response: Response, url: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (response.body) {
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > MAX_DOCUMENT_BYTES) throw new Error(`${url} answered more than ${MAX_DOCUMENT_BYTES} bytes`);
      chunks.push(chunk);
    }
  }
  return Buffer.concat(chunks).toString('utf8');
}
