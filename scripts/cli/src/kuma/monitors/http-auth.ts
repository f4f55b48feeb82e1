import { createPrivateKey, X509Certificate } from 'node:crypto';
import { parseUrl } from '@watchpost/shared/parse-url';
import { MASK } from '@watchpost/shared/secrets/secret-header';
import type { Fields } from '../../import/rows.js';
import { rawTextOf, type Row, textOf } from '../../import/rows.js';
import type { Secrets } from '../../import/names.js';
import { hasHeader } from '../../import/http-headers.js';

const CERTIFICATES = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
const LONGEST = 1_000;
const TOKEN = /^[!-~]{1,4096}$/;
const SCOPE = /^[!#-[\]-~]{1,200}$/;

/** The fields with secrets, as the names of their variables end. */
const SECRETS: Readonly<Record<string, string>> = {
  password: 'password',
  token: 'token',
  clientSecret: 'client secret',
  key: 'key',
};

/**
 * Converts the sign-in of a check. A user with a password, or a token, that `http.auth` does not take is added to the headers.
 * @returns `http.auth`, null where headers are all that it sends, or why it cannot sign in
 */
export function signInOf(
  row: Row,
  url: URL,
  headers: Map<string, string>,
  key: string,
  secrets: Secrets,
): Fields | string | null {
  const special = specialSignIn(row, url);
  if (typeof special === 'string') return special;
  const certificate = special?.['type'] === 'clientCertificate' ? special : null;
  // A header of its own is what Uptime Kuma sends, too.
  const isOwn = hasHeader(headers, 'Authorization');
  const given = isOwn ? null : credentialsOf(row, url);
  if (certificate === null && given !== null && isTaken(given)) return withReferences(given, key, secrets);
  if (given !== null) headers.set('Authorization', headerOf(given));
  const left = certificate ?? (isOwn || given !== null ? null : special);
  return left && withReferences(left, key, secrets);
}

function withReferences(auth: Fields, key: string, secrets: Secrets): Fields {
  const fields = Object.entries(auth).map(([name, value]) => {
    const isSecret = Object.hasOwn(SECRETS, name) && value !== '';
    return [name, isSecret ? secrets.keep(`${key} ${SECRETS[name]}`, value as string) : value];
  });
  return Object.fromEntries(fields) as Fields;
}

type Credentials = { type: 'basic'; username: string; password: string } | { type: 'bearer'; token: string };

/** The token, or the user and the password, of the check or of its URL. */
function credentialsOf(row: Row, url: URL): Credentials | null {
  const method = textOf(row, 'auth_method');
  // In 1.x no method means the first one there was; 2.x, which has conditions, sends nothing then.
  const isBasic = method === 'basic' || (method === null && !Object.hasOwn(row, 'conditions'));
  const username = rawTextOf(row, 'basic_auth_user');
  const token = rawTextOf(row, 'bearer_token');
  if (method === 'bearer' && token !== null) return { type: 'bearer', token };
  if (isBasic && username !== null)
    return { type: 'basic', username, password: rawTextOf(row, 'basic_auth_pass') ?? '' };
  if (url.username === '' && url.password === '') return null;
  return { type: 'basic', username: decoded(url.username), password: decoded(url.password) };
}

/** Decides whether `http.auth` takes them. There, a mask is in place of a stored secret. */
function isTaken(given: Credentials): boolean {
  if (given.type === 'bearer') return TOKEN.test(given.token) && given.token !== MASK;
  const { username, password } = given;
  return (
    [username, password].every((text) => text === '' || isText(text)) && !username.includes(':') && password !== MASK
  );
}

function headerOf(given: Credentials): string {
  if (given.type === 'bearer') return `Bearer ${given.token}`;
  return `Basic ${Buffer.from(`${given.username}:${given.password}`).toString('base64')}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Converts a sign-in by neither a user nor a token; a text is why it cannot. */
function specialSignIn(row: Row, url: URL): Fields | string | null {
  switch (textOf(row, 'auth_method')) {
    case 'ntlm':
      return 'it signs in by NTLM, which a check cannot';
    case 'oauth2-cc':
      return oauthOf(row) ?? 'it signs in by OAuth 2 client credentials that are not complete';
    case 'mtls':
      return (
        (url.protocol === 'https:' && certificateOf(row)) || 'it signs in by a client certificate that cannot be used'
      );
    default:
      return null;
  }
}

function oauthOf(row: Row): Fields | null {
  const tokenUrl = parseUrl(textOf(row, 'oauth_token_url') ?? '');
  const clientId = rawTextOf(row, 'oauth_client_id');
  const clientSecret = rawTextOf(row, 'oauth_client_secret');
  const audience = rawTextOf(row, 'oauth_audience');
  const scopes = (textOf(row, 'oauth_scopes') ?? '').split(/\s+/).filter((scope) => scope !== '');
  const isHttp =
    tokenUrl && /^https?:$/.test(tokenUrl.protocol) && tokenUrl.username === '' && tokenUrl.password === '';
  if (!isHttp || tokenUrl.port === '0' || tokenUrl.href.length > 2 * LONGEST) return null;
  if (!isText(clientId) || !isText(clientSecret) || !(audience === null || isText(audience))) return null;
  if (scopes.length > 50 || !scopes.every((scope) => SCOPE.test(scope))) return null;
  return {
    type: 'oauth2ClientCredentials',
    tokenUrl: tokenUrl.href,
    clientId,
    clientSecret,
    ...(scopes.length > 0 ? { scopes } : {}),
    ...(audience === null ? {} : { audience }),
  };
}

function isText(text: string | null): text is string {
  return text !== null && text.length <= LONGEST && /^[^\p{Cc}\p{Cs}]+$/u.test(text);
}

function certificateOf(row: Row): Fields | null {
  const certificate = (rawTextOf(row, 'tls_cert') ?? '').match(CERTIFICATES)?.join('\n');
  const privateKey = rawTextOf(row, 'tls_key');
  if (certificate === undefined || privateKey === null) return null;
  try {
    if (!new X509Certificate(certificate).checkPrivateKey(createPrivateKey(privateKey))) return null;
  } catch {
    return null;
  }
  return { type: 'clientCertificate', certificate, key: privateKey };
}
