import { createPrivateKey, X509Certificate } from 'node:crypto';
import { parseUrl } from '@watchpost/shared/parse-url';
import type { Fields } from '../import-context.js';
import { rawTextOf, type Row, textOf } from '../installation.js';
import type { Secrets } from '../names.js';

const CERTIFICATES = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
const LONGEST = 1_000;
const SCOPE = /^[!#-[\]-~]{1,200}$/;

/** Converts the sign-in of a check beside its headers; a text is why it cannot. */
export function signInOf(row: Row, url: URL, key: string, secrets: Secrets): Fields | string | null {
  switch (textOf(row, 'auth_method')) {
    case 'ntlm':
      return 'it signs in by NTLM, which a check cannot';
    case 'oauth2-cc':
      return oauthOf(row, key, secrets) ?? 'it signs in by OAuth 2 client credentials that are not complete';
    case 'mtls':
      return (
        (url.protocol === 'https:' && certificateOf(row, key, secrets)) ||
        'it signs in by a client certificate that cannot be used'
      );
    default:
      return null;
  }
}

function oauthOf(row: Row, key: string, secrets: Secrets): Fields | null {
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
    clientSecret: secrets.keep(`${key} client secret`, clientSecret),
    ...(scopes.length > 0 ? { scopes } : {}),
    ...(audience === null ? {} : { audience }),
  };
}

function isText(text: string | null): text is string {
  return text !== null && text.length <= LONGEST && /^\P{Cc}+$/u.test(text);
}

function certificateOf(row: Row, key: string, secrets: Secrets): Fields | null {
  const certificate = (rawTextOf(row, 'tls_cert') ?? '').match(CERTIFICATES)?.join('\n');
  const privateKey = rawTextOf(row, 'tls_key');
  if (certificate === undefined || privateKey === null) return null;
  try {
    if (!new X509Certificate(certificate).checkPrivateKey(createPrivateKey(privateKey))) return null;
  } catch {
    return null;
  }
  return { type: 'clientCertificate', certificate, key: secrets.keep(`${key} key`, privateKey) };
}
