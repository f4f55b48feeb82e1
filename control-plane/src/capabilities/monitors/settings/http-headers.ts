import { isSecretHeader, MASK } from '@watchpost/shared/secrets/secret-header';

export const MAX_HEADERS = 50;
export const MAX_HEADER_NAME = 128;
export const MAX_HEADER_VALUE = 4_096;
/** Names and values together: servers commonly refuse more. */
export const MAX_HEADERS_TOTAL = 16_384;

/** What the probe itself decides (RFC 9110 §7.2, §8.6, §10.1.1) and what concerns one connection only (§7.6.1). */
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
 * Without the blanks and tabs around it, which are no part of a value (RFC 9110 §5.5). By hand: an expression for
 * blanks at the end reads a run of them anew from each one, and a request has room for a million.
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
  /** null: the headers as a whole. */
  name: string | null;
  message: string;
}

/** Everything that is wrong with the headers of a request to be sent. */
export function headerFaults(headers: Readonly<Record<string, string>>): HeaderFault[] {
  const faults: HeaderFault[] = [];
  const seen = new Set<string>();
  let total = 0;
  const entries = Object.entries(headers);
  if (entries.length > MAX_HEADERS) return [{ name: null, message: `must have at most ${MAX_HEADERS} entries` }];
  for (const [name, value] of entries) {
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

export interface SplitHeaders {
  /** As they are stored and answered: secrets are `***`. */
  headers: Record<string, string>;
  /** By lower-case name. */
  secrets: Record<string, string>;
  /** Secrets given as `***` of which none is stored. */
  unknown: string[];
}

/** Headers as they are answered, also those that were stored before their name was one of a secret. */
export function maskHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, isSecretHeader(name) ? MASK : value]),
  );
}

/** Takes the secrets out of headers as a caller gave them; `***` keeps the stored one of that name. */
export function splitHeaders(
  given: Readonly<Record<string, string>>,
  stored: Readonly<Record<string, string>>,
): SplitHeaders {
  const result: SplitHeaders = { headers: {}, secrets: {}, unknown: [] };
  for (const [name, value] of Object.entries(given)) {
    const lower = name.toLowerCase();
    if (!isSecretHeader(name)) {
      result.headers[name] = value;
      continue;
    }
    result.headers[name] = MASK;
    if (value !== MASK) result.secrets[lower] = value;
    else if (Object.hasOwn(stored, lower)) result.secrets[lower] = stored[lower]!;
    else result.unknown.push(name);
  }
  return result;
}

/** What is said of a stored secret where the URL is to lead to another host. */
export const SECRET_STAYS =
  'is a stored secret, and is not sent to another host or out of TLS unseen: give its value again, or leave it out of `headers`';

/** The names of the stored secrets that a change leaves as they are. */
export function keptSecrets(
  given: Readonly<Record<string, string>> | undefined,
  stored: Readonly<Record<string, string>>,
): string[] {
  if (given === undefined) return Object.keys(stored);
  return Object.keys(given).filter((name) => given[name] === MASK && Object.hasOwn(stored, name.toLowerCase()));
}

/** Puts the secrets back: what the probe sends. */
export function joinHeaders(
  headers: Readonly<Record<string, string>>,
  secrets: Readonly<Record<string, string>>,
): { name: string; value: string }[] {
  // hasOwn: a header may well be called like something that every object has
  return Object.entries(headers).map(([name, value]) => {
    const lower = name.toLowerCase();
    return { name, value: Object.hasOwn(secrets, lower) ? secrets[lower]! : value };
  });
}
