/** `typ` of an access token (RFC 9068 §2.1). */
const ACCESS_TOKEN = /^(application\/)?at\+jwt$/i;
/** Other kinds of JWT that declare their kind (RFC 8725 §3.11): `logout+jwt`, `dpop+jwt`, `secevent+jwt`. */
const OTHER_KIND = /^(application\/)?[\w.-]+\+jwt$/i;
/** Claims that bind an ID token to a sign-in (OpenID Connect Core §3.1.3.6, §3.3.2.11, §2; FAPI for s_hash). */
const ID_TOKEN_CLAIMS = ['at_hash', 'c_hash', 's_hash', 'nonce'];

/**
 * Whether a JWT is made for something else than calling an API, although signature, issuer and audience are right. No
 * `typ` is demanded, since many providers send `JWT` or none for access tokens: a declared access token counts first.
 */
export function isOtherToken(
  header: Readonly<Record<string, unknown>>,
  claims: Readonly<Record<string, unknown>>,
): boolean {
  const typ = textOf(header['typ']);
  if (ACCESS_TOKEN.test(typ)) return false;
  if (OTHER_KIND.test(typ)) return true;
  // Keycloak declares it in the payload; its access tokens had a nonce up to version 23.
  const kind = textOf(claims['typ']).toLowerCase();
  if (kind === 'bearer') return false;
  if (kind === 'id' || kind === 'refresh' || kind === 'logout') return true;
  if (ID_TOKEN_CLAIMS.some((name) => claims[name] !== undefined)) return true;
  return isForItsOwnClient(claims);
}

/** An ID token is for the client that it was issued to, and grants nothing: it has neither scopes nor roles. */
function isForItsOwnClient(claims: Readonly<Record<string, unknown>>): boolean {
  const { azp, aud } = claims;
  if (['scope', 'scp', 'roles', 'permissions', 'client_id'].some((name) => claims[name] !== undefined)) return false;
  return typeof azp === 'string' && (Array.isArray(aud) ? aud.length === 1 && aud[0] === azp : aud === azp);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
