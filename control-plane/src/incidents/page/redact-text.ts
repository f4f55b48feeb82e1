/** What lets somebody in, by the name that it is sent under. */
const NAMED =
  /((?:proxy-)?authorization|(?:set-)?cookie|x-api-key|api[-_]?key|password|passwd|secret|(?:access|auth|id|refresh)[-_]?token)(["']?\s*(?:[:=]>?)\s*)(?!\*\*\*)("[^"\n]*"?|'[^'\n]*'?|[^\n,}<&]+)/gi;
const USERINFO = /\b([a-z][a-z0-9+.-]*:\/\/)[^\s/?#@"'<>]+@/gi;
const SECRET_PARAMETER =
  /([?&](?:[\w.-]*(?:token|secret|signature|password|session|credential|api-?key)[\w.-]*|sig|key|code|auth|pwd)=)[^&#\s"'<>]+/gi;
const MASK = '***';
/** Shorter than this a value is found everywhere, and keeps nobody out. */
const SHORTEST = 4;

/**
 * Text from the outside without what lets somebody in: credentials in URLs, and the values that the monitor sends as
 * secrets, which a site may well repeat to whom it does not know. Whoever has the page need not have those.
 * @param secrets values as `secretValues` makes them, the longest first
 */
export function redactText(text: string, secrets: readonly string[]): string {
  const known = secrets.reduce((left, secret) => left.replaceAll(secret, MASK), text);
  return known.replace(USERINFO, `$1${MASK}@`).replace(SECRET_PARAMETER, `$1${MASK}`);
}

/** The same for an answer's body, in which a fault page may list the request's headers, those of another day too. */
export function redactBody(text: string, secrets: readonly string[]): string {
  return redactText(text, secrets).replace(NAMED, (_, name: string, between: string) => `${name}${between}${MASK}`);
}

/** All that a secret header's value gives away: the whole, what stands behind its scheme, and what that is in clear. */
export function secretValues(headers: Readonly<Record<string, string>>): string[] {
  const values = Object.values(headers).flatMap((value) => {
    const credentials = value.replace(/^\s*\w+\s+/, '');
    const clear = /^\s*basic\s/i.test(value) ? Buffer.from(credentials, 'base64').toString() : '';
    const cookies = value.split(/;\s*/).map((pair) => pair.replace(/^[^=]*=/, ''));
    return [value, credentials, clear, clear.replace(/^[^:]*:/, ''), ...cookies];
  });
  return [...new Set(values.map((value) => value.trim()).filter((value) => value.length >= SHORTEST))].toSorted(
    (a, b) => b.length - a.length,
  );
}
