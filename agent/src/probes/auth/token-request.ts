import { httpCheck, type HttpTarget, type OAuthClient } from '@watchpost/shared/checks/http';

/** The token endpoint as sentences name it: its query may be a secret. */
export function endpointOf({ tokenUrl }: OAuthClient): string {
  const { origin, pathname } = new URL(tokenUrl);
  return `${origin}${pathname}`;
}

/**
 * The request for a token (RFC 6749 §4.4.2), which is no part of the check of the target: it has its own address, and what applies
 * to answers of the target does not apply.
 * @param isInBody whether the credentials are in the body rather than in a header
 */
export function tokenTarget(
  { tokenUrl, clientId, clientSecret, scopes, audience }: OAuthClient,
  { egress, verifyCertificate }: HttpTarget,
  isInBody: boolean,
): HttpTarget {
  const form = new URLSearchParams({ grant_type: 'client_credentials' });
  if (scopes.length > 0) form.set('scope', scopes.join(' '));
  if (audience !== null) form.set('audience', audience);
  const headers = [
    { name: 'Accept', value: 'application/json' },
    { name: 'Content-Type', value: 'application/x-www-form-urlencoded' },
  ];
  if (isInBody) {
    form.set('client_id', clientId);
    form.set('client_secret', clientSecret);
  } else {
    const pair = `${formEncoded(clientId)}:${formEncoded(clientSecret)}`;
    headers.push({ name: 'Authorization', value: `Basic ${Buffer.from(pair).toString('base64')}` });
  }
  return httpCheck.target.parse({
    url: tokenUrl,
    method: 'POST',
    headers,
    body: form.toString(),
    followRedirects: false,
    verifyCertificate,
    egress,
  });
}

function formEncoded(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1);
}
