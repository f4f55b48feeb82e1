export interface Header {
  name: string;
  value: string;
}

/** A shorter value occurs everywhere, and protects nothing. */
export const SHORTEST_SECRET = 4;
/** The same for one of many values, such as a cookie's. */
const SHORTEST_PART = 6;
/** The limit of base64 characters to search; of hundreds of secrets, only the first are searched. */
const MOST_BASE64 = 8_192;

/** The secrets in headers: their values, and the credentials and cookies in them. */
export function secretValues(headers: readonly Header[]): string[] {
  const values = new Set(headers.flatMap(({ name, value }) => partsOf(name, value.trim())));
  return [...values].filter((value) => value.length >= SHORTEST_SECRET);
}

function partsOf(name: string, value: string): string[] {
  if (/cookie/i.test(name)) {
    const cookies = value.split(/;\s*/).map((pair) => pair.replace(/^[^=]*=/, '').replace(/^"(.*)"$/, '$1'));
    return [value, ...cookies.filter((part) => part.length >= SHORTEST_PART)];
  }
  const [, scheme, credentials] = /^([A-Za-z][\w-]*)\s+(.+)$/s.exec(value) ?? [];
  if (scheme === undefined || credentials!.length < SHORTEST_SECRET) return [value];
  const parts = scheme.toLowerCase() === 'basic' ? [credentials!, ...basicParts(credentials!)] : [credentials!];
  // The name of a scheme is also in `WWW-Authenticate`, and no secret.
  return /authori[sz]ation/i.test(name) ? parts : [value, ...parts];
}

function basicParts(credentials: string): string[] {
  const pair = Buffer.from(credentials, 'base64').toString('latin1');
  const password = pair.slice(pair.indexOf(':') + 1);
  return [password.length >= SHORTEST_SECRET ? password : pair];
}

/**
 * The base64 forms of the values at any position of an encoded text: for each of the three offsets in a group of three
 * bytes, the digits that depend on the value only.
 */
export function base64Of(values: readonly string[]): string[] {
  const encoded: string[] = [];
  let left = MOST_BASE64;
  for (const value of values) {
    if (value.length < SHORTEST_PART) continue;
    const utf8 = Buffer.from(value);
    // Headers are sent in Latin-1, bodies and sign-ins in UTF-8; they differ beyond ASCII only.
    const written = utf8.length === value.length ? [utf8] : [utf8, Buffer.from(value, 'latin1')];
    left -= utf8.length * 4 * written.length;
    if (left < 0) break;
    for (const bytes of written)
      for (const before of [0, 1, 2]) {
        const digits = Buffer.concat([Buffer.alloc(before), bytes])
          .toString('base64')
          .replace(/=+$/, '');
        const whole = Math.floor(((before + bytes.length) * 8) / 6);
        encoded.push(digits.slice(Math.ceil((before * 8) / 6), whole));
      }
  }
  return [...new Set(encoded.flatMap((digits) => [digits, digits.replaceAll('+', '-').replaceAll('/', '_')]))];
}
