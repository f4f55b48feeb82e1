import { MASK } from '@watchpost/shared/secrets/secret-header';
import { escapeHtml } from '../../../platform/http/html.js';

const KEY_OF = 'api|access|account|admin|app|auth|client|license|master|private|service|shared|signing|subscription';
/** Parts of the names of parameters and fields that carry credentials. */
const SECRET_NAME = `authori[sz]ation|cookie|credential|jwt|passphrase|passw(?:or)?d|secret|session|signature|token|(?:${KEY_OF})[-_.]?key`;
/** In a URL, a URL in HTML source (`&amp;`), and a URL in JSON (`\\u0026`). */
const SECRET_PARAMETER = new RegExp(
  String.raw`((?:[?&#;]|\\u0026)(?:[\w.-]{0,60}(?:${SECRET_NAME})[\w.-]{0,60}|auth|code|hmac|key|pwd|sid|sig)=)([^&#\s"'<>]+)`,
  'gi',
);
/** Up to the last `@`, as URL parsers do. */
const USERINFO = /\b([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/?#"'<>]+@/gi;

/** What separates a name from its value in headers, JSON, nested JSON, dumps of maps and table cells. */
const BETWEEN = String.raw`(?:\\?["']|\]|&quot;|&#39;){0,2}\s*[:=]>?\s*|\s*</(?:td|th|dt)>\s*<(?:td|dd)[^<>\n]{0,80}>\s*(?:<\w[^<>\n]{0,80}>\s*){0,3}`;
const QUOTED = String.raw`"[^"\n]*"?|'[^'\n]*'?|\\"[^"\n]*"?|&(?:quot|#34|#39|#x27);[^&\n<]*`;
/** Headers with values that may contain commas, for example signed ones. */
const WHOLE_LINE = new RegExp(
  String.raw`((?:proxy-)?authorization|(?:set-)?cookie)(${BETWEEN})(?!\*\*\*)(${QUOTED}|[^\n}<]+)`,
  'gi',
);
const NAMED = new RegExp(
  String.raw`((?:${KEY_OF})[-_]?key|passw(?:or)?d|passphrase|secret|(?:access|api|auth|id|private|refresh|session)[-_]?token)(${BETWEEN})(?!\*\*\*)(${QUOTED}|[^\n,}<&]+)`,
  'gi',
);
/** A truncated text that ends with this many first characters of a secret is masked there. */
const MIN_PREFIX = 4;
/** Shorter values are not searched for: they occur in ordinary text. */
const MIN_SECRET = 8;

/** At most this many values, the longest, are searched for: each costs a pass over the text for each of its encodings. */
const MAX_VALUES = 60;

/** What a monitor sends, without the values that the service stores as secrets. */
export interface MonitorRequest {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string | null;
}

/**
 * Masks credentials in text from outside: those in URLs, and the secret values that the monitor sends in its URL and body.
 * Members of the workspace see these in the monitor; other readers of the document must not. The values of secret headers
 * are already masked before evidence is stored.
 * @param secrets values from `likelySecrets`, the longest first
 */
export function redactText(text: string, secrets: readonly string[]): string {
  const known = secrets.reduce((left, secret) => left.replaceAll(secret, MASK), text);
  return withoutTruncatedSecret(known, secrets).replace(USERINFO, `$1${MASK}@`).replace(SECRET_PARAMETER, `$1${MASK}`);
}

/** Like `redactText`, for an answer's body: error documents may list request headers, including former ones. */
export function redactBody(text: string, secrets: readonly string[]): string {
  const masked = (_: string, name: string, between: string) => `${name}${between}${MASK}`;
  return redactText(text, secrets).replace(WHOLE_LINE, masked).replace(NAMED, masked);
}

/** Masks a secret that was truncated at the end of the evidence. */
function withoutTruncatedSecret(text: string, secrets: readonly string[]): string {
  let cutAt = text.length;
  for (const secret of secrets) {
    const start = secret.slice(0, MIN_PREFIX);
    let at = text.indexOf(start, Math.max(0, text.length - secret.length));
    while (at >= 0 && at < cutAt && !secret.startsWith(text.slice(at))) at = text.indexOf(start, at + 1);
    if (at >= 0 && at < cutAt) cutAt = at;
  }
  return cutAt === text.length ? text : `${text.slice(0, cutAt)}${MASK}`;
}

/**
 * The values that a monitor sends under names of credentials in its URL, body and headers, the longest first, each also in
 * its HTML, JSON and URL encodings.
 */
export function likelySecrets(asked: MonitorRequest): string[] {
  const values = valuesOf(asked).map((value) => value.trim());
  const longest = longestFirst(values.filter(({ length }) => length >= MIN_SECRET)).slice(0, MAX_VALUES);
  return longestFirst(longest.flatMap(encodingsOf));
}

function longestFirst(values: readonly string[]): string[] {
  return [...new Set(values)].toSorted((a, b) => b.length - a.length);
}

function valuesOf({ url, headers, body }: MonitorRequest): string[] {
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

function encodingsOf(value: string): string[] {
  // encodeURIComponent throws on a lone surrogate; Buffer replaces it.
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
