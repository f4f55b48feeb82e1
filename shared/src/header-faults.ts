/** Headers that a check or a notification may have. */
export const MAX_HEADERS = 50;
const MAX_HEADER_NAME = 128;
const MAX_HEADER_VALUE = 4_096;
/** Characters of names and values together; servers commonly refuse more. */
const MAX_HEADERS_TOTAL = 16_384;

/** Headers that the probe sets itself (RFC 9110 §7.2, §8.6, §10.1.1) and headers of one connection (§7.6.1). */
const FORBIDDEN = new Set([
  'host',
  'content-length',
  'expect',
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
]);
/** RFC 9110 §5.6.2 */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** RFC 9110 §5.5: VCHAR, obs-text, SP and HTAB; no CR, LF or NUL. */
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * The value without surrounding blanks and tabs, which are not part of it (RFC 9110 §5.5). Not a regular expression, because
 * one for trailing blanks takes quadratic time, and a request can contain a million of them.
 */
export function trimHeaderValue(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

export interface HeaderFault {
  /** null for the headers as a whole. */
  name: string | null;
  message: string;
}

/** All faults of request headers, except of values that are no text. */
export function headerFaults(headers: Readonly<Record<string, unknown>>): HeaderFault[] {
  const faults: HeaderFault[] = [];
  const seen = new Set<string>();
  let total = 0;
  const entries = Object.entries(headers);
  if (entries.length > MAX_HEADERS) return [{ name: null, message: `must have at most ${MAX_HEADERS} entries` }];
  for (const [name, given] of entries) {
    const value = typeof given === 'string' ? given : '';
    const lower = name.toLowerCase();
    total += name.length + value.length;
    if (!TOKEN.test(name) || name.length > MAX_HEADER_NAME || lower === '__proto__') {
      faults.push({
        name,
        message: `must have a name of 1 to ${MAX_HEADER_NAME} letters, digits and !#$%&'*+-.^_\`|~`,
      });
    } else if (FORBIDDEN.has(lower)) {
      faults.push({ name, message: 'is set by the probe itself and cannot be given' });
    }
    if (seen.has(lower)) faults.push({ name, message: 'is given twice, in different spellings' });
    seen.add(lower);
    if (value.length > MAX_HEADER_VALUE)
      faults.push({ name, message: `must have at most ${MAX_HEADER_VALUE} characters` });
    if (!FIELD_VALUE.test(value))
      faults.push({
        name,
        message: 'must have a value of visible Latin-1 characters, blanks and tabs, without line breaks',
      });
  }
  if (total > MAX_HEADERS_TOTAL)
    faults.push({ name: null, message: `must have at most ${MAX_HEADERS_TOTAL} characters together` });
  return faults;
}
