import { escapeHtml } from '../../../platform/http/html.js';

const KEY_OF = 'api|access|account|admin|app|auth|client|license|master|private|service|shared|signing|subscription';
/** Parts of names under which something is sent that lets somebody in. */
const SECRET_NAME = `authori[sz]ation|cookie|credential|jwt|passphrase|passw(?:or)?d|secret|session|signature|token|(?:${KEY_OF})[-_.]?key`;
/** As they stand in a URL, in one in a page's source (`&amp;`) and in JSON's way to write `&`. */
const SECRET_PARAMETER = new RegExp(
  String.raw`((?:[?&#;]|\\u0026)(?:[\w.-]{0,60}(?:${SECRET_NAME})[\w.-]{0,60}|auth|code|hmac|key|pwd|sid|sig)=)([^&#\s"'<>]+)`,
  'gi',
);
/** Up to the last `@`, as whoever reads URLs does. */
const USERINFO = /\b([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/?#"'<>]+@/gi;

/** What stands between a name and its value: in headers, JSON, JSON inside of it, dumps of maps, and cells of tables. */
const BETWEEN = String.raw`(?:\\?["']|\]|&quot;|&#39;){0,2}\s*[:=]>?\s*|\s*</(?:td|th|dt)>\s*<(?:td|dd)[^<>\n]{0,80}>\s*(?:<\w[^<>\n]{0,80}>\s*){0,3}`;
const QUOTED = String.raw`"[^"\n]*"?|'[^'\n]*'?|\\"[^"\n]*"?|&(?:quot|#34|#39|#x27);[^&\n<]*`;
/** Of these headers a value has commas of its own, such as one that is signed. */
const WHOLE_LINE = new RegExp(
  String.raw`((?:proxy-)?authorization|(?:set-)?cookie)(${BETWEEN})(?!\*\*\*)(${QUOTED}|[^\n}<]+)`,
  'gi',
);
const NAMED = new RegExp(
  String.raw`((?:${KEY_OF})[-_]?key|passw(?:or)?d|passphrase|secret|(?:access|api|auth|id|private|refresh|session)[-_]?token)(${BETWEEN})(?!\*\*\*)(${QUOTED}|[^\n,}<&]+)`,
  'gi',
);
const MASK = '***';
/** Of a value as many characters at the end of a text give it away. */
const SHORTEST_BEGUN = 4;
/** Shorter than this a value is found everywhere, and is perhaps a word. */
const SHORTEST = 8;

/** A page is searched for each in each of its ways: hundreds of cookies would hold up everybody. The longest count. */
const MOST_VALUES = 60;

/** How a monitor asks: what of it the service keeps as secret is not in here. */
export interface AskedBy {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string | null;
}

/**
 * Text from the outside without what lets somebody in: credentials in URLs, and what the monitor sends under the name of a
 * secret in its URL and its body. Members of the workspace see those in the monitor; whoever has the page need not have
 * them. The values of secret headers are masked before anything is stored.
 * @param secrets values as `likelySecrets` makes them, the longest first
 */
export function redactText(text: string, secrets: readonly string[]): string {
  const known = secrets.reduce((left, secret) => left.replaceAll(secret, MASK), text);
  return withoutBegun(known, secrets).replace(USERINFO, `$1${MASK}@`).replace(SECRET_PARAMETER, `$1${MASK}`);
}

/** The same for an answer's body, in which a fault page may list the request's headers, those of another day too. */
export function redactBody(text: string, secrets: readonly string[]): string {
  const masked = (_: string, name: string, between: string) => `${name}${between}${MASK}`;
  return redactText(text, secrets).replace(WHOLE_LINE, masked).replace(NAMED, masked);
}

/** Evidence was cut where it became too long: what a secret began with there is most of it, perhaps. */
function withoutBegun(text: string, secrets: readonly string[]): string {
  let cutAt = text.length;
  for (const secret of secrets) {
    const start = secret.slice(0, SHORTEST_BEGUN);
    let at = text.indexOf(start, Math.max(0, text.length - secret.length));
    while (at >= 0 && at < cutAt && !secret.startsWith(text.slice(at))) at = text.indexOf(start, at + 1);
    if (at >= 0 && at < cutAt) cutAt = at;
  }
  return cutAt === text.length ? text : `${text.slice(0, cutAt)}${MASK}`;
}

/**
 * What a monitor sends under the name of a secret, in its URL, its body and headers that are shown, the longest first.
 * Also as a page, JSON or a URL would write it.
 */
export function likelySecrets(asked: AskedBy): string[] {
  const values = valuesOf(asked).map((value) => value.trim());
  const longest = longestFirst(values.filter(({ length }) => length >= SHORTEST)).slice(0, MOST_VALUES);
  return longestFirst(longest.flatMap(waysToWrite));
}

function longestFirst(values: readonly string[]): string[] {
  return [...new Set(values)].toSorted((a, b) => b.length - a.length);
}

function valuesOf({ url, headers, body }: AskedBy): string[] {
  const name = new RegExp(SECRET_NAME, 'i');
  const sent = Object.entries(headers).flatMap(([header, value]) =>
    name.test(header) ? [value, value.replace(/^\s*\w+\s+/, '')] : [],
  );
  const inUrl = [...url.matchAll(SECRET_PARAMETER)].flatMap(([, , value]) => [value!, decoded(value!)]);
  const inBody = [...(body ?? '').matchAll(NAMED)].flatMap(([, , , value]) => {
    const plain = value!.replace(/^["']|["']$/g, '');
    return [plain, decoded(plain)];
  });
  return [...sent, ...inUrl, ...inBody].filter((value) => value !== MASK);
}

function waysToWrite(value: string): string[] {
  // Half a surrogate pair has no place in a URL.
  const percent = encodeURIComponent(Buffer.from(value).toString());
  const lower = percent.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
  return [value, percent, lower, JSON.stringify(value).slice(1, -1), escapeHtml(value)];
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value.replaceAll('+', ' '));
  } catch {
    return value;
  }
}
